/* SPDX-License-Identifier: MIT */
#include "harness/modules.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/csv.h"
#include "kernels/cubin.h"

struct column_set {
	size_t module;
	size_t instructions;
	size_t text_bytes;
	size_t cubin_bytes;
	size_t crc32;
};

static int find_columns(const struct csv_table *table, const char *path, struct column_set *columns,
			struct err *reterr)
{
	const struct {
		const char *name;
		size_t *column;
	} wanted[] = { { "module", &columns->module },
		       { "instructions", &columns->instructions },
		       { "text_bytes", &columns->text_bytes },
		       { "cubin_bytes", &columns->cubin_bytes },
		       { "crc32", &columns->crc32 } };

	for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
		*wanted[i].column = csv_table_column(table, wanted[i].name);
		if (*wanted[i].column == CSV_NO_COLUMN)
			return err_set(reterr, EBADMSG, "%s: it has no column %s", path,
				       wanted[i].name);
	}
	return 0;
}

static int add_module(struct modules *modules, const char *folder, const char *name,
		      struct err *reterr)
{
	struct module *list = realloc(modules->list, (modules->count + 1) * sizeof *list);
	struct module *module;

	if (!list)
		return err_set(reterr, ENOMEM, "%s: out of memory", folder);
	modules->list = list;
	module = &list[modules->count];
	*module = (struct module){ 0 };
	if (snprintf(module->name, sizeof module->name, "%s", name) >= (int)sizeof module->name ||
	    strchr(name, '/'))
		return err_set(reterr, EBADMSG, "%s: '%s' is no module name", modules->table_path,
			       name);
	if (asprintf(&module->path, "%s/%s.cubin", folder, name) < 0)
		return err_set(reterr, ENOMEM, "%s: out of memory", folder);
	modules->count++;
	return 0;
}

/* The module that this row belongs to, new when its name is. */
static struct module *module_of(struct modules *modules, const char *folder, const char *name,
				struct err *reterr)
{
	struct module *last = modules->count ? &modules->list[modules->count - 1] : NULL;

	if (last && !strcmp(last->name, name))
		return last;
	if (add_module(modules, folder, name, reterr) < 0)
		return NULL;
	return &modules->list[modules->count - 1];
}

static int add_rows(struct modules *modules, const struct csv_table *table, const char *folder,
		    struct err *reterr)
{
	struct column_set columns = { 0 };
	int r = find_columns(table, modules->table_path, &columns, reterr);

	for (size_t row = 0; !r && row < table->row_count; row++) {
		int64_t instructions, text_bytes, cubin_bytes, crc32;
		struct module *module;

		if (!csv_table_int(table, row, columns.instructions, &instructions) ||
		    !csv_table_int(table, row, columns.text_bytes, &text_bytes) ||
		    !csv_table_int(table, row, columns.cubin_bytes, &cubin_bytes) ||
		    !csv_table_int(table, row, columns.crc32, &crc32))
			return err_set(reterr, EBADMSG, "%s: line %zu: not a number",
				       modules->table_path, row + 2);
		module = module_of(modules, folder, csv_table_cell(table, row, columns.module),
				   reterr);
		if (!module)
			return -EBADMSG;
		if (!module->kernel_count++)
			module->instructions = (uint64_t)instructions;
		module->cubin_bytes = (uint64_t)cubin_bytes;
		module->crc32 = (uint32_t)crc32;
		module->text_bytes += (uint64_t)text_bytes;
	}
	return r;
}

static int check_file(const struct module *module, struct err *reterr)
{
	uint64_t text_bytes = 0;
	struct cubin cubin;
	bool same;
	int r = cubin_read_file(&cubin, module->path, reterr);

	if (r < 0)
		return r;
	for (size_t i = 0; i < cubin.kernel_count; i++)
		text_bytes += cubin.kernels[i].text_bytes;
	same = cubin.kernel_count == module->kernel_count && text_bytes == module->text_bytes &&
	       cubin.cubin_bytes == module->cubin_bytes && cubin.crc32 == module->crc32;
	cubin_free(&cubin);
	if (!same)
		return err_set(reterr, EBADMSG,
			       "%s: it is not what kernels.csv beside it describes; build the "
			       "modules again",
			       module->path);
	return 0;
}

static int read_table(struct modules *modules, const char *folder, struct err *reterr)
{
	struct csv_table table;
	int r = csv_table_read(&table, modules->table_path, reterr);

	if (r < 0)
		return r;
	if (table.torn)
		r = err_set(reterr, EBADMSG, "%s: it is cut off", modules->table_path);
	if (!r)
		r = add_rows(modules, &table, folder, reterr);
	if (!r && !modules->count)
		r = err_set(reterr, EBADMSG, "%s: it lists no module", modules->table_path);
	csv_table_free(&table);
	for (size_t i = 0; !r && i < modules->count; i++)
		r = check_file(&modules->list[i], reterr);
	return r;
}

/* The folder sm_<A> for this device, NULL when none fits. */
static char *pick_folder(const char *folder, int major, int minor)
{
	char *path;

	for (; minor >= 0; minor--) {
		if (asprintf(&path, "%s/sm_%d%d", folder, major, minor) < 0)
			return NULL;
		if (!access(path, F_OK))
			return path;
		free(path);
	}
	return NULL;
}

static int open_table(struct modules *modules, const char *folder, struct err *reterr)
{
	struct modules opened = { 0 };
	int r;

	if (asprintf(&opened.table_path, "%s/kernels.csv", folder) < 0)
		return err_set(reterr, ENOMEM, "%s: out of memory", folder);
	r = read_table(&opened, folder, reterr);
	if (r < 0) {
		modules_close(&opened);
		return r;
	}
	*modules = opened;
	return 0;
}

int modules_open(struct modules *modules, const char *folder, int major, int minor,
		 struct err *reterr)
{
	char *picked = pick_folder(folder, major, minor);
	int r;

	if (!picked)
		return err_set(reterr, ENOENT,
			       "%s: no modules for compute capability %d.%d; build with "
			       "-DCMAKE_CUDA_ARCHITECTURES=%d%d",
			       folder, major, minor, major, minor);
	r = open_table(modules, picked, reterr);
	free(picked);
	return r;
}

static int is_architecture(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "sm_", 3);
}

int modules_open_any(struct modules *modules, const char *folder, struct err *reterr)
{
	struct dirent **found;
	int count = scandir(folder, &found, is_architecture, versionsort), r;
	char *first = NULL;

	if (count <= 0)
		r = err_set(reterr, ENOENT, "%s: no modules are built", folder);
	else if (asprintf(&first, "%s/%s", folder, found[0]->d_name) < 0)
		r = err_set(reterr, ENOMEM, "%s: out of memory", folder);
	else
		r = open_table(modules, first, reterr);
	for (int i = 0; i < count; i++)
		free(found[i]);
	if (count >= 0)
		free(found);
	free(first);
	return r;
}

void modules_close(struct modules *modules)
{
	for (size_t i = 0; i < modules->count; i++)
		free(modules->list[i].path);
	free(modules->list);
	free(modules->table_path);
	*modules = (struct modules){ 0 };
}

const struct module *modules_find(const struct modules *modules, const char *name)
{
	for (size_t i = 0; i < modules->count; i++)
		if (!strcmp(modules->list[i].name, name))
			return &modules->list[i];
	return NULL;
}

bool module_is_in_family(const struct module *module, const char *family)
{
	size_t length = strlen(family);

	return !strncmp(module->name, family, length) && module->name[length] == '-';
}

const struct module *modules_find_sized(const struct modules *modules, const char *family,
					uint64_t instructions)
{
	for (size_t i = 0; i < modules->count; i++)
		if (module_is_in_family(&modules->list[i], family) &&
		    modules->list[i].instructions == instructions)
			return &modules->list[i];
	return NULL;
}

const void *module_map(const struct module *module)
{
	int fd = open(module->path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *image = MAP_FAILED;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &status) && (uint64_t)status.st_size == module->cubin_bytes)
		image = mmap(NULL, module->cubin_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	return image == MAP_FAILED ? NULL : image;
}

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

#include "base/array.h"
#include "base/csv.h"

#define CUBIN_SUFFIX ".cubin"

struct column_set {
	size_t module;
	size_t instructions;
	size_t text_bytes;
	size_t cubin_bytes;
	size_t crc32;
	struct {
		size_t bytes;
		size_t crc32;
	} forms[CUBIN_FORM_COUNT];
};

static int find_column(const struct csv_table *table, const char *path, const char *name,
		       size_t *ret_column, struct err *reterr)
{
	size_t column = csv_table_column(table, name);

	if (column == CSV_NO_COLUMN)
		return err_set(reterr, EBADMSG, "%s: it has no column %s", path, name);
	*ret_column = column;
	return 0;
}

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

	int r = 0;

	for (size_t i = 0; i < ARRAY_COUNT(wanted) && !r; i++)
		r = find_column(table, path, wanted[i].name, wanted[i].column, reterr);
	for (size_t i = 0; i < CUBIN_FORM_COUNT && !r; i++) {
		r = find_column(table, path, cubin_form_names[i].bytes_column,
				&columns->forms[i].bytes, reterr);
		if (!r)
			r = find_column(table, path, cubin_form_names[i].crc32_column,
					&columns->forms[i].crc32, reterr);
	}
	return r;
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
	if (asprintf(&module->path, "%s/%s" CUBIN_SUFFIX, folder, name) < 0)
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

/* Empty cells: the module has no such form. */
static bool read_forms(struct module *module, const struct csv_table *table, size_t row,
		       const struct column_set *columns)
{
	for (size_t i = 0; i < CUBIN_FORM_COUNT; i++) {
		struct cubin_form_file *form = &module->forms[i];
		int64_t bytes = 0, crc32 = 0;

		if (*csv_table_cell(table, row, columns->forms[i].bytes) &&
		    (!csv_table_int(table, row, columns->forms[i].bytes, &bytes) ||
		     !csv_table_int(table, row, columns->forms[i].crc32, &crc32)))
			return false;
		form->bytes = (uint64_t)bytes;
		form->crc32 = (uint32_t)crc32;
	}
	return true;
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
		if (!read_forms(module, table, row, &columns))
			return err_set(reterr, EBADMSG, "%s: line %zu: not a number",
				       modules->table_path, row + 2);
		if (!module->kernel_count++)
			module->instructions = (uint64_t)instructions;
		module->cubin_bytes = (uint64_t)cubin_bytes;
		module->crc32 = (uint32_t)crc32;
		module->text_bytes += (uint64_t)text_bytes;
	}
	return r;
}

static int not_described(const char *path, struct err *reterr)
{
	return err_set(reterr, EBADMSG,
		       "%s: it is not what kernels.csv beside it describes; build the modules "
		       "again",
		       path);
}

/* "…/source-31.ptx" of "…/source-31.cubin", owned by the caller; NULL: out of memory. */
static char *form_path(const struct module *module, enum cubin_form form)
{
	int stem = (int)(strlen(module->path) - strlen(CUBIN_SUFFIX));
	char *path;

	if (asprintf(&path, "%.*s%s", stem, module->path, cubin_form_names[form].suffix) < 0)
		return NULL;
	return path;
}

static int check_form(const struct module *module, enum cubin_form form, struct err *reterr)
{
	const struct cubin_form_file *told = &module->forms[form];
	char *path = form_path(module, form);
	struct cubin_form_file found;
	int r;

	if (!path)
		return err_set(reterr, ENOMEM, "%s: out of memory", module->path);
	r = cubin_form_read_file(&found, path, reterr);
	if (!r && (found.bytes != told->bytes || found.crc32 != told->crc32))
		r = not_described(path, reterr);
	free(path);
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
		return not_described(module->path, reterr);
	for (int i = 0; i < CUBIN_FORM_COUNT && !r; i++)
		if (module->forms[i].bytes)
			r = check_form(module, (enum cubin_form)i, reterr);
	return r;
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

/*
 * The file over the beginning of a longer anonymous mapping, so that a zero follows even where the
 * file fills its last page.
 */
static const void *map_with_zero(const char *path, uint64_t bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *image = MAP_FAILED;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &status) && (uint64_t)status.st_size == bytes)
		image = mmap(NULL, bytes + 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (image != MAP_FAILED)
		image = mmap(image, bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0);
	close(fd);
	return image == MAP_FAILED ? NULL : image;
}

const void *module_map(const struct module *module)
{
	return map_with_zero(module->path, module->cubin_bytes);
}

const void *module_map_form(const struct module *module, enum cubin_form form)
{
	char *path = module->forms[form].bytes ? form_path(module, form) : NULL;
	const void *image = path ? map_with_zero(path, module->forms[form].bytes) : NULL;

	free(path);
	return image;
}

/* SPDX-License-Identifier: MIT */
#include "inspect/report.h"

#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"

#define TROUBLES_SHOWN 5
/* A longer one fills lines that nobody reads; CSV and JSON have it whole. */
#define NAME_BYTES_SHOWN 90
/* Says nothing: what a kernel returns. */
#define NO_RESULT "void "

void device_image_uses(const struct device_image *image, struct text *ret_text)
{
	const struct {
		bool is_so;
		const char *word;
	} uses[] = { { image->cubin.uses_printf, "printf" },
		     { image->cubin.uses_malloc, "malloc" },
		     { image->cubin.uses_device_runtime, "launch" } };

	for (size_t i = 0; i < ARRAY_COUNT(uses); i++)
		if (uses[i].is_so)
			text_format(ret_text, "%s%s", ret_text->used ? " " : "", uses[i].word);
}

/* "sm_90", "PTX, 90", "sm_90, unlinked" */
static void cell_architecture(struct document *document, enum device_image_kind kind,
			      bool is_unlinked, unsigned int architecture)
{
	static const char *const before[] = {
		[IMAGE_CUBIN] = "sm_", [IMAGE_PTX] = "PTX, ", [IMAGE_OTHER] = "other, "
	};

	if (architecture)
		document_cell_format(document, "%s%u%s", before[kind], architecture,
				     is_unlinked ? ", unlinked" : "");
	else
		document_cell(document, "unknown");
}

static void cell_size(struct document *document, uint64_t bytes)
{
	char buffer[SIZE_TEXT_MAX];

	document_cell(document, size_format(bytes <= INT64_MAX ? (int64_t)bytes : INT64_MAX, buffer,
					    sizeof buffer));
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* ---- images ---- */

static void add_sums(struct document *document, const struct selection *selection)
{
	static const char *const headings[] = { "",          "Images",    "Kernels",
						"Code",      "Functions", "Constants",
						"Variables", "Unpacked",  "In the file" };

	document_table(document, ARRAY_COUNT(headings), "lr");
	for (size_t i = 0; i < ARRAY_COUNT(headings); i++)
		document_cell(document, headings[i]);
	for (size_t i = 0; i < selection->sum_count; i++) {
		const struct image_sum *sum = &selection->sums[i];

		cell_architecture(document, sum->kind, sum->is_unlinked, sum->architecture);
		document_cell_format(document, "%" PRIu64, sum->image_count);
		document_cell_format(document, "%" PRIu64, sum->kernel_count);
		cell_size(document, sum->text_bytes);
		cell_size(document, sum->function_bytes);
		cell_size(document, sum->constant_bytes);
		cell_size(document, sum->static_bytes);
		cell_size(document, sum->image_bytes);
		cell_size(document, sum->file_bytes);
	}
}

static const struct {
	enum device_image_kind kind;
	const char *text;
} kind_remarks[] = {
	{ IMAGE_PTX,
	  "PTX is text. The driver compiles it where no machine code fits the device; how "
	  "large it is then can only be measured." },
	{ IMAGE_OTHER,
	  "Others are neither machine code nor PTX, such as code whose compilation ends "
	  "when it is linked." },
};

static bool has_kind(const struct selection *selection, enum device_image_kind kind)
{
	for (size_t i = 0; i < selection->sum_count; i++)
		if (selection->sums[i].kind == kind)
			return true;
	return false;
}

static void add_images(struct document *document, const struct selection *selection)
{
	const struct contents *contents = selection->contents;

	document_format(document, BLOCK_TITLE, "What is in %s", contents->path);
	if (!selection->sum_count)
		document_add(document, BLOCK_PARAGRAPH,
			     contents->count ? "No device code for this architecture."
					     : "No device code.");
	else
		add_sums(document, selection);
	for (size_t i = 0; i < ARRAY_COUNT(kind_remarks); i++)
		if (has_kind(selection, kind_remarks[i].kind))
			document_add(document, BLOCK_PARAGRAPH, kind_remarks[i].text);
}

static void add_troubles(struct document *document, const struct selection *selection)
{
	const struct contents *contents = selection->contents;
	size_t shown = 0;

	if (!contents->trouble_count)
		return;
	document_format(document, BLOCK_PARAGRAPH,
			"%zu image%s could not be read:", contents->trouble_count,
			plural(contents->trouble_count));
	for (size_t i = 0; i < contents->count && shown < TROUBLES_SHOWN; i++)
		if (contents->images[i].trouble) {
			document_format(document, BLOCK_ITEM, "image %zu: %s", i + 1,
					contents->images[i].trouble);
			shown++;
		}
	if (contents->trouble_count > shown)
		document_format(document, BLOCK_ITEM, "and %zu more, which --format csv lists",
				contents->trouble_count - shown);
}

/* ---- kernels ---- */

void kernel_short_name(const char *name, struct text *ret_text)
{
	size_t length;

	if (!strncmp(name, NO_RESULT, strlen(NO_RESULT)))
		name += strlen(NO_RESULT);
	length = strlen(name);
	if (length > NAME_BYTES_SHOWN) {
		length = NAME_BYTES_SHOWN;
		/* Not in the middle of a character. */
		while (length && ((unsigned char)name[length] & 0xc0) == 0x80)
			length--;
	}
	text_add_bytes(ret_text, name, length);
	if (name[length])
		text_add(ret_text, "...");
}

/* Columns of zeros would take room from names. */
struct shown {
	bool has_stack;
	bool has_device;
};

static struct shown what_is_shown(const struct inspection *inspection)
{
	const struct selection *selection = inspection->selection;
	struct shown shown = { 0 };
	int64_t bytes;

	for (size_t i = 0; i < selection->kernel_count; i++) {
		const struct picked_kernel *picked = &selection->kernels[i];

		shown.has_stack = shown.has_stack ||
				  picked->kernel->stack_bytes > picked->kernel->local_bytes;
		shown.has_device = shown.has_device ||
				   inspect_cost_piece(inspection->cost, picked->image_number,
						      picked->kernel, &bytes);
	}
	return shown;
}

static void add_kernel(struct document *document, const struct inspection *inspection,
		       const struct picked_kernel *picked, struct shown shown)
{
	const struct cubin_kernel *kernel = picked->kernel;
	struct text name = { 0 };
	int64_t device_bytes;

	cell_architecture(document, IMAGE_CUBIN, picked->image->is_unlinked,
			  picked->image->architecture);
	document_cell_format(document, "%" PRIu64, kernel->text_bytes);
	if (shown.has_device &&
	    inspect_cost_piece(inspection->cost, picked->image_number, kernel, &device_bytes))
		document_cell_format(document, "%" PRId64, device_bytes);
	else if (shown.has_device)
		document_cell(document, "-");
	document_cell_format(document, "%" PRIu64, kernel->instructions);
	document_cell_format(document, "%" PRIu32, kernel->register_count);
	document_cell_format(document, "%" PRIu64, kernel->local_bytes);
	if (shown.has_stack)
		document_cell_format(document, "%" PRIu64, kernel->stack_bytes);
	document_cell_format(document, "%" PRIu64, kernel->shared_bytes);
	document_cell_format(document, "%" PRIu64, kernel->constant_bytes);
	kernel_short_name(picked->name, &name);
	document_cell_text(document, &name);
}

static void add_heading(struct document *document, struct shown shown)
{
	const struct {
		const char *text;
		bool is_shown;
	} headings[] = {
		{ "", true },
		{ "Code", true },
		{ "On device", shown.has_device },
		{ "Instr.", true },
		{ "Regs", true },
		{ "Frame", true },
		{ "Stack", shown.has_stack },
		{ "Shared", true },
		{ "Const.", true },
		{ "Kernel", true },
	};
	/* The kernel is the last of so many. */
	static const char *const aligns[] = { "lrrrrrrl", "lrrrrrrrl", "lrrrrrrrrl" };
	size_t more = (size_t)shown.has_device + (size_t)shown.has_stack;

	document_table(document, ARRAY_COUNT(headings) - 2 + more, aligns[more]);
	for (size_t i = 0; i < ARRAY_COUNT(headings); i++)
		if (headings[i].is_shown)
			document_cell(document, headings[i].text);
}

/* Frames of calls that the stack does not have: those of functions that call themselves. */
static void add_recursion(struct document *document, const struct selection *selection)
{
	size_t count = 0;

	for (size_t i = 0; i < selection->match_count; i++) {
		const struct cubin_kernel *kernel = selection->kernels[i].kernel;

		count += kernel->call_bytes > kernel->stack_bytes - kernel->local_bytes;
	}
	if (count)
		document_format(
			document, BLOCK_PARAGRAPH,
			"%zu kernel%s functions that call themselves. What stack that takes is "
			"for the program to know, which sets the limit.",
			count, count == 1 ? " calls" : "s call");
}

static void add_kernels(struct document *document, const struct inspection *inspection)
{
	const struct selection *selection = inspection->selection;
	struct shown shown = what_is_shown(inspection);

	document_add(document, BLOCK_SECTION, "Kernels, the largest first");
	add_heading(document, shown);
	for (size_t i = 0; i < selection->kernel_count; i++)
		add_kernel(document, inspection, &selection->kernels[i], shown);
	if (selection->kernel_count < selection->match_count)
		document_format(document, BLOCK_PARAGRAPH,
				"The %zu largest of %zu; --top 0 lists all.",
				selection->kernel_count, selection->match_count);
	document_format(document, BLOCK_PARAGRAPH,
			"Code in bytes%s; instructions, and registers of a thread; bytes of a "
			"thread's stack frame%s; static shared memory of a block; constants of "
			"the kernel, its parameters among them.",
			shown.has_device ? ", and what each takes alone on the device of the run"
					 : "",
			shown.has_stack ? ", and with those of functions that it calls" : "");
}

int inspect_render(const struct inspection *inspection, enum document_format format,
		   char **ret_text, struct err *reterr)
{
	const struct selection *selection = inspection->selection;
	struct document document = { 0 };
	int r;

	add_images(&document, selection);
	add_troubles(&document, selection);
	if (selection->kernel_count)
		add_kernels(&document, inspection);
	else if (selection->wish->pattern)
		document_add(&document, BLOCK_PARAGRAPH, "No kernel has such a name.");
	add_recursion(&document, selection);
	if (inspection->cost)
		inspect_cost_add(inspection->cost, &document);
	r = document_render(&document, format, ret_text, reterr);
	document_free(&document);
	return r;
}

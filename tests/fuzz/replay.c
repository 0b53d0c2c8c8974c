/* SPDX-License-Identifier: MIT */
/* replay FILE...: the target on each of these inputs, for builds without a fuzzer. */
#include "tests/fuzz/fuzz.h"

static void replay(const char *path)
{
	FILE *file = fopen(path, "re");
	struct stat status;
	uint8_t *bytes;
	size_t size;

	FUZZ_DEMAND(file && !fstat(fileno(file), &status));
	size = (size_t)status.st_size;
	/* As large as the input and no larger, so that whoever reads on is found out. */
	bytes = malloc(size ? size : 1);
	FUZZ_DEMAND(bytes && fread(bytes, 1, size, file) == size);
	fclose(file);
	LLVMFuzzerTestOneInput(bytes, size);
	free(bytes);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		/* It is the last line where the next input ends the process. */
		fprintf(stderr, "%s\n", argv[i]);
		replay(argv[i]);
	}
	printf("%d inputs\n", argc - 1);
	return argc > 1 ? 0 : 77;
}

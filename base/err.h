/* SPDX-License-Identifier: MIT */
/*
 * Our own failures: a negative errno as the return value and one line of text for the user.
 *
 * The errno says whose fault it is, and cli/ turns it into an exit code:
 *   -EINVAL  the request makes no sense (exit 2)
 *   -ENODEV  no usable device or driver (exit 3)
 *   -EINTR   the user does not want to wait (exit 130)
 *   other    a file cannot be read or written (exit 4)
 *
 * `reterr` is always the last parameter and may be NULL. The text names the file, option or call at
 * fault and what to do about it. It is one line without control characters, whatever a file name
 * holds; what does not fit ends in "...". The arguments may contain the old text of `reterr`.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

struct err {
	char text[512];
};

/* Fills reterr and returns -error, so that a function can end in `return err_set(...)`. */
int err_set(struct err *reterr, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with ": " and the system's words for `error` appended. */
int err_errno(struct err *reterr, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif

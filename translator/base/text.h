/* SPDX-License-Identifier: MIT */
/* text.h - a growing text buffer on the heap. */
#ifndef MESI_BASE_TEXT_H
#define MESI_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

struct text {
  char *data;    /* zero-terminated once anything was added; owned */
  size_t length; /* bytes without the terminator */
  size_t capacity;
};

void text_finish(struct text *); /* frees; a zeroed struct text is a valid empty one */
void text_add(struct text *, const char *string);
void text_add_bytes(struct text *, const char *bytes, size_t length);
void text_format(struct text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vformat(struct text *, const char *format, va_list);
/* Bytes of the UTF-8 character at the start of `string`; 0: there is none, or one that XML cannot
 * represent. */
unsigned text_character(const char *string);
/* Adds the string; anything but such characters becomes U+FFFD. */
void text_add_clean(struct text *, const char *string);
const char *text_string(const struct text *); /* never NULL */

#endif

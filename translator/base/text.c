/* SPDX-License-Identifier: MIT */
/* text.c - a growing text buffer on the heap. */
#include "translator/base/text.h"

#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/arena.h"

static void reserve(struct text *text, size_t more)
{
  if (text->length + more + 1 <= text->capacity) return;
  size_t capacity = text->capacity ? text->capacity * 2 : 256;
  while (capacity < text->length + more + 1) capacity *= 2;
  char *data = realloc(text->data, capacity);
  if (!data) arena_exhausted();
  text->data = data;
  text->capacity = capacity;
}

void text_finish(struct text *text)
{
  free(text->data);
  *text = (struct text){0};
}

void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
  reserve(text, length);
  if (length) memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void text_add(struct text *text, const char *string)
{
  text_add_bytes(text, string, strlen(string));
}

void text_vformat(struct text *text, const char *format, va_list arguments)
{
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  reserve(text, (size_t)length);
  vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
  text->length += (size_t)length;
}

void text_format(struct text *text, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  text_vformat(text, format, arguments);
  va_end(arguments);
}

const char *text_string(const struct text *text) { return text->data ? text->data : ""; }

unsigned text_character(const char *string)
{
  const unsigned char *text = (const unsigned char *)string;
  static const struct {
    unsigned char first, mask;
    unsigned bytes;
    unsigned long least;
  } forms[] = {{0xc0, 0xe0, 2, 0x80}, {0xe0, 0xf0, 3, 0x800}, {0xf0, 0xf8, 4, 0x10000}};
  if (*text < 0x80) return *text >= ' ' || *text == '\t' ? 1 : 0;
  for (unsigned i = 0; i < 3; i++) {
    if ((text[0] & forms[i].mask) != forms[i].first) continue;
    unsigned long code = text[0] & (unsigned char)~forms[i].mask;
    for (unsigned k = 1; k < forms[i].bytes; k++) {
      if ((text[k] & 0xc0) != 0x80) return 0;
      code = code << 6 | (text[k] & 0x3fu);
    }
    bool wrong = code < forms[i].least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ||
                 code == 0xfffe || code == 0xffff;
    return wrong ? 0 : forms[i].bytes;
  }
  return 0;
}

void text_add_clean(struct text *text, const char *string)
{
  while (*string) {
    unsigned bytes = text_character(string);
    if (bytes)
      text_add_bytes(text, string, bytes);
    else
      text_add(text, "\xef\xbf\xbd");
    string += bytes ? bytes : 1;
  }
}

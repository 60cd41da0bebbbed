/* SPDX-License-Identifier: MIT */
/* sample.h - a folder with a sample.json as a program. */
#ifndef MESI_DRIVER_SAMPLE_H
#define MESI_DRIVER_SAMPLE_H

#include <stdbool.h>

#include "translator/driver/option_reader.h"

bool sample_is(struct arena *, const char *folder);
/* Appends the folder's options and sources (for translation only the files to translate) to `ret`,
 * and its arguments to the program's where it has none. 0, or -1 after a diagnostic. */
int sample_words(struct reader *, const char *folder, struct string_list *ret);

#endif

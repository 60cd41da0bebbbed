/* SPDX-License-Identifier: MIT */
/* page.h - the frame of the HTML pages that mesicc writes: one file without anything from
 * elsewhere, well-formed as XML, that reads well without its script. */
#ifndef MESI_DRIVER_PAGE_H
#define MESI_DRIVER_PAGE_H

#include "translator/base/text.h"

/* Up to <body>; `style` is CSS more than that of all pages. */
void page_begin(struct text *out, const char *title, const char *style);
/* A script that puts a field in front of the element with the id `list`, and shows what of its <li>
 * have the words in it. */
void page_add_search(struct text *out, const char *list);
void page_end(struct text *out);

#endif

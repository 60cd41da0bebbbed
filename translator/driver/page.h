/* SPDX-License-Identifier: MIT */
/* page.h - the frame of the HTML pages that mesicc writes: one file without external parts,
 * well-formed as XML, that reads well without its script. */
#ifndef MESI_DRIVER_PAGE_H
#define MESI_DRIVER_PAGE_H

#include "translator/base/text.h"

/* Writes everything up to <body>; `style` is CSS beside that of all pages. */
void page_begin(struct text *out, const char *title, const char *style);
/* Adds a script that puts a search field before the element with the id `list`, and shows only its
 * <li> elements with the words in them. */
void page_add_search(struct text *out, const char *list);
void page_end(struct text *out);

#endif

/* SPDX-License-Identifier: MIT */
/* explain_page.h - the parts of the page of --explain=html.
 *
 *     explain_html.c       the page: index, variables, the whole source and the emitted text
 *     explain_kernel.c     a kernel: plans as bars, decisions
 *     explain_arrays.c     its arrays, a card each
 *     explain_picture.c    an array's grid, block, tile and halo as SVG
 *     explain_code.c       source and emitted text side by side
 *
 * A kernel's arrays have a radio button each. It highlights, by CSS alone, the lines of class aN
 * for the N-th array, and shows only the card of class cN.
 */
#ifndef MESI_DRIVER_EXPLAIN_PAGE_H
#define MESI_DRIVER_EXPLAIN_PAGE_H

#include "translator/driver/explain_words.h"

struct page_kernel { /* a kernel on its page */
  const struct explained_program *program;
  const struct explained_kernel *kernel;
  unsigned number; /* from 1 */
};

/* ---- explain_html.c ---- */
const char *page_kernel_name(const struct explained_kernel *);
const char *page_kernel_shape(const struct explained_program *, const struct explained_kernel *);
/* file:line; for a line of the main file a link to it on the page */
void page_place(const struct explained_program *, const struct ir_place *, struct text *);

/* ---- explain_kernel.c ---- */
void page_add_kernel(const struct page_kernel *, struct text *);
/* "tiles: 16 iterations at a time" and the reason, as an element of a list */
void page_add_decision(const struct explained_program *, const struct decision *, bool with_array,
                       struct text *);

/* ---- explain_arrays.c ---- */
void page_add_array_buttons(const struct page_kernel *, struct text *);
void page_add_array_cards(const struct page_kernel *, struct text *);
/* CSS for kernels with up to so many arrays */
void page_add_array_style(unsigned arrays, struct text *);

/* ---- explain_picture.c ---- */
void page_add_picture(const struct page_kernel *, unsigned array, struct text *);

/* ---- explain_code.c ---- */
void page_add_kernel_code(const struct page_kernel *, struct text *);
void page_add_whole_code(const struct explained_program *, struct text *);

#endif

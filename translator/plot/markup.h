/* SPDX-License-Identifier: MIT */
/* markup.h - text for HTML and SVG, well-formed as XML: escaped words, elements, SVG's forms.
 *
 * The room makes pictures: this file, scales with their ticks (scale.h), charts (chart.h). Numbers
 * are printed in the C locale, which the process never leaves. Everything is appended to a struct
 * text, which the caller owns.
 */
#ifndef MESI_PLOT_MARKUP_H
#define MESI_PLOT_MARKUP_H

#include "translator/base/text.h"

/* Escaped, and without bytes that are no UTF-8 or that XML has no form for. */
void markup_escape(struct text *, const char *string);
/* <tag attributes>escaped</tag>; `tag` may have attributes behind it */
void markup_element(struct text *, const char *tag, const char *string);

enum markup_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

/* In user units; `class` is the element's. */
void markup_rect(struct text *, const char *class, double x, double y, double width, double height);
void markup_line(struct text *, const char *class, double x1, double y1, double x2, double y2);
void markup_text(struct text *, const char *class, enum markup_anchor, double x, double y,
                 const char *string);
/* At most what the string is wide in a sans-serif font of `size`. */
double markup_width(const char *string, double size);

#endif

/* SPDX-License-Identifier: MIT */
/* markup.c - text for HTML and SVG. */
#include "translator/plot/markup.h"

#include <string.h>

void markup_escape(struct text *out, const char *string)
{
  struct text clean = {0};
  text_add_clean(&clean, string);
  for (const char *at = text_string(&clean); *at; at++) {
    const char *as = *at == '&'    ? "&amp;"
                     : *at == '<'  ? "&lt;"
                     : *at == '>'  ? "&gt;"
                     : *at == '"'  ? "&quot;"
                     : *at == '\'' ? "&#39;"
                                   : NULL;
    if (as)
      text_add(out, as);
    else
      text_add_bytes(out, at, 1);
  }
  text_finish(&clean);
}

void markup_element(struct text *out, const char *tag, const char *string)
{
  text_format(out, "<%s>", tag);
  markup_escape(out, string);
  text_format(out, "</%.*s>", (int)strcspn(tag, " "), tag);
}

void markup_rect(struct text *out, const char *class, double x, double y, double width,
                 double height)
{
  text_format(out, "<rect class=\"%s\" x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\"/>\n",
              class, x, y, width, height);
}

void markup_line(struct text *out, const char *class, double x1, double y1, double x2, double y2)
{
  text_format(out, "<line class=\"%s\" x1=\"%.5g\" y1=\"%.5g\" x2=\"%.5g\" y2=\"%.5g\"/>\n", class,
              x1, y1, x2, y2);
}

void markup_text(struct text *out, const char *class, enum markup_anchor anchor, double x, double y,
                 const char *string)
{
  static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  text_format(out, "<text class=\"%s\" x=\"%.5g\" y=\"%.5g\"%s>", class, x, y, anchors[anchor]);
  markup_escape(out, string);
  text_add(out, "</text>\n");
}

/* Widths of DejaVu Sans and Verdana, the widest of the usual fonts, in hundredths of the size. */
static unsigned hundredths(const char *at)
{
  if (strchr("iljI|.,:;!'", *at)) return 38;
  if (strchr("ft()[]/- r", *at)) return 44;
  if (strchr("mwMW%@", *at)) return 98;
  if (*at >= 'A' && *at <= 'Z') return 72;
  return 64;
}

double markup_width(const char *string, double size)
{
  double sum = 0;
  while (*string) {
    unsigned bytes = text_character(string);
    sum += bytes > 1 ? 100 : hundredths(string);
    string += bytes ? bytes : 1;
  }
  return sum * size / 100;
}

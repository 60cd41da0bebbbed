/* SPDX-License-Identifier: MIT */
/* explain_html.h - the explanation as one HTML page. */
#ifndef MESI_DRIVER_EXPLAIN_HTML_H
#define MESI_DRIVER_EXPLAIN_HTML_H

#include "translator/driver/explain_words.h"

void explain_html(const struct explained_program *, struct text *out);

#endif

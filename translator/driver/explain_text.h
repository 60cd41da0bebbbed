/* SPDX-License-Identifier: MIT */
/* explain_text.h - the explanation as text. */
#ifndef MESI_DRIVER_EXPLAIN_TEXT_H
#define MESI_DRIVER_EXPLAIN_TEXT_H

#include "translator/driver/explain_words.h"

void explain_text(const struct explained_program *, struct text *out);

#endif

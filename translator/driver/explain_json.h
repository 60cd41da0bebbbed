/* SPDX-License-Identifier: MIT */
/* explain_json.h - the explanation as JSON. */
#ifndef MESI_DRIVER_EXPLAIN_JSON_H
#define MESI_DRIVER_EXPLAIN_JSON_H

#include "translator/driver/explain_words.h"

enum { EXPLAIN_JSON_VERSION = 1 };

/* False: memory is exhausted. */
bool explain_json(const struct explained_program *, struct text *out);

#endif

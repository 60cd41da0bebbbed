/* SPDX-License-Identifier: MIT */
/* source_unit.h - the frontend on a source text: the unit of a test. */
#ifndef MESI_TEST_SOURCE_UNIT_H
#define MESI_TEST_SOURCE_UNIT_H

#include "translator/base/diag.h"
#include "translator/ir/unit.h"

/* Parses `source` as a main file; a cmocka failure where that does not succeed. The unit lives in
 * `arena`. The headers are found below the environment's MESI_SOURCE_ROOT, "." without it; those of
 * testsuite/unit by their names. */
struct unit *source_unit(struct arena *arena, struct diag *diag, const char *source);

#endif

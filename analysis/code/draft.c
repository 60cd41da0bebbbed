/* SPDX-License-Identifier: MIT */
/* draft.c - what all transformations do with a draft. */
#include "analysis/code/draft.h"

void draft_own_body(struct draft *draft)
{
  code_drop_scan(&draft->code);
  ir_own_body(draft->code.arena, draft->code.facts.kernel);
}

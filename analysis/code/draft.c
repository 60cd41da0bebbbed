/* SPDX-License-Identifier: MIT */
/* draft.c - operations that all transformations apply to a draft. A changed body gets nodes of its
 * own. */
#include "analysis/code/draft.h"

void draft_own_body(struct draft *draft)
{
  code_drop_scan(&draft->code);
  ir_own_body(draft->code.arena, draft->code.facts.kernel);
}

/* SPDX-License-Identifier: MIT */
/* scalar_replace.c - scalar replacement of aggregates: a local that is a record gives way to locals
 * of its members' types.
 *
 *     float3 sum = {0, 0, 0};                float sum_x = 0, sum_y = 0, sum_z = 0;
 *     for (int j = 0; j < n; j++) {          for (int j = 0; j < n; j++) {
 *       sum.x += p[j].x;              =>       sum_x += p[j].x;
 *       sum.y += p[j].y * m;                   sum_y += p[j].y * m;
 *     }                                      }
 *     out[i] = sum;                          out[i] = make_float3(sum_x, sum_y, sum_z);
 *
 * The other rows handle sums, tiles and several elements per thread for scalars alone. Requires: a
 * trivial record, no union. The kernel uses only its members of number and pointer type, and as a
 * whole it only assigns, copies and stores it. Produces: the places in draft->formed. Costs:
 * nothing, since nvcc does the same; the code is printed only where another row takes the kernel. A
 * record that is loaded and only read stays: its load is one request.
 * Gives up without a remark: nothing is lost.
 */
#include "analysis/transform/scalar_replace/scalar_replace.h"

#include <string.h>

struct scalar_record *scalar_record_of_var(struct scalar_replacing *s, const struct ir_var *var)
{
  bool own = var->kind == IR_VAR_LOCAL && var->id < s->var_count;
  struct scalar_record *record = own ? &s->records[var->id] : NULL;
  return record && record->type ? record : NULL;
}

struct scalar_record *scalar_record_of(struct scalar_replacing *s, struct ir_expr *expr)
{
  const struct ir_expr *bare = ir_strip(expr);
  return bare->kind == IR_EXPR_VAR ? scalar_record_of_var(s, bare->var) : NULL;
}

bool scalar_makes(const struct scalar_type *type, const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_CALL && type->is_vector && expr->text &&
         !strncmp(expr->text, "make_", 5) && !strcmp(expr->text + 5, type->type->spelling) &&
         expr->operand_count == type->count;
}

bool plan_scalar_replace(struct draft *draft)
{
  struct ir_function *kernel = draft->code.facts.kernel;
  struct scalar_replacing *s = ARENA_NEW(draft->code.arena, struct scalar_replacing);

  *s = (struct scalar_replacing){
      .draft = draft, .code = &draft->code, .var_count = kernel->var_count};
  s->records = arena_alloc(s->code->arena, (s->var_count + 1) * sizeof *s->records);
  memset(s->records, 0, (s->var_count + 1) * sizeof *s->records);
  scalar_find(s, kernel->body);
  struct ir_stmt *body = scalar_build(s, kernel->body);
  if (!s->replaced) return false;
  code_drop_scan(&draft->code);
  kernel->body = body;
  draft_own_body(draft);
  return true;
}

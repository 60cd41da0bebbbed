/* SPDX-License-Identifier: MIT */
/* members.c - members of records that a kernel leaves unchanged.
 *
 *     dx = p[j].x - x;  ...  p[i].vx += dt * fx;       p[].x stays the same, p[].vx does not
 *
 * Elements of one array lie at multiples of its record's size, so members at different places of
 * the record never meet, whatever the indices are. Requires: a scan. Gives up: elements that are
 * used as a whole, bit-fields, atomic operations, arrays that are handed on or that another name
 * may reach; members that are arrays, but at constant places in them: another index may lead to a
 * neighbour.
 */
#include "analysis/code/members.h"

#include "runtime/seeded.h"

struct range { /* bytes of an element: from offset on, `size` of them */
  int64_t offset, size;
};

struct member_search {
  const struct ir_expr *element;
  const struct ir_expr *member; /* of that element; NULL: none */
};

static void note_member(struct ir_expr *expr, void *context)
{
  struct member_search *s = context;

  if (expr->kind == IR_EXPR_MEMBER && ir_strip(expr->operands[0]) == s->element) s->member = expr;
}

struct inside_search {
  const struct ir_expr *array; /* a member that is an array */
  const struct ir_expr *item;  /* its element that is used; NULL: it is used as a whole */
};

static void note_item(struct ir_expr *expr, void *context)
{
  struct inside_search *s = context;

  if (expr->kind == IR_EXPR_INDEX && ir_strip(expr->operands[0]) == s->array) s->item = expr;
}

/* Does the use of the member stay within its own bytes? */
static bool is_inside(const struct code *code, const struct ir_expr *member)
{
  const struct ir_expr *used = member;

  while (used->type->kind == IR_TYPE_ARRAY) {
    struct inside_search s = {used, NULL};
    int64_t index;
    ir_visit_stmt_exprs(code->facts.kernel->body, note_item, &s);
    if (!s.item || !ir_constant(s.item->operands[1], &index) || index < 0 ||
        index >= used->type->extent)
      return false;
    used = s.item;
  }
  return true;
}

/* The bytes of its element that the access is to. */
static bool range_of(const struct code *code, const struct access *access, struct range *ret)
{
  struct member_search s = {access->expr, NULL};

  if (!access->partial) return false;
  ir_visit_stmt_exprs(code->facts.kernel->body, note_member, &s);
  if (!s.member || s.member->bit_size || s.member->field_offset < 0 || s.member->type->size < 1)
    return false;
  if (!is_inside(code, s.member) && !SEEDED(MEMBERS_REACH_OUT)) return false;
  *ret = (struct range){s.member->field_offset, s.member->type->size};
  return true;
}

static bool apart(struct range a, struct range b)
{
  return a.offset + a.size <= b.offset || b.offset + b.size <= a.offset;
}

bool members_load_kept(const struct code *code, const struct code_access *load)
{
  const struct array *array = load->array;
  struct range own, other;

  if (code_read_only(code, array)) return true;
  if (array->reject || code_written_elsewhere(code, array) || !range_of(code, load->access, &own))
    return false;
  for (unsigned i = 0; i < code->access.atomics.count; i++) {
    const struct ir_var *var = code->access.atomics.items[i].var;
    if (!var || var == array->var) return false;
  }
  for (unsigned i = 0; i < array->accesses.count; i++) {
    const struct access *access = &array->accesses.items[i];
    if (!access->write) continue;
    if (!range_of(code, access, &other) || (!apart(own, other) && !SEEDED(MEMBERS_MEET)))
      return false;
  }
  return true;
}

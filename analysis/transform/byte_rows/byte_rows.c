/* SPDX-License-Identifier: MIT */
/* byte_rows.c - rows that lie a number of bytes apart become rows of elements.
 *
 *     const float *row = (const float *)((const char *)in + y * pitch);
 *     sum += row[x];
 *   =>
 *     const float *row = in + y * (pitch / 4);                        pitch % 4 == 0
 *     sum += row[x];
 *
 * cudaMallocPitch gives such rows, and libraries of images use them. The walk follows a pointer as
 * long as it counts in elements. Requires: the pointer to bytes is made of a pointer to the same
 * elements. Bytes are added that are a whole number of elements: constants, products with a
 * constant, and with a parameter of which the launch is asked whether it is one. No 32 bits may
 * wrap around: unsigned sums and products have 64.
 * Produces: the places in draft->formed. Gives up without a remark: other bytes are added.
 */
#include <string.h>

#include "analysis/transform/byte_rows/byte_rows.h"

#include "analysis/code/renew.h"
#include "runtime/seeded.h"

enum {
  MOST_ASKED = 4,  /* of one pointer */
  MOST_DEPTH = 16, /* of operands */
};

struct rows {
  struct code *code;
  struct ir_rewriter *rewriter; /* of the operands that stay; NULL: they stay as they are */
  int64_t size;                 /* of an element, in bytes */
  struct ir_expr *asked[MOST_ASKED];
  unsigned count, depth;
};

static struct ir_expr *part(struct rows *r, struct ir_expr *expr)
{
  return r->rewriter ? ir_rewrite_expr(r->rewriter, expr) : expr;
}

/* ---- a number of bytes as one of elements ---- */

static struct ir_expr *elements(struct rows *r, struct ir_expr *bytes);

static bool ask(struct rows *r, struct ir_expr *condition)
{
  for (unsigned i = 0; i < r->count; i++)
    if (ir_same_expr(r->asked[i], condition)) return true;
  if (r->count == MOST_ASKED) return false;
  r->asked[r->count++] = condition;
  return true;
}

/* Of a number that all launches know, or that this one is asked about. */
static struct ir_expr *of_number(struct rows *r, struct ir_expr *bytes)
{
  struct arena *arena = r->code->arena;
  int64_t value;

  if (code_constant(r->code, bytes, &value))
    return value % r->size
               ? NULL
               : ir_build_cast(arena, bytes->type, ir_build_int(arena, value / r->size));
  if (bytes->kind != IR_EXPR_VAR || !code_is_launch_number(bytes)) return NULL;
  struct ir_expr *rest = ir_build_binary(arena, IR_OP_REM, bytes, ir_build_int(arena, r->size));
  if (!SEEDED(BYTE_ROWS_UNASKED) &&
      !ask(r, ir_build_binary(arena, IR_OP_EQ, rest, ir_build_int(arena, 0))))
    return NULL;
  return ir_build_binary(arena, IR_OP_DIV, bytes, ir_build_int(arena, r->size));
}

static struct ir_expr *of_product(struct rows *r, struct ir_expr *bytes)
{
  struct arena *arena = r->code->arena;
  struct ir_expr *left = bytes->operands[0], *right = bytes->operands[1], *whole;
  unsigned before = r->count;

  whole = elements(r, right);
  if (whole) return ir_build_binary(arena, IR_OP_MUL, part(r, left), whole);
  r->count = before;
  whole = elements(r, left);
  return whole ? ir_build_binary(arena, IR_OP_MUL, whole, part(r, right)) : NULL;
}

static struct ir_expr *of_sum(struct rows *r, struct ir_expr *bytes)
{
  struct ir_expr *left = elements(r, bytes->operands[0]),
                 *right = left ? elements(r, bytes->operands[1]) : NULL;

  return right ? ir_build_binary(r->code->arena, bytes->op, left, right) : NULL;
}

static struct ir_expr *find_elements(struct rows *r, struct ir_expr *bytes)
{
  struct ir_expr *whole = of_number(r, bytes);

  if (whole) return whole;
  switch (bytes->kind) {
  case IR_EXPR_PAREN: return elements(r, bytes->operands[0]);
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
    if (bytes->operands[0]->type->kind != IR_TYPE_INT ||
        bytes->operands[0]->type->size > bytes->type->size)
      return NULL;
    whole = elements(r, bytes->operands[0]);
    return whole ? ir_build_cast(r->code->arena, bytes->type, whole) : NULL;
  case IR_EXPR_BINARY:
    if (!bytes->type->is_signed && bytes->type->size < 8) return NULL;
    if (bytes->op == IR_OP_MUL) return of_product(r, bytes);
    return bytes->op == IR_OP_ADD || bytes->op == IR_OP_SUB ? of_sum(r, bytes) : NULL;
  default: return NULL;
  }
}

static struct ir_expr *elements(struct rows *r, struct ir_expr *bytes)
{
  if (!bytes->type || bytes->type->kind != IR_TYPE_INT) return NULL;
  if (r->size == 1) return part(r, bytes);
  if (++r->depth > MOST_DEPTH) return NULL;
  struct ir_expr *found = find_elements(r, bytes);
  r->depth--;
  return found;
}

/* ---- the pointer ---- */

static bool is_pointer(const struct ir_type *type)
{
  return type && type->kind == IR_TYPE_POINTER && type->element;
}

static bool is_byte_pointer(const struct ir_type *type)
{
  return is_pointer(type) && type->element->kind == IR_TYPE_INT && type->element->size == 1 &&
         !type->element->is_volatile;
}

static const char *plain_name(const struct ir_type *type)
{
  return strncmp(type->spelling, "const ", 6) ? type->spelling : type->spelling + 6;
}

/* Does the pointer lead to such elements, which `to` may also change if it may? */
static bool is_same_pointer(const struct ir_type *from, const struct ir_type *to)
{
  return is_pointer(from) && is_pointer(to) && from->element->kind == to->element->kind &&
         from->element->size == to->element->size && !from->element->is_volatile &&
         !to->element->is_volatile && (to->element->is_const || !from->element->is_const) &&
         !strcmp(plain_name(from->element), plain_name(to->element));
}

/* The pointer to bytes as one to elements of the type `to`. */
static struct ir_expr *of_pointer(struct rows *r, struct ir_expr *expr, const struct ir_type *to)
{
  while (expr->kind == IR_EXPR_PAREN ||
         (expr->kind == IR_EXPR_CONVERT && is_byte_pointer(expr->operands[0]->type)))
    expr = expr->operands[0];
  if (!is_byte_pointer(expr->type)) return NULL;
  if (expr->kind == IR_EXPR_CAST && is_same_pointer(expr->operands[0]->type, to))
    return part(r, expr->operands[0]);
  if (expr->kind != IR_EXPR_BINARY || (expr->op != IR_OP_ADD && expr->op != IR_OP_SUB)) return NULL;
  bool behind = is_pointer(expr->operands[0]->type);
  if (!behind && expr->op == IR_OP_SUB) return NULL;
  struct ir_expr *base = of_pointer(r, expr->operands[!behind], to),
                 *whole = base ? elements(r, expr->operands[behind]) : NULL;
  if (!whole) return NULL;
  struct ir_expr *moved = ir_build_binary(r->code->arena, expr->op, base, whole);
  moved->type = base->type;
  return moved;
}

static bool is_stepped_pointer(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_CAST && is_pointer(expr->type) && expr->type->element->size > 0 &&
         is_byte_pointer(expr->operands[0]->type);
}

/* The elements in the place of a pointer that is made of bytes; NULL: it is none. */
static struct ir_expr *find_rows(struct rows *r, struct ir_expr *expr)
{
  if (!is_stepped_pointer(expr)) return NULL;
  r->size = expr->type->element->size;
  struct ir_expr *found = of_pointer(r, expr->operands[0], expr->type);
  if (!found || found->kind == IR_EXPR_BINARY) return found;
  return ir_same_type(found->type, expr->type) ? found : NULL;
}

/* ---- the row ---- */

struct rewriting {
  struct draft *draft;
  unsigned count;
};

static bool is_granted(const struct rows *r)
{
  for (unsigned i = 0; i < r->count; i++)
    if (!code_granted(r->code, r->asked[i])) return false;
  return true;
}

static struct ir_expr *row_of_elements(struct ir_rewriter *rewriter, struct ir_expr *expr)
{
  struct rewriting *w = rewriter->context;
  struct rows rows = {.code = &w->draft->code, .rewriter = rewriter};
  struct ir_expr *found = find_rows(&rows, expr);

  if (!found || !is_granted(&rows)) return NULL;
  found->place = expr->place;
  w->count++;
  return found;
}

bool plan_byte_rows(struct draft *draft)
{
  struct code *code = &draft->code;
  struct rewriting w = {.draft = draft};
  struct ir_rewriter rewriter = {code->arena, row_of_elements, &w};

  if (!byte_rows_may(code->facts.kernel)) return false;
  struct ir_stmt *body = ir_rewrite_stmt(&rewriter, code->facts.kernel->body);
  if (!w.count) return false;
  code_drop_scan(code);
  code->facts.kernel->body = code_renew_locals(code, body);
  *ARENA_PUSH(code->arena, &draft->formed) =
      (struct formed){code->kernel->name_place, DIAG_BYTE_ROWS_FORMED, DIAG_BYTE_ROWS_FORMED, NULL,
                      "rows that lie a number of bytes apart as rows of elements"};
  draft_own_body(draft);
  return true;
}

static void note_stepped(struct ir_expr *expr, void *context)
{
  *(bool *)context |= is_stepped_pointer(expr);
}

bool byte_rows_may(const struct ir_function *function)
{
  bool found = false;

  if (function->body) ir_visit_stmt_exprs(function->body, note_stepped, &found);
  return found;
}

struct asking {
  struct code *code;
  struct ir_expr **ret;
  unsigned count, most;
};

static void ask_of(struct ir_expr *expr, void *context)
{
  struct asking *a = context;
  struct rows rows = {.code = a->code};

  if (!find_rows(&rows, expr)) return;
  a->count = code_add_asked(a->ret, a->count, a->most, rows.asked, rows.count);
}

unsigned byte_rows_ask(struct code *code, struct ir_expr **ret, unsigned most)
{
  struct asking a = {.code = code, .ret = ret, .most = most};

  ir_visit_stmt_exprs(code->facts.kernel->body, ask_of, &a);
  return a.count;
}

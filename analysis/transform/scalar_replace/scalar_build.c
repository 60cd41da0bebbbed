/* SPDX-License-Identifier: MIT */
/* scalar_build.c - the kernel's body with locals for the members in the place of records.
 *
 *     a = make_float2(a.y, a.x);     =>      float a_x_2 = a_y, a_y_2 = a_x;
 *                                            a_x = a_x_2;
 *                                            a_y = a_y_2;
 *
 * A value that names the record itself is computed as a whole before a member changes.
 */
#include "analysis/transform/scalar_replace/scalar_replace.h"

#include "runtime/seeded.h"

/* ---- expressions ---- */

static struct ir_expr *in_place(struct scalar_replacing *s, struct ir_expr *expr);

static int field_at(const struct scalar_type *type, int64_t offset)
{
  for (unsigned k = 0; k < type->count; k++)
    if (type->fields[k].offset == offset) return (int)k;
  return -1;
}

/* make_float3(v_x, v_y, v_z) */
static struct ir_expr *whole(struct scalar_replacing *s, const struct scalar_record *record)
{
  struct arena *arena = s->code->arena;
  const struct scalar_type *type = record->type;
  struct ir_expr *call =
      ir_build_call(arena, arena_format(arena, "make_%s", type->type->spelling), IR_EFFECT_NONE);

  for (unsigned k = 0; k < type->count; k++)
    ir_add_argument(arena, call, ir_build_var(arena, record->vars[k]));
  call->type = type->type;
  return call;
}

static struct ir_expr *replace_record(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct scalar_replacing *s = r->context;
  struct scalar_record *record = NULL;

  if (expr->kind == IR_EXPR_MEMBER && !expr->is_arrow) {
    record = scalar_record_of(s, expr->operands[0]);
    if (record)
      return ir_build_var(r->arena, record->vars[field_at(record->type, expr->field_offset)]);
  }
  if (expr->kind == IR_EXPR_VAR && (record = scalar_record_of_var(s, expr->var)))
    return whole(s, record);
  return NULL;
}

static struct ir_expr *in_place(struct scalar_replacing *s, struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {s->code->arena, replace_record, s};
  return ir_rewrite_expr(&rewriter, expr);
}

/* The value of member `k`, taken from the value that the record gets. */
static struct ir_expr *member_value(struct scalar_replacing *s, const struct scalar_record *record,
                                    unsigned k, struct ir_expr *expr)
{
  struct arena *arena = s->code->arena;
  const struct scalar_field *field = &record->type->fields[k];
  struct ir_expr *value = ir_strip(expr);
  struct scalar_record *other = scalar_record_of(s, value);

  if (other) return ir_build_var(arena, other->vars[k]);
  if (value->kind == IR_EXPR_COND)
    return ir_build_cond(arena, in_place(s, value->operands[0]),
                         member_value(s, record, k, value->operands[1]),
                         member_value(s, record, k, value->operands[2]));
  bool list = value->kind == IR_EXPR_INIT_LIST || value->kind == IR_EXPR_CONSTRUCT ||
              value->kind == IR_EXPR_CALL;
  if (!list) return ir_build_member(arena, in_place(s, value), field->name, field->type);
  struct ir_expr *given =
      k < value->operand_count ? in_place(s, value->operands[k]) : ir_build_int(arena, 0);
  return ir_build_converted(arena, given, ir_plain_type(arena, field->type));
}

/* ---- statements ---- */

static void make_vars(struct scalar_replacing *s, struct scalar_record *record,
                      const struct ir_var *var)
{
  struct arena *arena = s->code->arena;

  for (unsigned k = 0; k < record->type->count; k++) {
    const struct scalar_field *field = &record->type->fields[k];
    record->vars[k] = code_local(s->code, arena_format(arena, "%s_%s", var->name, field->name),
                                 ir_plain_type(arena, field->type));
  }
  *ARENA_PUSH(arena, &s->draft->formed) =
      (struct formed){var->place, DIAG_MEMBERS_APART, DIAG_MEMBERS_APART, NULL,
                      arena_format(arena, "the members of '%s' as locals", var->name)};
  s->replaced++;
}

static void declare(struct scalar_replacing *s, struct ir_stmt *stmt, struct ir_list *out)
{
  struct scalar_record *record = scalar_record_of_var(s, stmt->var);

  for (unsigned k = 0; k < record->type->count; k++) {
    struct ir_expr *value = stmt->expr ? member_value(s, record, k, stmt->expr) : NULL;
    struct ir_stmt *decl = ir_build_decl(s->code->arena, record->vars[k], value);
    record->vars[k]->init = value;
    record->vars[k]->write_count += value != NULL;
    ir_list_add(s->code->arena, out, decl);
  }
}

static void assign(struct scalar_replacing *s, struct scalar_record *record,
                   const struct ir_expr *expr, struct ir_list *out)
{
  struct arena *arena = s->code->arena;
  const struct ir_var *var = ir_strip(expr->operands[0])->var;
  bool itself = ir_expr_has_var(expr->operands[1], var) && !SEEDED(MEMBERS_ASSIGNED_IN_TURN);
  struct ir_expr *values[SCALAR_FIELDS];

  for (unsigned k = 0; k < record->type->count; k++) {
    values[k] = member_value(s, record, k, expr->operands[1]);
    if (!itself) continue;
    struct ir_var *kept = code_local(s->code, record->vars[k]->name, record->vars[k]->type);
    kept->init = values[k];
    kept->write_count = 1;
    ir_list_add(arena, out, ir_build_decl(arena, kept, values[k]));
    values[k] = ir_build_var(arena, kept);
  }
  for (unsigned k = 0; k < record->type->count; k++) {
    struct ir_expr *target = ir_build_var(arena, record->vars[k]);
    ir_list_add(arena, out, ir_build_expr_stmt(arena, ir_build_assign(arena, target, values[k])));
  }
}

/* place = record; */
static void store(struct scalar_replacing *s, const struct scalar_record *record,
                  const struct ir_expr *expr, struct ir_list *out)
{
  struct arena *arena = s->code->arena;
  struct ir_expr *place = in_place(s, expr->operands[0]);

  if (record->type->is_vector) {
    struct ir_expr *store = ir_build_assign(arena, place, whole(s, record));
    ir_list_add(arena, out, ir_build_expr_stmt(arena, store));
    return;
  }
  for (unsigned k = 0; k < record->type->count; k++) {
    const struct scalar_field *field = &record->type->fields[k];
    struct ir_expr *target = ir_build_member(arena, place, field->name, field->type);
    struct ir_expr *value = ir_build_var(arena, record->vars[k]);
    ir_list_add(arena, out, ir_build_expr_stmt(arena, ir_build_assign(arena, target, value)));
  }
}

static struct ir_stmt *build_stmt(struct scalar_replacing *s, struct ir_stmt *stmt);

static bool declares(struct scalar_replacing *s, const struct ir_stmt *stmt)
{
  for (unsigned i = 0; i < stmt->child_count; i++)
    if (scalar_record_of_var(s, stmt->children[i]->var)) return true;
  return stmt->kind == IR_STMT_DECL && scalar_record_of_var(s, stmt->var);
}

/* Replaces a statement that becomes several. False: it is no such statement. */
static bool build_several(struct scalar_replacing *s, struct ir_stmt *stmt, struct ir_list *out)
{
  if (stmt->kind == IR_STMT_DECL && declares(s, stmt)) {
    declare(s, stmt, out);
    return true;
  }
  if (stmt->kind == IR_STMT_DECLS && declares(s, stmt)) {
    for (unsigned i = 0; i < stmt->child_count; i++)
      if (!build_several(s, stmt->children[i], out))
        ir_list_add(s->code->arena, out, build_stmt(s, stmt->children[i]));
    return true;
  }
  struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;
  if (!expr || expr->kind != IR_EXPR_ASSIGN || expr->op != IR_OP_ASSIGN) return false;
  struct scalar_record *record = scalar_record_of(s, expr->operands[0]);
  struct scalar_record *from = scalar_record_of(s, expr->operands[1]);
  if (record)
    assign(s, record, expr, out);
  else if (from)
    store(s, from, expr, out);
  return record || from;
}

static struct ir_stmt *build_list(struct scalar_replacing *s, const struct ir_stmt *block)
{
  struct arena *arena = s->code->arena;
  struct ir_list list = {0};

  for (unsigned i = 0; i < block->child_count; i++)
    if (!build_several(s, block->children[i], &list))
      ir_list_add(arena, &list, build_stmt(s, block->children[i]));
  struct ir_stmt *copy = ir_copy_stmt(arena, block);
  copy->children = list.items.items;
  copy->child_count = list.items.count;
  return copy;
}

static struct ir_stmt *build_stmt(struct scalar_replacing *s, struct ir_stmt *stmt)
{
  struct arena *arena = s->code->arena;
  struct ir_rewriter rewriter = {arena, replace_record, s};
  struct ir_list several = {0};

  if (stmt->kind == IR_STMT_BLOCK) return build_list(s, stmt);
  if (build_several(s, stmt, &several)) return ir_build_block(arena, &several);
  if (!stmt->body && !stmt->else_body && !stmt->child_count)
    return ir_rewrite_stmt(&rewriter, stmt);
  /* the statements below are built apart from the head */
  struct ir_stmt head = *stmt, **below;
  head.body = head.else_body = NULL;
  head.child_count = 0;
  struct ir_stmt *copy = ir_copy_stmt(arena, ir_rewrite_stmt(&rewriter, &head));
  copy->body = stmt->body;
  copy->else_body = stmt->else_body;
  copy->children = stmt->children;
  copy->child_count = stmt->child_count;
  copy = ir_copy_stmt(arena, copy);
  for (unsigned i = 0; (below = ir_below(copy, i)); i++)
    if (*below) *below = build_stmt(s, *below);
  return copy;
}

/* ---- the body ---- */

/* Counts writes to the new locals; their declarations are counted already. */
static void count_write(struct ir_expr *expr, void *context)
{
  const struct scalar_replacing *s = context;
  struct ir_var *var = ir_assigned_var(expr);

  if (var && var->kind == IR_VAR_LOCAL && var->id >= s->var_count) var->write_count++;
}

struct ir_stmt *scalar_build(struct scalar_replacing *s, struct ir_stmt *body)
{
  const struct ir_function *kernel = s->code->facts.kernel;

  for (unsigned i = 0; i < s->var_count; i++)
    if (s->records[i].type) make_vars(s, &s->records[i], kernel->vars[i]);
  if (!s->replaced) return body;
  body = build_stmt(s, body);
  ir_visit_stmt_exprs(body, count_write, s);
  return body;
}

/* SPDX-License-Identifier: MIT */
/* transpose.c - makes accesses that are apart for the threads of a warp accesses to neighbours,
 * through shared memory.
 *
 *     int i = y, j = x;                        int i = y, j = x;              block of 32 x 32
 *     if (i < M && j < N)                =>    if (i < M && j < N)
 *       b[j][i] = a[i][j];                       _s_b[threadIdx.x][threadIdx.y] = a[i][j];
 *                                              __syncthreads();
 *                                              if (y' < M && x' < N)
 *                                                b[x'][y'] = _s_b[threadIdx.y][threadIdx.x];
 *
 * where x' and y' have threadIdx.x and threadIdx.y exchanged.
 *
 * An access may be apart for neighbours along x and side by side for neighbours along y. Then the
 * thread across the diagonal of the block makes it: a store behind all other code, a load in front
 * of it. That thread evaluates the conditions and the address of the other once more. So these may
 * only use indices, parameters that are not assigned, and locals that keep such a value. A store's
 * array has no other access in the kernel, under any name; a load's array is not written. Each
 * access happens at most once: there is no loop around it. If most accesses are apart, the warps
 * are transposed instead, and the accesses to neighbours go through shared memory.
 *
 * Requires: a shape-free kernel in the shape of a square block (shape_virtual), so its conditions
 * no longer stand around its barriers. Gives up: no access is apart, or none of those may be
 * transposed.
 */
#include "analysis/transform/transpose/transpose.h"

#include "runtime/seeded.h"

enum { MOST_DEPTH = 16 };

#define THROUGH_COPY 4.0 /* load/store cycles of a warp that writes a copy and reads it */
#define LEAST_GAIN 1.25

struct path { /* from the kernel's body to the statement of an access */
  struct code *code;
  const struct ir_expr *access;
  struct ir_expr *conditions[MOST_DEPTH];
  unsigned depth;
  struct ir_stmt *stmt; /* NULL: not found yet */
  const char *reason;
};

/* ---- the place of the access ---- */

struct expr_search {
  const struct ir_expr *wanted;
  bool found;
};

static void note_wanted(struct ir_expr *expr, void *context)
{
  struct expr_search *s = context;
  s->found |= expr == s->wanted;
}

static bool has_expr(struct ir_stmt *stmt, const struct ir_expr *wanted)
{
  struct expr_search s = {wanted, false};

  ir_visit_stmt_exprs(stmt, note_wanted, &s);
  return s.found;
}

/* Is it evaluated whenever `expr` is? */
static bool is_always(const struct ir_expr *expr, const struct ir_expr *wanted)
{
  unsigned count = expr->operand_count;

  if (expr == wanted) return true;
  if (expr->kind == IR_EXPR_COND ||
      (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR)))
    count = 1;
  for (unsigned i = 0; i < count; i++)
    if (is_always(expr->operands[i], wanted)) return true;
  return false;
}

static void follow(struct path *p, struct ir_stmt *stmt);

static void follow_if(struct path *p, struct ir_stmt *stmt)
{
  struct ir_expr *condition = stmt->expr;

  if (is_always(stmt->expr, p->access)) {
    p->stmt = stmt;
    return;
  }
  if (p->depth == MOST_DEPTH) {
    p->reason = "the conditions around it are nested too deeply";
    return;
  }
  bool first = has_expr(stmt->body, p->access);
  if (!first && !(stmt->else_body && has_expr(stmt->else_body, p->access))) {
    p->reason = "it is accessed under a condition within an expression";
    return;
  }
  p->conditions[p->depth++] = first ? condition : ir_build_not(p->code->arena, condition);
  follow(p, first ? stmt->body : stmt->else_body);
}

static void follow(struct path *p, struct ir_stmt *stmt)
{
  switch (stmt->kind) {
  case IR_STMT_BLOCK:
  case IR_STMT_DECLS:
    for (unsigned i = 0; i < stmt->child_count && !p->stmt && !p->reason; i++)
      if (has_expr(stmt->children[i], p->access)) follow(p, stmt->children[i]);
    break;
  case IR_STMT_IF: follow_if(p, stmt); break;
  case IR_STMT_EXPR:
  case IR_STMT_DECL:
    if (is_always(stmt->expr, p->access))
      p->stmt = stmt;
    else
      p->reason = "it is accessed under a condition within an expression";
    break;
  default: p->reason = "it is accessed in a loop or a switch"; break;
  }
}

/* ---- code that another thread may evaluate ---- */

struct purity {
  struct path *path;
  unsigned depth;
};

static void note_impure(struct ir_expr *expr, void *context);

static void note_impure_var(struct purity *s, const struct ir_var *var)
{
  struct ir_expr *value = var->kind == IR_VAR_LOCAL ? code_value_of(s->path->code, var) : NULL;
  bool param = var->kind == IR_VAR_PARAM && !var->write_count && !var->address_taken &&
               var->type->kind != IR_TYPE_REFERENCE;
  bool array =
      (var->kind == IR_VAR_VS || var->kind == IR_VAR_DEVICE) && var->type->kind == IR_TYPE_ARRAY;

  if (param || array || var->has_value) return;
  if (!value || s->depth == MOST_DEPTH) {
    s->path->reason =
        "its address or a condition around it depends on more than thread indices and parameters";
    return;
  }
  s->depth++;
  ir_visit_expr(value, note_impure, s);
  s->depth--;
}

static void note_impure(struct ir_expr *expr, void *context)
{
  struct purity *s = context;
  bool pure = true;

  if (expr == s->path->access) return;
  switch (expr->kind) {
  case IR_EXPR_VAR: note_impure_var(s, expr->var); break;
  case IR_EXPR_INDEX: pure = expr->type->kind == IR_TYPE_ARRAY; break;
  case IR_EXPR_UNARY:
    pure = expr->op != IR_OP_DEREF && expr->op != IR_OP_ADDRESS && !ir_is_step(expr);
    break;
  case IR_EXPR_CALL: pure = expr->effect == IR_EFFECT_NONE; break;
  case IR_EXPR_MEMBER:
    pure =
        !expr->is_arrow && expr->operand_count && ir_strip(expr->operands[0])->kind == IR_EXPR_VAR;
    break;
  case IR_EXPR_ASSIGN:
  case IR_EXPR_CONSTRUCT:
  case IR_EXPR_INIT_LIST: pure = false; break;
  default: break;
  }
  if (!pure)
    s->path->reason =
        "its address or a condition around it depends on more than thread indices and parameters";
}

/* Sets p->reason if the path cannot be evaluated again. */
static void can_repeat(struct path *p)
{
  struct purity s = {p, 0};

  for (unsigned i = 0; i < p->depth; i++) ir_visit_expr(p->conditions[i], note_impure, &s);
  ir_visit_expr((struct ir_expr *)p->access, note_impure, &s);
}

/* ---- may it be transposed? ---- */

static bool is_store(const struct path *p)
{
  const struct ir_expr *expr = ir_strip(p->stmt->expr);

  return p->stmt->kind == IR_STMT_EXPR && expr->kind == IR_EXPR_ASSIGN &&
         expr->op == IR_OP_ASSIGN && ir_strip(expr->operands[0]) == p->access;
}

/* Has the array's memory no other access in the kernel? */
static bool is_alone(struct code *code, const struct array *array)
{
  bool alone = array->accesses.count == 1 && !array->read && !code->access.unknown_read &&
               !code_written_elsewhere(code, array);

  for (unsigned i = 0; alone && i < code->access.arrays.count; i++) {
    const struct array *other = code->access.arrays.items[i];
    alone = other == array || code_disjoint(code, array, other);
  }
  return alone;
}

static const char *why_not(struct path *p, const struct code_access *found)
{
  const struct ir_type *type = found->array->element;

  if (found->access->partial || (type->kind != IR_TYPE_INT && type->kind != IR_TYPE_FLOAT) ||
      type->is_volatile)
    return "its elements are not numbers";
  if (found->array->reject) return found->array->reject;
  follow(p, p->code->facts.kernel->body);
  if (!p->stmt && !p->reason) return "it is not accessed in every case";
  if (!p->reason && found->access->write && !is_store(p))
    return "it is read and written by one statement";
  if (!p->reason && found->access->write && !is_alone(p->code, found->array))
    return "the kernel accesses it elsewhere, or may do so through another name";
  if (!p->reason && !found->access->write && !code_read_only(p->code, found->array))
    return code_why_written(p->code, found->array);
  if (!p->reason) can_repeat(p);
  return p->reason;
}

static struct path path_of(struct code *code, const struct ir_expr *access)
{
  return (struct path){.code = code, .access = access};
}

/* ---- the choice ---- */

struct census {
  double written, left; /* cycles */
  bool unknown;         /* the cost of some accesses is not known */
};

static bool has_unknown(isl_pw_aff *form)
{
  isl_space *space = form ? isl_pw_aff_get_domain_space(form) : NULL;
  bool found = !form;

  for (int i = 0; space && i < isl_space_dim(space, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    found |= symbol->kind == SYMBOL_UNKNOWN &&
             isl_pw_aff_involves_param_id(form, symbol->id) == isl_bool_true;
  }
  isl_space_free(space);
  return found;
}

/* Is the change of the element between threads known? `pos & mask` may be a neighbour's. */
static bool is_known(const struct access *access)
{
  bool known = true;

  for (unsigned d = 0; d < access->dim_count; d++) {
    known &= !has_unknown(access->index[d].aff);
    for (unsigned t = 0; t < access->index[d].term_count; t++)
      known &= !has_unknown(access->index[d].terms[t].coefficient);
  }
  return known;
}

static bool is_apart(struct code *code, const struct access *access, int along)
{
  double there = model_request_along(&code->symbols, access, 1 - along);

  return is_known(access) &&
         model_request_along(&code->symbols, access, along) > MODEL_NEIGHBOURS &&
         there <= MODEL_NEIGHBOURS && there > MODEL_BROADCAST;
}

static void take_one(struct code *code, const struct access *access, int along,
                     struct transposes *ret, struct census *c)
{
  const struct code_access *found = code_access_of(code, access->expr);
  double request = model_request_along(&code->symbols, access, along);
  struct path path = path_of(code, access->expr);
  bool apart = is_apart(code, access, along);
  const char *reason = apart ? why_not(&path, found) : NULL;

  if (apart && !reason && ret->count < MOST_TRANSPOSES) {
    ret->items[ret->count++] = found;
    request = MODEL_NEIGHBOURS + THROUGH_COPY;
  } else if (reason && !along) {
    code_decide(code, (struct decision){.kind = DECISION_TRANSPOSE,
                                        .place = access->place,
                                        .array = found->array->var->name,
                                        .why = reason});
    code_remark(code, DIAG_NOT_TRANSPOSED, &access->place,
                "'%s' is not accessed through shared memory in '%s': %s", found->array->var->name,
                code->kernel->name, reason);
  }
  c->unknown |= !is_known(access);
  c->written += access->count * model_request_along(&code->symbols, access, 0);
  c->left += access->count * request;
}

/* Counts the cycles of all requests with the threads of a warp along x (0) or y, and picks the
 * accesses to transpose for that. */
static struct census take(struct code *code, int along, struct transposes *ret)
{
  struct census c = {0};

  for (unsigned i = 0; i < code->access.arrays.count; i++)
    for (unsigned k = 0; k < code->access.arrays.items[i]->accesses.count; k++)
      take_one(code, &code->access.arrays.items[i]->accesses.items[k], along, ret, &c);
  return c;
}

bool transpose_plan(struct code *code, struct transposes *ret)
{
  struct transposes straight = {0}, along_y = {.along_y = true};

  struct census as_is = take(code, 0, &straight), across = take(code, 1, &along_y);
  bool turn = across.left < as_is.left && !across.unknown;
  *ret = turn ? along_y : straight;
  ret->gain =
      (turn ? across.left : as_is.left) > 0 ? as_is.written / (turn ? across.left : as_is.left) : 1;
  ret->reason = ret->gain >= LEAST_GAIN ? NULL
                : across.unknown ? "it is not known which elements neighbouring threads access"
                                 : "the threads of its warps access neighbours already";
  return !ret->reason;
}

/* ---- the new code ---- */

struct exchanging {
  struct code *code;
  const struct geometry *geometry;
  const struct transposes *transposes;
  struct ir_var *copies[MOST_TRANSPOSES];
};

static struct ir_expr *turn(struct ir_rewriter *r, struct ir_expr *expr)
{
  bool index = expr->kind == IR_EXPR_BUILTIN &&
               (expr->value == IR_THREAD_IDX || expr->value == IR_THREAD_IDX + 1);
  struct ir_expr *other =
      index ? ir_build_builtin(r->arena, (enum ir_builtin)(2 * IR_THREAD_IDX + 1 - expr->value))
            : NULL;

  return other;
}

/* The expression for the thread across the diagonal: with its own indices, and locals replaced by
 * their values. */
static struct ir_expr *across(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? code_value_of(r->context, expr->var) : NULL;

  return value ? code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, value)) : turn(r, expr);
}

static struct ir_expr *cell(struct exchanging *x, unsigned i, bool other)
{
  struct arena *arena = x->code->arena;
  struct ir_expr *copy = ir_build_var(arena, x->copies[i]);

  other &= !SEEDED(TRANSPOSE_OWN_CELL);
  for (int axis = 0; axis < 2; axis++)
    copy = ir_build_index(
        arena, copy,
        ir_build_builtin(arena, (enum ir_builtin)(IR_THREAD_IDX + (other ? 1 - axis : axis))));
  return copy;
}

static struct ir_expr *replace_access(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct exchanging *x = r->context;

  for (unsigned i = 0; i < x->transposes->count; i++)
    if (x->transposes->items[i]->expr == expr) return cell(x, i, false);
  return NULL;
}

/* The conditions around the access, with only the access in them, for the thread across the
 * diagonal. */
static struct ir_stmt *part(struct exchanging *x, unsigned i)
{
  struct arena *arena = x->code->arena;
  const struct code_access *found = x->transposes->items[i];
  struct path path = path_of(x->code, found->expr);
  struct ir_rewriter rewriter = {arena, across, x->code};

  follow(&path, x->code->facts.kernel->body);
  struct ir_expr *element = ir_rewrite_expr(&rewriter, (struct ir_expr *)found->expr),
                 *copy = cell(x, i, true);
  struct ir_stmt *stmt =
      ir_build_expr_stmt(arena, found->access->write ? ir_build_assign(arena, element, copy)
                                                     : ir_build_assign(arena, copy, element));
  for (unsigned k = SEEDED(TRANSPOSE_UNGUARDED) ? 0 : path.depth; k-- > 0;)
    stmt = ir_build_if(arena, ir_rewrite_expr(&rewriter, path.conditions[k]), stmt);
  return stmt;
}

static void declare(struct exchanging *x, struct ir_list *out, uint64_t *bytes)
{
  struct arena *arena = x->code->arena;
  int64_t side = x->geometry->block[0];

  for (unsigned i = 0; i < x->transposes->count; i++) {
    const struct array *array = x->transposes->items[i]->array;
    const struct ir_type *type = ir_plain_type(arena, array->element);
    int64_t pad = type->size < 4 ? 4 / type->size : 1; /* rows end on different banks */
    *bytes += (uint64_t)(side * (side + pad) * type->size);
    type = ir_build_array_type(arena, ir_build_array_type(arena, type, side + pad), side);
    x->copies[i] = code_local(x->code, arena_format(arena, "_s_%s", array->var->name), type);
    x->copies[i]->kind = IR_VAR_SHARED;
    x->copies[i]->alignment = 16;
    ir_list_add(arena, out, ir_build_decl(arena, x->copies[i], NULL));
  }
}

static void add_parts(struct exchanging *x, bool stores, struct ir_list *out)
{
  struct arena *arena = x->code->arena;
  struct ir_list parts = {0};

  for (unsigned i = 0; i < x->transposes->count; i++)
    if (x->transposes->items[i]->access->write == stores) ir_list_add(arena, &parts, part(x, i));
  struct ir_stmt *barrier =
      ir_build_expr_stmt(arena, ir_build_call(arena, "__syncthreads", IR_EFFECT_BARRIER));
  bool needed = parts.items.count && !SEEDED(TRANSPOSE_BARRIER);
  if (needed && stores) ir_list_add(arena, out, barrier);
  for (unsigned i = 0; i < parts.items.count; i++) ir_list_add(arena, out, parts.items.items[i]);
  if (needed && !stores) ir_list_add(arena, out, barrier);
}

void transpose_build(struct code *code, const struct geometry *geometry,
                     const struct transposes *transposes, uint64_t *ret_bytes)
{
  struct exchanging x = {.code = code, .geometry = geometry, .transposes = transposes};
  struct ir_rewriter rewriter = {code->arena, replace_access, &x},
                     turning = {code->arena, turn, NULL};
  struct ir_list out = {0};

  *ret_bytes = 0;
  declare(&x, &out, ret_bytes);
  add_parts(&x, false, &out);
  ir_list_add(code->arena, &out, ir_rewrite_stmt(&rewriter, code->facts.kernel->body));
  add_parts(&x, true, &out);
  struct ir_stmt *body = ir_build_block(code->arena, &out);
  code->facts.kernel->body = transposes->along_y ? ir_rewrite_stmt(&turning, body) : body;
  code_drop_scan(code);
}

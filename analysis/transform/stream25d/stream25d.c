/* SPDX-License-Identifier: MIT */
/* stream25d.c - finds kernels whose threads may go through the layers of a grid, and the rows that
 * they carry from one layer to the next.
 *
 *     if (i > 0 && i < n - 1 && j > 0 && j < n - 1 && k > 0 && k < n - 1)
 *       b[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j][k - 1] + ...;
 *
 * A thread has 16 bytes of neighbours along x (the lanes of its vector) and goes through layers
 * along z. Of a[i - 1][j][k] to a[i + 1][j][k], a *row*, each iteration loads one layer, a coming
 * one. The others are in registers, as are the neighbours along x in the same 16 bytes.
 * stream25d_build.c makes the code. The conditions are split: those on the layer give the thread's
 * first and last layer, those on x the lanes that store, and the others decide whether the thread
 * does anything. So no thread runs other code than its neighbours, not even at the ends of short
 * rows.
 *
 * Loaded bytes are in 16 bytes, or in a layer between two layers, that some lane accesses as
 * written; so they are always inside the array.
 *
 * Requires: code in its virtual shape, with layers. Gives up: loops and branches in the body; loads
 * under ?:, && or ||; divisions of integers that lanes which do not store would make; conditions on
 * anything but indices and parameters, or on x and z at once; layers that are no interval; loads
 * from memory that the kernel writes, or of rows that do not begin at multiples of 16 bytes.
 */
#include "analysis/transform/stream25d/stream25d.h"

#include "analysis/code/vector_access.h"
#include "runtime/seeded.h"

enum { DEPENDS_X = 1, DEPENDS_Z = 2 };

static bool give_up(struct stream25d *m, const char *reason)
{
  m->reason = m->reason ? m->reason : reason;
  return false;
}

/* ---- the parts ---- */

struct parts {
  struct stream25d *m;
  LIST_OF(struct ir_expr *) conditions;
  bool acts;
};

static struct ir_expr *bare(struct ir_expr *expr)
{
  while (expr->kind == IR_EXPR_PAREN ||
         (expr->kind == IR_EXPR_CONVERT && expr->type->kind == IR_TYPE_BOOL))
    expr = expr->operands[0];
  return expr;
}

static void note_condition(struct parts *p, struct ir_expr *expr)
{
  expr = bare(expr);
  if (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_LAND) {
    note_condition(p, expr->operands[0]);
    note_condition(p, expr->operands[1]);
  } else {
    *ARENA_PUSH(p->m->code->arena, &p->conditions) = expr;
  }
}

/* Is it `x = value`, without other effects? */
static bool is_assignment(const struct ir_stmt *stmt)
{
  struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;

  return expr && expr->kind == IR_EXPR_ASSIGN && !ir_has_effects(expr->operands[1]) &&
         !ir_has_effects(ir_strip(expr->operands[0]));
}

static bool is_declaration(const struct ir_stmt *stmt)
{
  bool is = stmt->kind == IR_STMT_DECLS ||
            (stmt->kind == IR_STMT_DECL && stmt->var->type->kind != IR_TYPE_REFERENCE &&
             !stmt->var->address_taken && !(stmt->expr && ir_has_effects(stmt->expr)));

  for (unsigned i = 0; i < stmt->child_count; i++) is &= is_declaration(stmt->children[i]);
  return is;
}

/* `last`: no statement follows. */
static bool take_apart(struct parts *p, struct ir_stmt *stmt, bool last)
{
  if (stmt->kind == IR_STMT_BLOCK) {
    for (unsigned i = 0; i < stmt->child_count; i++)
      if (!take_apart(p, stmt->children[i], last && i + 1 == stmt->child_count)) return false;
    return true;
  }
  if (stmt->kind == IR_STMT_IF && !stmt->else_body && last && !p->acts) {
    note_condition(p, stmt->expr);
    return take_apart(p, stmt->body, true);
  }
  p->acts |= stmt->kind == IR_STMT_EXPR;
  if (stmt->kind != IR_STMT_NULL && !is_assignment(stmt) && !is_declaration(stmt))
    return give_up(p->m, "its body has loops, branches or calls");
  ir_list_add(p->m->code->arena, &p->m->work, stmt);
  return true;
}

static struct ir_stmt *layer_loop(const struct code *code)
{
  struct ir_stmt *body = code->facts.kernel->body;

  return body->kind == IR_STMT_BLOCK && body->child_count == 1 &&
                 body->children[0]->kind == IR_STMT_FOR
             ? body->children[0]
             : NULL;
}

/* ---- conditions ---- */

struct plain_search {
  const struct stream25d *m;
  unsigned depends;
  bool failed;
};

static void note_plain(struct ir_expr *expr, void *context)
{
  struct plain_search *s = context;
  int64_t by;

  switch (expr->kind) {
  case IR_EXPR_VAR:
    s->depends |= expr->var == s->m->loop->loop->iterator ? DEPENDS_Z : 0;
    s->failed |= expr->var != s->m->loop->loop->iterator && !expr->var->has_value &&
                 !(expr->var->kind == IR_VAR_PARAM && !expr->var->write_count &&
                   !expr->var->address_taken && expr->var->type->kind == IR_TYPE_INT);
    break;
  case IR_EXPR_BUILTIN:
    s->depends |= expr->value == IR_THREAD_IDX || expr->value == IR_BLOCK_IDX ? DEPENDS_X : 0;
    break;
  case IR_EXPR_INT:
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: break;
  case IR_EXPR_UNARY:
    s->failed |= ir_is_step(expr) || expr->op == IR_OP_DEREF || expr->op == IR_OP_ADDRESS;
    break;
  case IR_EXPR_BINARY:
    s->failed |= (expr->op == IR_OP_DIV || expr->op == IR_OP_REM) &&
                 !(ir_constant(expr->operands[1], &by) && by > 0);
    break;
  default: s->failed = true; break;
  }
}

static struct ir_expr *replace_local(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct stream25d *m = r->context;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? code_value_of(m->code, expr->var) : NULL;

  return value && expr->var != m->loop->loop->iterator
             ? code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, value))
             : NULL;
}

/* The expression with the values of locals in their places. */
static struct ir_expr *of_indices(struct stream25d *m, struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {m->code->arena, replace_local, m};
  return ir_rewrite_expr(&rewriter, expr);
}

static isl_stat note_part(isl_basic_set *part, void *user)
{
  unsigned *parts = user;

  *parts += isl_basic_set_dim(part, isl_dim_div) > 0 ? 2 : 1;
  isl_basic_set_free(part);
  return isl_stat_ok;
}

/* Are the layers for which it holds an interval? */
static bool is_interval(const struct stream25d *m, const struct ir_expr *condition)
{
  const struct kernel_access *access = &m->code->access;
  unsigned places = 0, parts = 0;

  for (unsigned i = 0; i < access->conditions.count; i++) {
    if (access->conditions.items[i].expr != condition) continue;
    isl_set *yes =
        isl_set_coalesce(isl_set_complement(isl_set_copy(access->conditions.items[i].no)));
    isl_set_foreach_basic_set(yes, note_part, &parts);
    isl_set_free(yes);
    places++;
  }
  return parts <= 1 && places == 1 && !code_exhausted(m->code);
}

static bool sort_condition(struct stream25d *m, struct ir_expr *expr)
{
  struct ir_expr *condition = of_indices(m, expr);
  struct plain_search s = {m, 0, false};

  ir_visit_expr(condition, note_plain, &s);
  if (s.failed) return give_up(m, "a condition is made of more than indices and parameters");
  if (s.depends == (DEPENDS_X | DEPENDS_Z)) return give_up(m, "a condition is on x and z at once");
  if (s.depends == DEPENDS_Z && !is_interval(m, expr))
    return give_up(m, "a condition holds for layers that are no interval");
  if (s.depends == DEPENDS_X)
    m->x_in[m->lane_count++] = condition;
  else if (s.depends == DEPENDS_Z)
    m->layers_in[m->layer_count++] = condition;
  else
    m->threads_in[m->thread_count++] = condition;
  return true;
}

static bool sort_conditions(struct stream25d *m, const struct parts *p)
{
  if (p->conditions.count > STREAM25D_CONDITIONS) return give_up(m, "it has too many conditions");
  m->code->facts.note_conditions = true;
  code_drop_scan(m->code);
  code_scan(m->code);
  bool sorted = !m->code->access.reject || give_up(m, m->code->access.reject);
  for (unsigned i = 0; sorted && i < p->conditions.count; i++)
    sorted = sort_condition(m, p->conditions.items[i]);
  m->code->facts.note_conditions = false;
  code_drop_scan(m->code);
  return sorted;
}

/* ---- loads ---- */

struct form { /* the form of a load's indices */
  const struct code_access *found;
  bool is;                    /* they are affine */
  isl_aff *rest[ACCESS_DIMS]; /* without constants; owned */
  int64_t at[ACCESS_DIMS];    /* constants in the thread's layer, after `layer` is taken from
                               * them */
  int64_t step[ACCESS_DIMS];  /* from layer to layer */
  int64_t layer;
};

struct finding {
  struct stream25d *m;
  struct form forms[STREAM25D_LOADS];
};

static bool form_dim(struct stream25d *m, const struct value *value, unsigned d, struct form *ret)
{
  isl_aff *aff = value->term_count ? NULL : value_plain(value->aff);
  if (!aff) return false;
  isl_space *space = isl_aff_get_domain_space(aff);
  bool is = value_number(isl_aff_get_constant_val(aff), INT32_MAX, &ret->at[d]);
  for (int i = 0; is && i < isl_aff_dim(aff, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    if (isl_aff_involves_dims(aff, isl_dim_param, (unsigned)i, 1) != isl_bool_true) continue;
    is = symbol->kind != SYMBOL_UNKNOWN;
    if (symbol->kind == SYMBOL_LOOP && symbol->var == m->loop->loop->iterator)
      is = value_number(isl_aff_get_coefficient_val(aff, isl_dim_param, i), INT32_MAX,
                        &ret->step[d]);
  }
  isl_space_free(space);
  ret->rest[d] = isl_aff_set_constant_si(aff, 0);
  return is;
}

/* Splits the layer off the constants, by the dimension in which layers are apart. */
static void take_layer(struct form *form)
{
  const struct access *a = form->found->access;

  for (unsigned d = 0; d < a->dim_count; d++)
    if (form->step[d]) {
      int64_t half = form->step[d] / 2, at = form->at[d] + half;
      form->layer =
          at / form->step[d] - (at % form->step[d] != 0 && (at < 0) != (form->step[d] < 0));
      break;
    }
  for (unsigned d = 0; d < a->dim_count; d++) form->at[d] -= form->layer * form->step[d];
}

static void form_of(struct stream25d *m, const struct code_access *found, struct form *ret)
{
  const struct access *a = found->access;

  *ret = (struct form){.found = found, .is = a->dim_count > 0};
  for (unsigned d = 0; ret->is && d < a->dim_count; d++)
    ret->is = form_dim(m, &a->index[d], d, ret);
  if (ret->is) take_layer(ret);
}

static void free_form(struct form *form)
{
  for (unsigned d = 0; d < ACCESS_DIMS; d++) isl_aff_free(form->rest[d]);
}

/* Do they differ only by their layers and by *ret_apart along the row? */
static bool same_rows(const struct form *a, const struct form *b, int64_t *ret_apart)
{
  unsigned dims = a->found->access->dim_count;
  bool same =
      a->is && b->is && a->found->array == b->found->array && dims == b->found->access->dim_count;

  for (unsigned d = 0; same && d < dims; d++)
    same = isl_aff_plain_is_equal(a->rest[d], b->rest[d]) == isl_bool_true &&
           (d + 1 == dims || a->at[d] == b->at[d]);
  *ret_apart = same ? b->at[dims - 1] - a->at[dims - 1] : 0;
  return same;
}

struct local_search {
  struct stream25d *m;
  bool found;
};

static void note_local(struct ir_expr *expr, void *context)
{
  struct local_search *s = context;
  bool local =
      expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL && !expr->var->has_value;

  s->found |= local && expr->var != s->m->loop->loop->iterator;
}

/* Can the expression be computed at another place? It must only use indices, parameters and the
 * layer. */
static bool is_placed(struct stream25d *m, struct ir_expr *expr)
{
  struct local_search s = {m, false};

  ir_visit_expr(of_indices(m, expr), note_local, &s);
  return !s.found;
}

static void note_load(struct ir_expr *expr, void *context)
{
  struct finding *f = context;
  struct stream25d *m = f->m;
  const struct code_access *found = code_access_of(m->code, expr);
  int64_t place;

  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS) give_up(m, "it takes an address");
  if (!found || found->access->write) {
    m->store_count += found != NULL;
    if (found && found->access->read) give_up(m, "it reads what it writes");
    if (found && found->access->partial && !SEEDED(MEMBER_STORED_BY_ALL))
      give_up(m, "it stores a part of an element");
    return;
  }
  bool apart = vector_apart(m->code, found, IR_THREAD_IDX);
  m->uniform_count += !apart;
  if (m->load_count == STREAM25D_LOADS)
    give_up(m, "it has too many loads");
  else if (!code_read_only(m->code, found->array) || !found->access->must ||
           found->access->has_effects)
    give_up(m, "it loads what it writes, or not always");
  else if (found->access->chosen && !SEEDED(LAYER_UNDER_CONDITION))
    give_up(m, "it loads under a condition in an expression");
  else if (apart && !vector_place(m->code, found, IR_THREAD_IDX, m->factor, &place))
    give_up(m, "its rows do not begin at multiples of 16 bytes");
  if (!m->reason && !is_placed(m, expr))
    give_up(m, "a place that it loads is told by a local that changes");
  if (!m->reason && !vector_movable(m->code, expr))
    give_up(m, "a place that it loads is converted from a type that does not hold those before it");
  if (!m->reason && vector_told_by_loads(m->code, expr))
    give_up(m, "a place that it loads is told by what it loads");
  if (m->reason || !apart) return;
  form_of(m, found, &f->forms[m->load_count]);
  m->loads[m->load_count++] = (struct stream25d_load){.expr = expr, .row = -1, .place = place};
}

/* Adds a row with the load in its middle, or a layer to such a row. */
static void add_to_row(struct finding *f, unsigned load, int of_row[])
{
  struct stream25d *m = f->m;
  const struct form *form = &f->forms[load];
  int64_t apart;

  for (unsigned i = 0; i < load; i++)
    if (of_row[i] >= 0 && same_rows(&f->forms[i], form, &apart) && !apart) of_row[load] = of_row[i];
  if (of_row[load] < 0 && m->row_count < STREAM25D_ROWS) {
    of_row[load] = (int)m->row_count;
    m->rows[m->row_count++] = (struct stream25d_row){.array = form->found->array,
                                                     .first = form->layer,
                                                     .last = form->layer,
                                                     .element = form->found->expr,
                                                     .layer = form->layer};
  }
  if (of_row[load] < 0) return;
  struct stream25d_row *row = &m->rows[of_row[load]];
  row->first = form->layer < row->first ? form->layer : row->first;
  row->last = form->layer > row->last ? form->layer : row->last;
}

static bool carries(const struct stream25d_row *row)
{
  return row->last > row->first && row->last - row->first < STREAM25D_DEEP;
}

/* Finds the row that has the load: in its middle, or beside it. */
static void attach(struct finding *f, unsigned load, const int of_row[])
{
  struct stream25d *m = f->m;
  int64_t apart;

  for (unsigned i = 0; i < m->load_count; i++) {
    const struct stream25d_row *row = of_row[i] >= 0 ? &m->rows[of_row[i]] : NULL;
    int64_t layer = f->forms[load].layer;
    if (!row || !carries(row) || layer < row->first || layer > row->last ||
        !same_rows(&f->forms[i], &f->forms[load], &apart) || apart <= -m->factor ||
        apart >= m->factor)
      continue;
    m->loads[load].row = of_row[i];
    m->loads[load].layer = layer - row->first;
    m->loads[load].place = apart;
    return;
  }
}

static void find_rows(struct finding *f)
{
  struct stream25d *m = f->m;
  int of_row[STREAM25D_LOADS];
  bool any = false;

  for (unsigned i = 0; i < m->load_count; i++) {
    of_row[i] = -1;
    if (f->forms[i].is && m->loads[i].place % m->factor == 0) add_to_row(f, i, of_row);
  }
  for (unsigned i = 0; i < m->load_count; i++) attach(f, i, of_row);
  for (unsigned i = 0; i < m->row_count; i++) any |= carries(&m->rows[i]);
  if (!any) give_up(m, "no load of a layer is made again in another one");
}

static bool find_loads(struct stream25d *m)
{
  struct finding f = {.m = m};

  code_scan(m->code);
  if (m->code->access.reject || m->code->access.unknown_read || m->code->access.unknown_write)
    return give_up(m, m->code->access.reject ? m->code->access.reject
                                             : "it accesses memory that is not followed");
  for (unsigned i = 0; i < m->work.items.count; i++)
    ir_visit_stmt_exprs(m->work.items.items[i], note_load, &f);
  if (!m->reason) find_rows(&f);
  for (unsigned i = 0; i < m->load_count; i++) free_form(&f.forms[i]);
  return !m->reason;
}

/* ---- the whole ---- */

static void note_trap(struct ir_expr *expr, void *context)
{
  *(bool *)context |= ir_may_trap(expr);
}

/* Is it harmless that lanes which do not store compute, too? */
static bool is_harmless(struct stream25d *m)
{
  bool traps = false;

  for (unsigned i = 0; m->lane_count && i < m->work.items.count; i++)
    ir_visit_stmt_exprs(m->work.items.items[i], note_trap, &traps);
  return !traps || give_up(m, "it divides integers where a thread beside it would not");
}

bool stream25d_find(struct stream25d *m)
{
  struct parts parts = {.m = m};

  m->loop = layer_loop(m->code);
  if (!m->loop) return give_up(m, "it has no layers");
  return take_apart(&parts, m->loop->body, true) && sort_conditions(m, &parts) && is_harmless(m) &&
         find_loads(m);
}

/* Is it the first load of the element? */
static bool is_first(const struct stream25d *m, unsigned load)
{
  for (unsigned k = 0; k < load; k++)
    if (ir_same_expr(m->loads[load].expr, m->loads[k].expr)) return false;
  return true;
}

/* Counts, per layer, the loads of rows and of elements beside them. */
static void count_loads(const struct stream25d *m, double *ret_rows, double *ret_beside)
{
  *ret_rows = *ret_beside = 0;
  for (unsigned i = 0; i < m->row_count; i++) *ret_rows += carries(&m->rows[i]);
  for (unsigned i = 0; i < m->load_count; i++) {
    bool row = m->loads[i].row < 0 && m->loads[i].place % m->factor == 0;
    *ret_rows += row && is_first(m, i);
    *ret_beside += !row && m->loads[i].place && is_first(m, i);
  }
}

double stream25d_gain(const struct stream25d *m)
{
  double rows, beside, others = m->store_count + m->uniform_count;

  count_loads(m, &rows, &beside);
  return (double)(m->factor * (m->load_count + m->uniform_count + m->store_count)) /
         (rows + beside + others);
}

bool stream25d_pays(const struct stream25d *m)
{
  double rows, beside;

  count_loads(m, &rows, &beside);
  return beside <= rows;
}

double stream25d_registers(const struct stream25d *m)
{
  double words = 0;

  for (unsigned i = 0; i < m->row_count; i++)
    words +=
        carries(&m->rows[i]) ? (double)(m->rows[i].last - m->rows[i].first + 1 + m->ahead) * 4 : 0;
  return words;
}

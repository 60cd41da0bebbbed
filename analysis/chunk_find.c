/* chunk_find.c - ranges that a table gives, all of whose elements are the same for all threads of a block.
 *
 *     for (by = y0; by <= y1; by++) {                                 the nest
 *       const int begin = offsets[by], end = offsets[by + 1];
 *       for (k = begin; k < end; k++) {                               the range
 *         const int j = index[k];
 *         sum += f(items[j], x);                                      items[index[k]] is loaded once by each thread; a copy would do
 *       }
 *     }
 *
 * The loops are uniform: their bounds depend on blockIdx, parameters, each other, and tables that the kernel does not write. What an
 * iteration loads is copied where its address is made of such values and of the iterator, whatever its form, and where each iteration
 * is sure to load it: the copy then reads what the loop as written reads. Where the nest does nothing but go from range to range, all of its
 * ranges are one stream of elements; what its loops change, and the range's body uses, is copied by element as well.
 * Requires: a normal body and its scan. Gives up per loop, with a remark where it begins or ends at what a table holds.
 */
#include "analysis/chunk.h"
#include "analysis/reuse.h"
#include "runtime/seeded.h"

#include <string.h>

enum { MOST_DEPTH = 6, MOST_ROWS = 4, MOST_DEAD = 16, MOST_ROW_WORDS = 16, UNKNOWN_TRIPS = 16 };

struct finding {
  struct code *code;
  const struct uniform *uniform;
  struct chunks *all;
  struct chunk *out;         /* the one being looked at */
  struct ir_stmt *range;     /* found in a nest */
  const struct ir_stmt *rows[MOST_ROWS]; /* short loops around this place, in the range's body */
  unsigned row_count;
  bool sure;                 /* this pass takes what every iteration loads; the next one what is the same as that */
  double around;             /* executions of this place in an iteration */
};

/* ---- questions ---- */

static bool is_loop(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
}

struct var_search { const struct ir_var *var; bool found; };

static void note_assigned(struct ir_expr *expr, void *context)
{
  struct var_search *s = context;

  if (expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr))
    s->found |= ir_holder(expr->operands[0]) == s->var;
}

static bool note_declared(struct ir_stmt *stmt, void *context)
{
  struct var_search *s = context;

  s->found |= stmt->kind == IR_STMT_DECL && stmt->var == s->var;
  return true;
}

static bool assigns(struct ir_stmt *stmt, const struct ir_var *var)
{
  struct var_search s = { var, false };

  ir_visit_stmt_exprs(stmt, note_assigned, &s);
  return s.found;
}

static bool declares(struct ir_stmt *stmt, const struct ir_var *var)
{
  struct var_search s = { var, false };

  ir_visit_stmts(stmt, note_declared, &s);
  return s.found;
}

struct meeting_search { struct code *code; bool found; };

static void note_meeting(struct ir_expr *expr, void *context)
{
  struct meeting_search *s = context;
  bool callee = expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_CALLEE && expr->callee;
  const struct function_effects *effects = callee ? effects_of(s->code->effects, expr->callee) : NULL;

  s->found |= expr->kind == IR_EXPR_CALL && (expr->effect == IR_EFFECT_BARRIER || expr->effect == IR_EFFECT_WARP || expr->effect == IR_EFFECT_UNKNOWN ||
                                             expr->effect == IR_EFFECT_FENCE);
  s->found |= effects && (effects->barrier || effects->warp || effects->fence || effects->unknown_call);
}

static bool meets(struct code *code, struct ir_stmt *stmt)
{
  struct meeting_search s = { code, false };

  ir_visit_stmt_exprs(stmt, note_meeting, &s);
  return s.found;
}

/* A jump of the given kind that belongs to the loop around `stmt`. */
static bool jumps(const struct ir_stmt *stmt, enum ir_stmt_kind kind)
{
  if (!stmt || is_loop(stmt) || (stmt->kind == IR_STMT_SWITCH && kind == IR_STMT_BREAK))
    return false;
  bool found = stmt->kind == kind || jumps(stmt->body, kind) || jumps(stmt->else_body, kind);
  for (unsigned i = 0; i < stmt->child_count && !found; i++)
    found = jumps(stmt->children[i], kind);
  return found;
}

/* ---- does a table give the range? ---- */

struct source_search { const struct finding *f; const struct ir_var *var; unsigned depth; bool found; };

static bool from_table(const struct finding *f, struct ir_expr *expr, unsigned depth);

static void note_source(struct ir_expr *expr, void *context)
{
  struct source_search *s = context;

  if (expr->kind == IR_EXPR_ASSIGN && ir_assigned_var(expr) == s->var)
    s->found |= from_table(s->f, expr->operands[1], s->depth);
}

static bool note_initial(struct ir_stmt *stmt, void *context)
{
  struct source_search *s = context;

  if (stmt->kind == IR_STMT_DECL && stmt->var == s->var && stmt->expr)
    s->found |= from_table(s->f, stmt->expr, s->depth);
  return true;
}

static void note_loaded(struct ir_expr *expr, void *context)
{
  struct source_search *s = context;

  if (code_access_of(s->f->code, expr)) {
    s->found = true;
  } else if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL && s->depth < MOST_DEPTH && !s->found) {
    struct source_search inner = { s->f, expr->var, s->depth + 1, false };
    ir_visit_stmt_exprs(s->f->code->facts.kernel->body, note_source, &inner);
    ir_visit_stmts(s->f->code->facts.kernel->body, note_initial, &inner);
    s->found |= inner.found;
  }
}

static bool from_table(const struct finding *f, struct ir_expr *expr, unsigned depth)
{
  struct source_search s = { f, NULL, depth, false };

  ir_visit_expr(expr, note_loaded, &s);
  return s.found;
}

/* ---- the range ---- */

/* Why the loop is no range; NULL: it is one. */
static const char *no_range(const struct finding *f, struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->loop;
  const struct ir_expr *condition = stmt->expr ? ir_strip(stmt->expr) : NULL;

  if (stmt->kind != IR_STMT_FOR || !loop || !loop->lower || !loop->declared || loop->step_expr || loop->step != 1 ||
      (loop->relation != IR_OP_LT && loop->relation != IR_OP_LE) || loop->iterator->type->kind != IR_TYPE_INT || loop->iterator->type->size < 4 ||
      loop->iterator->address_taken)
    return "the loop does not go up by one from a first value to a last one";
  const struct ir_type *compared = condition->kind == IR_EXPR_BINARY ? condition->operands[0]->type : NULL;
  if (!compared || compared->size != loop->iterator->type->size || compared->is_signed != loop->iterator->type->is_signed)
    return "the loop's iterator is compared in another type than its own";
  if (jumps(stmt->body, IR_STMT_BREAK))
    return "the loop may be left early, and what is behind that is not sure to exist";
  if (shape_return_in(stmt->body))
    return "threads return from inside of the loop";
  if (meets(f->code, stmt->body))
    return "threads meet in the loop";
  if (!uniform_loop(f->uniform, stmt) || !uniform_expr(f->uniform, loop->lower) || !uniform_expr(f->uniform, loop->bound))
    return "the threads of a block go through different ranges";
  return NULL;
}

/* Does all of `stmt`, part of a nest, only lead to one range? */
static bool leads_to_range(struct finding *f, struct ir_stmt *stmt)
{
  struct ir_stmt *before = f->range;

  if (!stmt || uniform_stmt(f->uniform, stmt))
    return true;
  switch (stmt->kind) {
  case IR_STMT_BREAK:
  case IR_STMT_CONTINUE: return true;
  case IR_STMT_IF: return uniform_expr(f->uniform, stmt->expr) && leads_to_range(f, stmt->body) && leads_to_range(f, stmt->else_body);
  case IR_STMT_BLOCK:
    for (unsigned i = 0; i < stmt->child_count; i++)
      if (!leads_to_range(f, stmt->children[i]))
        return false;
    return true;
  case IR_STMT_FOR:
  case IR_STMT_WHILE:
    if (uniform_loop(f->uniform, stmt) && leads_to_range(f, stmt->body))
      return true;
    f->range = before ? before : stmt;
    return !before && !no_range(f, stmt);
  default: return false;
  }
}

/* ---- what an iteration loads ---- */

struct address_search { struct finding *f; const struct ir_stmt *row; bool fails, iterates; unsigned depth; };

static void note_address(struct ir_expr *expr, void *context);

static bool is_row_of(const struct finding *f, const struct ir_var *var, const struct ir_stmt **ret_row)
{
  for (unsigned i = 0; i < f->row_count; i++)
    if (f->rows[i]->loop->iterator == var) {
      *ret_row = f->rows[i];
      return true;
    }
  return false;
}

static void note_address_var(struct address_search *s, struct ir_expr *expr)
{
  const struct ir_var *var = expr->var;
  const struct ir_stmt *row = NULL;

  if (var == s->f->range->loop->iterator) {
    s->iterates = true;
  } else if (is_row_of(s->f, var, &row)) {
    s->fails |= s->row && s->row != row;
    s->row = row;
  } else if (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM) {
    s->fails |= !uniform_var(s->f->uniform, var);
    if (!declares(s->f->range->body, var)) {
      s->fails |= assigns(s->f->range->body, var);
      return;
    }
    struct ir_expr *value = code_value_of(s->f->code, var);
    s->fails |= !value || ++s->depth > MOST_DEPTH * 4;
    if (!s->fails)
      ir_visit_expr(value, note_address, s);
  }
}

static void note_address(struct ir_expr *expr, void *context)
{
  struct address_search *s = context;

  if (expr->kind == IR_EXPR_VAR)
    note_address_var(s, expr);
  if (expr->kind == IR_EXPR_OPAQUE || (expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE && expr->effect != IR_EFFECT_LOAD))
    s->fails = true;
}

/* Locals of the body that the address is made of, as their values. */
static struct ir_expr *replace_local(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct finding *f = r->context;

  if (expr->kind != IR_EXPR_VAR || !declares(f->range->body, expr->var))
    return NULL;
  struct ir_expr *value = code_value_of(f->code, expr->var);
  bool kept = !value;
  for (unsigned i = 0; i < f->row_count; i++)
    kept |= f->rows[i]->loop->iterator == expr->var;
  return kept ? NULL : code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, value));
}

static const char *unfit(const struct finding *f, const struct code_access *found)
{
  const struct array *array = found->array;
  const struct ir_type *element = array->element;

  if (array->reject)
    return array->reject;
  if (array->var->kind == IR_VAR_DEVICE)
    return "it is a device variable";
  if (element->size <= 0 || element->is_volatile || element->is_unnamed || element->kind == IR_TYPE_OTHER || element->kind == IR_TYPE_ARRAY ||
      (element->kind == IR_TYPE_RECORD && !element->is_trivial))
    return "its element type cannot be copied";
  return code_read_only(f->code, array) ? NULL : "the kernel writes it, or may do so through another name";
}

static int known_array(const struct chunk *out, struct ir_expr *element, const struct ir_stmt *row)
{
  for (unsigned i = 0; i < out->array_count; i++)
    if (out->arrays[i].row == row && ir_same_expr(out->arrays[i].element, element))
      return (int)i;
  return -1;
}

static void skip(struct finding *f, const struct code_access *found, const char *reason)
{
  const char *name = found->array->var->name;

  code_decide(f->code, (struct decision){ .kind = DECISION_TILES, .place = found->access->place, .array = name, .why = reason });
  code_remark(f->code, DIAG_NOT_STAGED, &found->access->place, "'%s' is not staged by chunks of a range in '%s': %s", name, f->code->kernel->name, reason);
}

static bool new_array(struct finding *f, const struct code_access *found, struct ir_expr *element, const struct ir_stmt *row)
{
  struct chunk *out = f->out;
  int64_t first = 0, trips = 1;

  if (out->array_count == CHUNK_ARRAYS || (row && !reuse_short_loop(row, &first, &trips)) || trips > MOST_ROW_WORDS)
    return false;
  out->arrays[out->array_count++] =
      (struct chunk_array){ .array = found->array, .element = element, .row = row, .row_first = first, .row_trips = trips };
  return true;
}

/* True: the access will read the copy. */
static bool take_access(struct finding *f, const struct ir_expr *expr, bool certain)
{
  const struct code_access *found = code_access_of(f->code, expr);
  struct address_search s = { .f = f };
  struct ir_rewriter rewriter = { f->code->arena, replace_local, f };

  if (!found || !found->access->read || found->access->write || found->access->has_effects || f->out->access_count == CHUNK_ACCESSES)
    return false;
  for (unsigned i = 0; i < f->out->access_count; i++)
    if (f->out->accesses[i].expr == expr)
      return true;
  ir_visit_expr((struct ir_expr *)expr, note_address, &s);
  if (s.fails || !s.iterates || (instances_of_expr(&f->uniform->in, expr) && code_read_only(f->code, found->array)))
    return false;
  const char *reason = unfit(f, found);
  struct ir_expr *element = reason ? NULL : ir_rewrite_expr(&rewriter, (struct ir_expr *)expr);
  int known = element ? known_array(f->out, element, s.row) : -1;
  if (!reason && known < 0 && !certain && !SEEDED(CHUNK_UNSURE_READ)) {
    if (f->sure)
      return false;
    reason = "not every iteration is sure to read it, and what is not read may not exist";
  }
  if (reason) {
    skip(f, found, reason);
    return false;
  }
  if (known < 0 && !new_array(f, found, element, s.row))
    return false;
  known = known < 0 ? (int)f->out->array_count - 1 : known;
  f->out->arrays[known].count += f->around;
  f->out->accesses[f->out->access_count++] = (struct chunk_access){ expr, (unsigned)known };
  return true;
}

static void look_at_expr(struct finding *f, struct ir_expr *expr, bool certain)
{
  if (!expr || take_access(f, expr, certain))
    return;
  bool address = expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS;
  bool shorts = expr->kind == IR_EXPR_COND || (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR));
  for (unsigned i = 0; i < expr->operand_count && !address; i++)
    look_at_expr(f, expr->operands[i], certain && !(shorts && i));
}

static bool is_row(const struct finding *f, const struct ir_stmt *stmt)
{
  int64_t first, trips;

  return f->row_count < MOST_ROWS && stmt->kind == IR_STMT_FOR && reuse_short_loop(stmt, &first, &trips) && stmt->loop->declared && stmt->loop->step == 1 &&
         trips > 0 && !jumps(stmt->body, IR_STMT_BREAK) && !jumps(stmt->body, IR_STMT_CONTINUE);
}

static void look_at(struct finding *f, struct ir_stmt *stmt, bool certain)
{
  double around = f->around;
  int64_t first, trips = UNKNOWN_TRIPS;

  if (!stmt)
    return;
  bool row = is_row(f, stmt), loop = is_loop(stmt);
  look_at(f, stmt->init, certain);
  if (loop)
    f->around *= row && reuse_short_loop(stmt, &first, &trips) ? (double)trips : UNKNOWN_TRIPS;
  if (stmt->expr)
    look_at_expr(f, stmt->expr, certain && !loop);
  f->around /= stmt->kind == IR_STMT_IF ? 2 : 1;
  if (row)
    f->rows[f->row_count++] = stmt;
  bool inside = certain && (row || stmt->kind == IR_STMT_BLOCK || stmt->kind == IR_STMT_DECLS);
  look_at(f, stmt->body, inside);
  look_at(f, stmt->else_body, inside);
  look_at_expr(f, stmt->increment, false);
  for (unsigned i = 0; i < stmt->child_count; i++) {
    look_at(f, stmt->children[i], inside);
    inside &= !jumps(stmt->children[i], IR_STMT_CONTINUE);
  }
  f->row_count -= row;
  f->around = around;
}

/* ---- what is left of the body ---- */

static struct ir_expr *replace_access(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct finding *f = r->context;

  for (unsigned i = 0; i < f->out->access_count; i++)
    if (f->out->accesses[i].expr == expr)
      return ir_build_int(r->arena, 0);
  return NULL;
}

struct dead { struct ir_stmt *body; const struct ir_var *vars[MOST_DEAD]; unsigned count; };

static bool note_dead(struct ir_stmt *stmt, void *context)
{
  struct dead *d = context;
  bool unused = stmt->kind == IR_STMT_DECL && stmt->expr && !ir_has_effects(stmt->expr) && !ir_stmt_has_var(d->body, stmt->var);

  if (unused && d->count < MOST_DEAD)
    d->vars[d->count++] = stmt->var;
  return true;
}

/* The statement without declarations of what nobody uses. */
static struct ir_stmt *without_dead(struct arena *arena, struct ir_stmt *stmt, const struct dead *dead)
{
  if (!stmt)
    return NULL;
  for (unsigned i = 0; stmt->kind == IR_STMT_DECL && i < dead->count; i++)
    if (dead->vars[i] == stmt->var)
      return NULL;
  struct ir_stmt *copy = ARENA_NEW(arena, struct ir_stmt);
  *copy = *stmt;
  copy->body = without_dead(arena, stmt->body, dead);
  copy->else_body = without_dead(arena, stmt->else_body, dead);
  copy->children = arena_alloc(arena, (stmt->child_count + 1) * sizeof *copy->children);
  copy->child_count = 0;
  for (unsigned i = 0; i < stmt->child_count; i++) {
    struct ir_stmt *child = without_dead(arena, stmt->children[i], dead);
    if (child && !(child->kind == IR_STMT_DECLS && !child->child_count))
      copy->children[copy->child_count++] = child;
  }
  return copy;
}

/* The body as it is when copies are read: what only their addresses needed is gone. *ret_seen: without the accesses. */
static void strip_body(struct finding *f, struct ir_stmt **ret_seen)
{
  struct arena *arena = f->code->arena;
  struct ir_rewriter rewriter = { arena, replace_access, f };
  struct dead dead = { .body = ir_rewrite_stmt(&rewriter, f->range->body) };

  do {
    dead.count = 0;
    ir_visit_stmts(dead.body, note_dead, &dead);
    f->out->body = without_dead(arena, f->out->body, &dead);
    dead.body = without_dead(arena, dead.body, &dead);
  } while (dead.count);
  *ret_seen = dead.body;
}

/* ---- nest and body apart ---- */

struct meddling { struct finding *f; struct ir_stmt *around; const char *reason; };

/* The nest without the range's body. */
static struct ir_stmt *without_body(struct finding *f, struct ir_stmt *stmt)
{
  if (!stmt)
    return NULL;
  struct ir_stmt *copy = ARENA_NEW(f->code->arena, struct ir_stmt);
  *copy = *stmt;
  copy->body = stmt == f->range ? NULL : without_body(f, stmt->body);
  copy->else_body = without_body(f, stmt->else_body);
  copy->children = arena_alloc(f->code->arena, (stmt->child_count + 1) * sizeof *copy->children);
  for (unsigned i = 0; i < stmt->child_count; i++)
    copy->children[i] = without_body(f, stmt->children[i]);
  return copy;
}

static bool is_scalar(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL || type->kind == IR_TYPE_POINTER;
}

static void carry(struct meddling *m, const struct ir_var *var)
{
  struct chunk *out = m->f->out;

  if (!(declares(m->around, var) || assigns(m->around, var)))
    return;
  for (unsigned i = 0; i < out->carried_count; i++)
    if (out->carried[i] == var)
      return;
  if (out->carried_count == CHUNK_CARRIED || !is_scalar(var->type) || !uniform_var(m->f->uniform, var))
    m->reason = "too much changes from range to range";
  else
    out->carried[out->carried_count++] = (struct ir_var *)var;
}

static void note_use(struct ir_expr *expr, void *context)
{
  struct meddling *m = context;

  if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL && !declares(m->f->range->body, expr->var))
    carry(m, expr->var);
}

static void note_change(struct ir_expr *expr, void *context)
{
  struct meddling *m = context;
  bool changes = expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr);
  const struct ir_var *var = changes ? ir_holder(expr->operands[0]) : NULL;

  if (var && !declares(m->f->range->body, var) && ir_stmt_has_var(m->around, var))
    m->reason = "the loop changes what its range depends on";
}

/* NULL: the range's body changes nothing of the nest, and what it uses of it can be copied. `seen`: the body as it uses it. */
static const char *meddles(struct finding *f, struct ir_stmt *seen)
{
  struct meddling m = { f, without_body(f, f->out->nest), NULL };

  ir_visit_stmt_exprs(f->range->body, note_change, &m);
  if (!m.reason && f->out->nest != f->range)
    ir_visit_stmt_exprs(seen, note_use, &m);
  return m.reason;
}

/* ---- all loops ---- */

static void skip_loop(struct finding *f, struct ir_stmt *stmt, const char *reason)
{
  code_decide(f->code, (struct decision){ .kind = DECISION_TILES, .place = stmt->place, .why = reason });
  code_remark(f->code, DIAG_NOT_STAGED, &stmt->place, "nothing is staged by chunks of this range in '%s': %s", f->code->kernel->name, reason);
}

static bool take_chunk(struct finding *f, struct ir_stmt *nest, struct ir_stmt *range)
{
  struct ir_stmt *seen;

  if (f->all->count == MOST_CHUNKS || !(from_table(f, range->loop->lower, 0) || from_table(f, range->loop->bound, 0)))
    return false;
  f->out = &f->all->items[f->all->count];
  *f->out = (struct chunk){ .nest = nest, .range = range, .body = range->body };
  f->range = range;
  f->around = 1;
  for (unsigned pass = 0; pass < 2; pass++) {
    f->sure = !pass;
    f->row_count = 0;
    look_at(f, range->body, true);
  }
  if (!f->out->array_count)
    return false;
  strip_body(f, &seen);
  const char *reason = meddles(f, seen);
  if (reason && nest == range)
    skip_loop(f, range, reason);
  f->all->count += !reason;
  return !reason;
}

static bool reads_memory(const struct finding *f, struct ir_stmt *stmt)
{
  struct source_search s = { f, NULL, MOST_DEPTH, false };

  ir_visit_stmt_exprs(stmt, note_loaded, &s);
  return s.found;
}

static void look_at_loop(struct finding *f, struct ir_stmt *stmt)
{
  const char *reason = no_range(f, stmt);

  if (!reason) {
    take_chunk(f, stmt, stmt);
    return;
  }
  bool table = stmt->loop && stmt->loop->lower && (from_table(f, stmt->loop->lower, 0) || from_table(f, stmt->loop->bound, 0));
  if (table && reads_memory(f, stmt->body))
    skip_loop(f, stmt, reason);
}

/* Nests from the outside in, then ranges by themselves from the inside out. */
static void visit(struct finding *f, struct ir_stmt *stmt)
{
  unsigned before = f->all->count;

  if (!stmt || stmt->kind == IR_STMT_SWITCH || f->all->count == MOST_CHUNKS)
    return;
  f->range = NULL;
  if (is_loop(stmt) && leads_to_range(f, stmt) && f->range && f->range != stmt && take_chunk(f, stmt, f->range))
    return;
  visit(f, stmt->body);
  visit(f, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++)
    visit(f, stmt->children[i]);
  if (is_loop(stmt) && f->all->count == before)
    look_at_loop(f, stmt);
}

void chunk_find(struct code *code, const struct uniform *uniform, struct chunks *ret)
{
  struct finding f = { .code = code, .uniform = uniform, .all = ret };

  memset(ret, 0, sizeof *ret);
  visit(&f, code->facts.kernel->body);
}

/* SPDX-License-Identifier: MIT */
/* row_find.c - finds kernels whose threads each go through a row, once or several times.
 *
 *     for (j = 0; j < n; j++) m = fmaxf(m, x[j]);           pass 0: reads x
 *     for (j = 0; j < n; j++) sum += expf(x[j] - m);        pass 1: reads x
 *     for (j = 0; j < n; j++) y[j] = expf(x[j] - m) / sum;  pass 2: reads x, writes y
 *
 * A team of threads shares the iterations of each pass; what stands beside passes all of them
 * compute, and one of them stores. That is right when no iteration of a pass uses what another one
 * writes: each element that a pass writes is accessed at one place of an iteration only, which
 * moves on by an element; and when no two names stand for the same memory. Sums follow the rules of
 * team_reduce. Where a later statement uses memory that an earlier one has used, and one of them
 * writes it, the team waits in between, unless the same thread has the element in both: passes give
 * iteration j to the same thread. Requires: shaped code, scanned. Gives up: other loops, what is
 * carried from iteration to iteration, memory that is not followed.
 */
#include "analysis/transform/row_team/row_team.h"

#include <string.h>

#include "analysis/code/loop.h"
#include "runtime/seeded.h"

struct event { /* a pass, or another statement that uses memory */
  struct ir_stmt *stmt;
  uint64_t reads, writes; /* arrays of the scan, by bits */
  bool pass, condition;   /* it is a pass; the condition of an if */
};

struct finding {
  struct code *code;
  struct row_passes *out;
  bool floats;
  const char *reason;
  struct ir_place place;
  struct event events[MOST_EVENTS];
  unsigned event_count;
  struct ir_stmt *pass; /* that is looked at */
  unsigned number;      /* of it */
  unsigned conditions;  /* around what is looked at, in its body */
  unsigned inner;       /* loops, likewise */
  bool closed;          /* a branch that has passes lies behind */
};

static bool give_up(struct finding *f, const char *reason, const struct ir_place *place)
{
  if (!f->reason) {
    f->reason = reason;
    f->place = *place;
  }
  return false;
}

/* ---- memory of a statement ---- */

static uint64_t bit_of(struct finding *f, const struct array *array)
{
  for (unsigned i = 0; i < f->code->access.arrays.count && i < 64; i++)
    if (f->code->access.arrays.items[i] == array) return (uint64_t)1 << i;
  give_up(f, "it has too many arrays", &f->code->kernel->name_place);
  return 0;
}

static void note_memory(struct ir_expr *expr, void *context)
{
  struct finding *f = context;
  const struct code_access *found = code_access_of(f->code, expr);
  struct event *event = &f->events[f->event_count];

  if (!found) return;
  if (found->access->read) event->reads |= bit_of(f, found->array);
  if (found->access->write) event->writes |= bit_of(f, found->array);
}

static void add_event(struct finding *f, struct ir_stmt *stmt, struct ir_expr *only, bool pass)
{
  struct event *event = &f->events[f->event_count];

  *event = (struct event){.stmt = stmt, .pass = pass};
  if (only)
    ir_visit_expr(only, note_memory, f);
  else
    ir_visit_stmt_exprs(stmt, note_memory, f);
  if (!event->reads && !event->writes) return;
  if (f->event_count + 1 == MOST_EVENTS)
    give_up(f, "it has too many statements", &stmt->place);
  else
    f->event_count++;
}

/* ---- groups ---- */

struct renaming {
  struct ir_var *from, *to;
};

static struct ir_expr *rename_var(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct renaming *n = r->context;
  return expr->kind == IR_EXPR_VAR && expr->var == n->from ? ir_build_var(r->arena, n->to) : NULL;
}

static struct ir_var *iterator_of(const struct row_passes *p, unsigned pass)
{
  return p->passes[pass].loop->loop->iterator;
}

/* Is it the element that the group has in the iteration? */
static bool is_like(struct finding *f, const struct row_group *group, struct ir_expr *expr)
{
  struct renaming names = {iterator_of(f->out, f->number), iterator_of(f->out, group->pass)};
  struct ir_rewriter rewriter = {f->code->arena, rename_var, &names};

  return ir_same_type(names.from->type, names.to->type) &&
         ir_same_expr(ir_rewrite_expr(&rewriter, expr), group->like);
}

static struct row_group *group_of(struct finding *f, const struct code_access *found,
                                  struct ir_expr *expr)
{
  struct row_passes *out = f->out;

  for (unsigned i = 0; i < out->group_count; i++)
    if (out->groups[i].array == found->array && is_like(f, &out->groups[i], expr))
      return &out->groups[i];
  if (out->group_count == MOST_GROUPS) {
    give_up(f, "it has too many rows", &expr->place);
    return NULL;
  }
  struct row_group *group = &out->groups[out->group_count++];
  *group = (struct row_group){.array = found->array,
                              .like = expr,
                              .pass = f->number,
                              .kept = true,
                              .own = row_team_is_own(f->code, found)};
  return group;
}

struct fixed_search {
  struct finding *f;
  const struct ir_expr *whole;
  bool moves;
};

static void note_moving(struct ir_expr *expr, void *context)
{
  struct fixed_search *s = context;
  const struct code_access *found = expr != s->whole ? code_access_of(s->f->code, expr) : NULL;
  const struct ir_var *var = expr->kind == IR_EXPR_VAR ? expr->var : NULL;

  s->moves |= found && !code_read_only(s->f->code, found->array);
  if (!var || var == s->f->pass->loop->iterator || var->kind != IR_VAR_LOCAL) return;
  s->moves |= (var->write_count > 1 || var->address_taken) && !SEEDED(ROW_BASE_FIXED);
}

/* Is it the same element in each pass, but for the iteration? */
static bool is_fixed(struct finding *f, struct ir_expr *expr)
{
  struct fixed_search search = {f, expr, false};

  ir_visit_expr(expr, note_moving, &search);
  return !search.moves;
}

/* Does an iteration access one element of a row, which no other iteration does, by an index that
 * the pass does not compute? */
static bool is_of_row(struct finding *f, const struct code_access *found, struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_INDEX && !team_reduce_names_inner(f->pass, expr) && !f->inner &&
         !ir_has_effects(expr) && is_fixed(f, expr) &&
         row_team_follows(found, f->pass->loop->iterator);
}

static void note_access(struct finding *f, const struct code_access *found, struct ir_expr *expr)
{
  const struct ir_type *element = found->array->element;
  bool row = is_of_row(f, found, expr), write = found->access->write;
  struct row_passes *out = f->out;
  unsigned bit = 1u << f->number;

  if (write && !row) {
    give_up(f, "an iteration may write an element that another one accesses", &expr->place);
    return;
  }
  out->again += (double)element->size;
  struct row_group *group = row ? group_of(f, found, expr) : NULL;
  if (!group) return;
  if (out->place_count == MOST_PLACES) {
    give_up(f, "it has too many accesses", &expr->place);
    return;
  }
  out->places[out->place_count++] = (struct row_place){expr, (unsigned)(group - out->groups)};
  group->last = f->number;
  if (found->access->read && !(group->writes & bit)) group->reads |= bit;
  if (write && !f->conditions) group->writes |= bit;
  if (write && f->conditions) group->maybe = true;
}

static void scan_expr(struct finding *f, struct ir_expr *expr)
{
  const struct code_access *found = expr ? code_access_of(f->code, expr) : NULL;

  if (!expr) return;
  bool chooses = expr->kind == IR_EXPR_COND || (expr->kind == IR_EXPR_BINARY &&
                                                (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR));
  if (expr->kind == IR_EXPR_CALL) f->out->calls++;
  /* the value in front of the element that takes it */
  for (unsigned i = expr->operand_count; i-- > 0;) {
    f->conditions += chooses && i > 0;
    scan_expr(f, expr->operands[i]);
    f->conditions -= chooses && i > 0;
  }
  if (found) note_access(f, found, expr);
}

static bool skips(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_CONTINUE;
  return true;
}

static void scan_stmt(struct finding *f, struct ir_stmt *stmt)
{
  bool loop = stmt && (stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE ||
                       stmt->kind == IR_STMT_DO);
  bool branch = stmt && (stmt->kind == IR_STMT_IF || stmt->kind == IR_STMT_SWITCH);

  if (!stmt) return;
  f->inner += loop;
  f->conditions += loop;
  scan_stmt(f, stmt->init);
  scan_expr(f, stmt->expr);
  scan_expr(f, stmt->increment);
  f->conditions += branch;
  scan_stmt(f, stmt->body);
  scan_stmt(f, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) scan_stmt(f, stmt->children[i]);
  f->conditions -= branch;
  f->conditions -= loop;
  f->inner -= loop;
}

/* ---- passes ---- */

static bool add_pass(struct finding *f, struct ir_stmt *stmt)
{
  struct row_passes *out = f->out;
  const char *reason;
  struct ir_place place;
  int64_t lower;
  bool skipping = false;

  if (out->pass_count == MOST_PASSES) return give_up(f, "it has too many loops", &stmt->place);
  struct team_loop *pass = &out->passes[out->pass_count];
  if (!team_reduce_pass(f->code, stmt, f->floats, pass, &reason, &place))
    give_up(f, reason, &place);
  if (!stmt->loop || !stmt->loop->lower) return false;
  if (stmt->loop->step != 1) return give_up(f, "it does not count up by one", &stmt->place);
  if (!ir_constant(stmt->loop->lower, &lower) || lower < 0 || lower > 8)
    return give_up(f, "it does not begin with the first elements of a row", &stmt->place);
  out->straight &= !f->closed;
  f->pass = stmt;
  f->number = out->pass_count++;
  ir_visit_stmts(stmt->body, skips, &skipping);
  f->conditions = skipping || lower > 0;
  scan_stmt(f, stmt->body);
  f->conditions = 0;
  out->floats |= pass->floats;
  if (f->number && !ir_same_expr(loop_end(f->code->arena, stmt->loop),
                                 loop_end(f->code->arena, out->passes[0].loop->loop)))
    out->same_ends = false;
  if (pass->trips < 0 || (f->number && out->trips < 0))
    out->trips = -1;
  else if (pass->trips > out->trips)
    out->trips = pass->trips;
  add_event(f, stmt, NULL, true);
  return !f->reason;
}

/* ---- what stands beside them ---- */

static bool straight(struct finding *f, struct ir_expr *expr)
{
  const char *reason;
  struct ir_place place;

  return team_reduce_straight(f->code, expr, &reason, &place) || give_up(f, reason, &place);
}

static bool is_update(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr);
}

struct nested_search {
  const struct ir_expr *whole;
  bool found;
};

static void note_nested(struct ir_expr *expr, void *context)
{
  struct nested_search *s = context;
  s->found |= expr != s->whole && is_update(expr);
}

/* A store is a statement of its own, so that one thread does it; so is an atomic operation. */
static bool add_stmt(struct finding *f, struct ir_stmt *stmt)
{
  struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;
  struct nested_search nested = {expr, false};

  if (expr && expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_ATOMIC) {
    for (unsigned i = 1; i < expr->operand_count; i++)
      if (!straight(f, expr->operands[i])) return false;
  } else if (stmt->expr && expr && is_update(expr) && team_reduce_stores(stmt)) {
    ir_visit_expr(expr, note_nested, &nested);
    if (nested.found)
      return give_up(f, "a statement beside its loops does several things", &stmt->place);
    for (unsigned i = 0; i < expr->operand_count; i++)
      if (!straight(f, expr->operands[i])) return false;
  } else if (stmt->expr) {
    if (!straight(f, stmt->expr)) return false;
    struct event *next = &f->events[f->event_count];
    add_event(f, stmt, stmt->expr, false);
    if (next->writes) return give_up(f, "a statement beside its loops writes memory", &stmt->place);
    return !f->reason;
  }
  add_event(f, stmt, stmt->expr, false);
  return !f->reason;
}

static bool walk(struct finding *f, struct ir_stmt *stmt);

/* Passes of a branch stand side by side where no other place has any. */
static bool walk_in(struct finding *f, struct ir_stmt *branch)
{
  unsigned before = f->out->pass_count;
  bool fits = walk(f, branch);

  f->out->straight &= before == 0 || f->out->pass_count == before;
  f->closed |= f->out->pass_count > before;
  return fits;
}

static bool walk(struct finding *f, struct ir_stmt *stmt)
{
  if (!stmt) return true;
  switch (stmt->kind) {
  case IR_STMT_NULL: return true;
  case IR_STMT_BLOCK:
  case IR_STMT_DECLS:
    for (unsigned i = 0; i < stmt->child_count; i++)
      if (!walk(f, stmt->children[i])) return false;
    return true;
  case IR_STMT_DECL:
    if (stmt->var->is_static)
      return give_up(f, "a statement beside its loops is not understood", &stmt->place);
    return add_stmt(f, stmt);
  case IR_STMT_EXPR: return add_stmt(f, stmt);
  case IR_STMT_IF: {
    struct ir_stmt *only = ARENA_NEW(f->code->arena, struct ir_stmt);
    *only = (struct ir_stmt){.kind = IR_STMT_NULL, .expr = stmt->expr, .place = stmt->place};
    unsigned before = f->event_count;
    if (!add_stmt(f, only)) return false;
    if (f->event_count > before) f->events[before].condition = true;
    return walk_in(f, stmt->body) && walk_in(f, stmt->else_body);
  }
  case IR_STMT_FOR: return add_pass(f, stmt);
  default: return give_up(f, "a statement beside its loops cannot be taken apart", &stmt->place);
  }
}

/* ---- memory of all of it ---- */

struct others {
  struct finding *f;
  const struct array *array;
  int group;  /* the first that has an access; -1: none yet */
  bool found; /* accesses of no group, or of another one */
};

static int group_at(const struct row_passes *out, const struct ir_expr *expr)
{
  for (unsigned i = 0; i < out->place_count; i++)
    if (out->places[i].expr == expr) return (int)out->places[i].group;
  return -1;
}

static void note_other(struct ir_expr *expr, void *context)
{
  struct others *o = context;
  const struct code_access *found = code_access_of(o->f->code, expr);

  if (!found || found->array != o->array) return;
  int group = group_at(o->f->out, expr);
  if (o->group < 0) o->group = group;
  o->found |= group < 0 || group != o->group;
}

/* In a pass, an element that is written is accessed at one place only. */
static bool check_pass(struct finding *f, const struct event *event)
{
  for (unsigned i = 0; i < f->code->access.arrays.count; i++) {
    const struct array *array = f->code->access.arrays.items[i];
    struct others others = {f, array, -1, false};
    if (!(event->writes & bit_of(f, array))) continue;
    ir_visit_stmt_exprs(event->stmt->body, note_other, &others);
    if (others.found && !SEEDED(ROW_NEIGHBOURS_WRITTEN))
      return give_up(f, "an iteration accesses an element that another one writes",
                     &event->stmt->place);
  }
  return true;
}

/* Passes, and reads elsewhere, to an array that a group has in other places, too. */
static void settle_groups(struct finding *f)
{
  struct row_passes *out = f->out;

  for (unsigned g = 0; g < out->group_count; g++) {
    struct row_group *group = &out->groups[g];
    struct others others = {f, group->array, -1, false};
    uint64_t bit = bit_of(f, group->array), written = 0;
    out->bytes += group->own ? (double)group->array->element->size : 0;
    for (unsigned i = 0; i < f->event_count; i++) {
      const struct event *event = &f->events[i];
      written |= event->writes & bit;
      if (event->pass) ir_visit_stmt_exprs(event->stmt->body, note_other, &others);
      if (event->pass) continue;
      group->elsewhere |= (event->reads & bit) != 0;
      group->kept &= !(event->writes & bit);
    }
    group->kept &= !group->maybe && (!written || !others.found);
  }
}

static bool check_apart(struct finding *f)
{
  const struct kernel_access *access = &f->code->access;

  for (unsigned i = 0; i < access->arrays.count; i++)
    for (unsigned k = 0; k < access->arrays.count; k++) {
      const struct array *array = access->arrays.items[i], *other = access->arrays.items[k];
      if (i == k || !array->written || code_disjoint(f->code, array, other)) continue;
      return give_up(f,
                     arena_format(f->code->arena, "'%s' and '%s' may overlap, and one is written",
                                  array->var->name, other->var->name),
                     &f->code->kernel->name_place);
    }
  return true;
}

/* Do all accesses to the array stand in one group, whose element of an iteration has one thread?
 */
static bool same_thread(struct finding *f, const struct array *array)
{
  struct others others = {f, array, -1, false};
  uint64_t bit = bit_of(f, array);

  for (unsigned i = 0; i < f->event_count; i++) {
    const struct event *event = &f->events[i];
    if (!event->pass && ((event->reads | event->writes) & bit)) return false;
    if (event->pass) ir_visit_stmt_exprs(event->stmt->body, note_other, &others);
  }
  return !others.found;
}

static void find_waits(struct finding *f)
{
  uint64_t own = 0;

  for (unsigned i = 0; i < f->code->access.arrays.count && i < 64; i++)
    if (same_thread(f, f->code->access.arrays.items[i])) own |= (uint64_t)1 << i;
  for (unsigned i = 0; i < f->event_count; i++)
    for (unsigned k = i + 1; k < f->event_count; k++) {
      const struct event *a = &f->events[i], *b = &f->events[k];
      uint64_t both = (a->writes & (b->reads | b->writes)) | (a->reads & b->writes);
      if (!(both & ~own) || SEEDED(ROW_WAIT_LOST)) continue;
      if (a->condition)
        give_up(f, "memory that a condition reads is written behind it", &a->stmt->place);
      f->out->waits[f->out->wait_count++] = a->stmt;
      break;
    }
}

static bool count_loop(struct ir_stmt *stmt, void *context)
{
  struct row_passes *out = context;
  bool loop = stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;

  out->loops += loop;
  return !loop;
}

bool row_team_find(struct code *code, bool floats, struct row_passes *ret, const char **ret_reason,
                   struct ir_place *ret_place)
{
  struct finding f = {.code = code, .out = ret, .floats = floats};
  const char *reason;
  struct ir_place place;

  memset(ret, 0, sizeof *ret);
  ir_visit_stmts(code->facts.kernel->body, count_loop, ret);
  ret->same_ends = ret->straight = true;
  walk(&f, code->facts.kernel->body);
  if (!f.reason && !ret->pass_count)
    give_up(&f, "it has no loop over a row", &code->kernel->name_place);
  if (!f.reason && !team_reduce_memory(code, &reason, &place)) give_up(&f, reason, &place);
  if (!f.reason) check_apart(&f);
  for (unsigned i = 0; i < f.event_count && !f.reason; i++)
    if (f.events[i].pass) check_pass(&f, &f.events[i]);
  if (!f.reason) settle_groups(&f);
  if (!f.reason) find_waits(&f);
  if (code_exhausted(code)) give_up(&f, "its accesses are too complex", &code->kernel->name_place);
  *ret_reason = f.reason;
  *ret_place = f.place;
  return !f.reason;
}

/* SPDX-License-Identifier: MIT */
/* host_plan.c - decides for each VS variable whether it is guarded or announced.
 *
 *     static __global__ int n;                  // every use is known: announced, not guarded
 *     void set(int v) { mesi_use(&n, MESI_READ_WRITE); n = v; }
 *     __global__ float a[N];                    // guarded: visible to other files
 *
 * Requires the unit after the frontend. Produces work->vs and work->edits, in the order of the
 * text. A variable is announced if it has internal linkage, all its uses are known (host_use.c) and
 * each has a place for the announcement (host_place.c). Otherwise it is guarded, with the reason as
 * a remark. Constant variables need neither.
 */
#include "analysis/host/host_plan.h"

#include <stdlib.h>

#include "analysis/host/device_stores.h"
#include "analysis/host/host_batch.h"
#include "analysis/host/host_launches.h"
#include "analysis/host/host_place.h"
#include "analysis/host/host_pointed.h"
#include "analysis/host/host_span.h"
#include "analysis/host/host_touch.h"
#include "analysis/host/host_use.h"
#include "translator/base/diag.h"
#include "runtime/seeded.h"

struct planner {
  struct unit *unit;
  struct host_work *work;
  struct host_index *index;
  struct diag *diag;
  const struct plan_options *options;
  bool kernels_store_pointers; /* some VS memory can hold pointers */
};

struct verdict {
  const char *reason;    /* NULL: announced */
  struct ir_place place; /* of the reason; file UINT32_MAX: none */
};

static struct verdict because(const char *reason)
{
  return (struct verdict){reason, {.file = UINT32_MAX}};
}

static bool may_hold_pointers(const struct ir_type *type) { return ir_type_holds_pointers(type); }

/* Could a kernel store the address of the variable where the host finds it again? */
static bool reaches_kernels(const struct planner *p, const struct ir_var *var)
{
  const struct host_var *entry = host_var_of(p->index, var);
  for (unsigned i = 0; entry && i < entry->uses.count; i++) {
    const struct host_node *node = entry->uses.items[i];
    if (!node->function || node->function->is_device || node->function->is_kernel) return true;
    for (; node; node = node->parent)
      if (node->expr->kind == IR_EXPR_LAUNCH) return true;
  }
  for (unsigned i = 0; i < p->unit->functions.count; i++) {
    const struct ir_function *function = p->unit->functions.items[i];
    for (unsigned j = 0; j < function->vs_use_count; j++)
      if (function->vs_uses[j]->var == var && (function->is_kernel || function->is_device))
        return true;
  }
  return false;
}

static bool is_constant(const struct vs_var *vs)
{
  const struct ir_type *type = vs->var->type;
  while (type->kind == IR_TYPE_ARRAY && !type->is_const) type = type->element;
  return vs->is_const || type->is_const;
}

static bool is_internal(const struct vs_var *vs)
{
  return vs->is_static || vs->in_anonymous_namespace;
}

/* ---- announcements ---- */

struct announcement { /* for one use, then for all that stand in front of one statement */
  struct host_spot spot;
  bool whole;
  struct host_span span; /* when not whole */
  unsigned access;
};

/* The most announcements of one variable in front of one statement; more become one of the whole
 * variable. */
enum { SPANS = 4 };

/* Finds the place of an announcement: as far out as no code in between launches. It is further in
 * if the bytes are only known there and a loop would not repeat it. */
static bool place_use(struct planner *p, const struct host_uses *uses, const struct host_use *use,
                      struct announcement *ret)
{
  struct host_spot inner;
  bool again;
  *ret = (struct announcement){.access = use->access};
  if (!host_spot_outermost(p->index, use->node, &ret->spot)) return false;
  ret->whole = !host_span_of(p->index, uses, use, ret->spot.stmt, &ret->span);
  if (ret->whole && host_spot_innermost(p->index, use->node, &inner, &again) && !again &&
      host_stmt_once(p->index, inner.stmt, ret->spot.stmt) &&
      host_span_of(p->index, uses, use, inner.stmt, &ret->span)) {
    ret->whole = false;
    ret->spot = inner;
  }
  if (!ret->whole) ret->access = ret->span.access;
  return true;
}

struct announcements {
  LIST_OF(struct announcement) list;
};

static void merge(struct planner *p, struct announcements *all, const struct announcement *one)
{
  unsigned same = 0;
  struct announcement *first = NULL;
  for (unsigned i = 0; i < all->list.count; i++) {
    struct announcement *other = &all->list.items[i];
    if (other->spot.stmt != one->spot.stmt) continue;
    if (!other->whole && !one->whole && host_span_merge(&other->span, &one->span)) {
      other->access = other->span.access;
      return;
    }
    if (!first) first = other;
    same++;
  }
  if (!first || (!first->whole && !one->whole && same < SPANS)) {
    *ARENA_PUSH(p->work->arena, &all->list) = *one;
    return;
  }
  unsigned kept = 0, access = one->access;
  for (unsigned i = 0; i < all->list.count; i++) {
    if (all->list.items[i].spot.stmt == one->spot.stmt)
      access |= all->list.items[i].access;
    else
      all->list.items[kept++] = all->list.items[i];
  }
  all->list.items[kept] =
      (struct announcement){.spot = one->spot, .whole = true, .access = access & 2 ? 3 : 1};
  all->list.count = kept + 1;
}

static void add_edits(struct planner *p, struct vs_var *vs, const struct announcements *all)
{
  for (unsigned i = 0; i < all->list.count; i++) {
    const struct announcement *one = &all->list.items[i];
    struct host_edit *edit = ARENA_PUSH(p->work->arena, &p->work->edits);
    *edit = (struct host_edit){.kind = HOST_USE_BEFORE,
                               .place = one->spot.stmt->place,
                               .needs_braces = one->spot.needs_braces,
                               .vs = vs,
                               .access = one->access};
    if (one->whole) continue;
    edit->begin = form_lower(p->work->arena, &one->span.begin, vs->var);
    edit->end = form_lower(p->work->arena, &one->span.end, vs->var);
  }
}

/* Is the announcement worth it where the object is guarded anyway? Otherwise the calls cost more
 * than an occasional fault. */
static bool pays(const struct host_use *use, const struct announcement *one)
{
  return one->access & 8 || (!one->whole && one->span.in_loop) || use->node->function->may_launch;
}

/* Is the variable declared above the place, which is in the main file? */
static bool is_visible(const struct unit *unit, const struct vs_var *vs, const struct ir_place *at)
{
  unsigned file = vs->place.file, begin = vs->place.end;
  while (!unit->files.items[file].is_main) {
    begin = unit->files.items[file].include_end;
    file = (unsigned)unit->files.items[file].included_from;
  }
  return begin <= at->begin;
}

static struct verdict add_uses(struct planner *p, struct vs_var *vs, const struct host_uses *uses,
                               bool guarded)
{
  struct announcements all = {0};
  for (unsigned i = 0; i < uses->list.count; i++) {
    const struct host_use *use = &uses->list.items[i];
    struct announcement one;
    if (!use->access) continue;
    if (!p->unit->files.items[use->node->expr->place.file].is_main)
      return (struct verdict){"a header uses it", use->node->expr->place};
    if (!place_use(p, uses, use, &one))
      return (struct verdict){"a launch cannot be told apart from a use", use->node->expr->place};
    const struct ir_place *at = &one.spot.stmt->place;
    if (!p->unit->files.items[at->file].is_main || at->end <= at->begin ||
        (guarded && at->begins_in_macro))
      return (struct verdict){"a use stands where nothing can be inserted", use->node->expr->place};
    if (!is_visible(p->unit, vs, at))
      return (struct verdict){"it is used through a pointer above its declaration", *at};
    if (!guarded || pays(use, &one)) merge(p, &all, &one);
  }
  add_edits(p, vs, &all);
  return because(NULL);
}

/* Handles a variable that other files may use, which is therefore guarded. Uses in this file are
 * announced where possible. */
static struct verdict judge_external(struct planner *p, struct vs_var *vs)
{
  struct host_uses uses;
  host_uses_of(p->index, vs, &uses);
  if (!uses.reason) {
    uses.reason = "visible to other files";
    add_uses(p, vs, &uses, true);
  }
  return because("visible to other files");
}

static struct verdict judge(struct planner *p, struct vs_var *vs)
{
  if (is_constant(vs)) return because(NULL);
  bool external = vs->is_extern || !(is_internal(vs) || p->options->whole_program);
  if (external && !SEEDED(EXTERNAL_NOT_GUARDED)) return judge_external(p, vs);
  if (p->kernels_store_pointers && reaches_kernels(p, vs->var))
    return because("a kernel may store its address");
  struct host_uses uses;
  host_uses_of(p->index, vs, &uses);
  if (uses.reason) return (struct verdict){uses.reason, uses.place};
  return add_uses(p, vs, &uses, false);
}

/* ---- memory behind pointers ---- */

/* Adds an edit whose bytes are relative to the variable, or to the variable that a local pointer in
 * the statement was made from. */
static void add_pointed_edit(struct planner *p, struct announcement *one)
{
  struct form begin = one->span.begin, end = one->span.end;
  const struct ir_var *from = one->whole ? NULL : form_take_pointer(&begin),
                      *to = one->whole ? NULL : form_take_pointer(&end);
  if (!from || from != to ||
      (from->kind == IR_VAR_VS && !is_visible(p->unit, from->vs, &one->spot.stmt->place)))
    return;
  struct ir_var *pointer = (struct ir_var *)from;
  *ARENA_PUSH(p->work->arena, &p->work->edits) =
      (struct host_edit){.kind = HOST_USE_POINTED,
                         .place = one->spot.stmt->place,
                         .needs_braces = one->spot.needs_braces,
                         .pointer = pointer,
                         .access = one->access,
                         .begin = form_lower(p->work->arena, &begin, pointer),
                         .end = form_lower(p->work->arena, &end, pointer)};
}

/* Is the announcement worth it? Single elements are not, in functions that may be called for each
 * of many elements with any pointer. */
static bool pays_pointed(const struct host_use *use, const struct announcement *one)
{
  bool argument = use->node->parent && use->node->parent->expr->kind == IR_EXPR_CALL;
  return !one->whole && (one->span.in_loop || argument || use->node->function->may_launch);
}

/* Plans a pointer's memory. The objects are guarded, so only announcements that are possible and
 * worth it are added. */
static void plan_pointer(struct planner *p, struct ir_var *pointer)
{
  struct host_uses uses;
  struct announcements all = {0};
  if (!host_can_be_pointed(p->index, pointer)) return;
  host_pointed_uses(p->index, pointer, &uses);
  for (unsigned i = 0; i < uses.list.count; i++) {
    const struct host_use *use = &uses.list.items[i];
    struct announcement one;
    if (!p->unit->files.items[use->node->expr->place.file].is_main ||
        !place_use(p, &uses, use, &one) || !pays_pointed(use, &one))
      continue;
    const struct ir_place *at = &one.spot.stmt->place;
    bool can =
        p->unit->files.items[at->file].is_main && at->end > at->begin && !at->begins_in_macro;
    if (can) merge(p, &all, &one);
  }
  for (unsigned i = 0; i < all.list.count; i++) add_pointed_edit(p, &all.list.items[i]);
}

static void plan_pointers(struct planner *p)
{
  if (!p->unit->uses_mesi_api) return;
  for (unsigned i = 0; i < p->unit->vs_vars.count; i++) {
    struct vs_var *vs = p->unit->vs_vars.items[i];
    if (unit_vs_definition(p->unit, vs->var) == vs) plan_pointer(p, vs->var);
  }
  for (unsigned i = 0; i < p->unit->functions.count; i++) {
    const struct ir_function *function = p->unit->functions.items[i];
    for (unsigned j = 0; function->body && j < function->var_count; j++)
      plan_pointer(p, function->vars[j]);
  }
}

static struct diag_place shown(const struct unit *unit, const struct ir_place *place)
{
  if (place->file >= unit->files.count) return (struct diag_place){0};
  const struct unit_file *file = &unit->files.items[place->file];
  return (struct diag_place){file->path, place->line, place->column, file->text};
}

static void report(struct planner *p, const struct vs_var *vs, const struct verdict *verdict)
{
  struct diag_place at = shown(p->unit, &vs->name_place), where = shown(p->unit, &verdict->place);
  if (where.file)
    diag_report(p->diag, DIAG_GUARDED, &at, "'%s' is page-guarded: %s at %s:%u", vs->qualified,
                verdict->reason, where.file, where.line);
  else
    diag_report(p->diag, DIAG_GUARDED, &at, "'%s' is page-guarded: %s", vs->qualified,
                verdict->reason);
}

static void plan_variable(struct planner *p, struct vs_var *vs)
{
  struct verdict verdict = judge(p, vs);
  p->work->vs[vs->id] =
      (struct vs_plan){.guarded = verdict.reason != NULL, .guard_reason = verdict.reason};
  if (verdict.reason) report(p, vs, &verdict);
}

static int order(unsigned x, unsigned y) { return (x > y) - (x < y); }

static int compare_edits(const void *left, const void *right)
{
  const struct host_edit *a = left, *b = right;
  if (a->place.file != b->place.file) return order(a->place.file, b->place.file);
  if (a->place.begin != b->place.begin) return order(a->place.begin, b->place.begin);
  /* the outer one first */
  if (a->place.end != b->place.end) return order(b->place.end, a->place.end);
  if (a->kind != b->kind) return order(a->kind, b->kind);
  unsigned x = a->vs ? a->vs->id : 0, y = b->vs ? b->vs->id : 0;
  if (x != y) return order(x, y);
  /* the read variable comes first */
  if (a->pointer == b->pointer && ((a->access ^ b->access) & 8))
    return order(a->access & 8, b->access & 8);
  return order(a->order, b->order);
}

int host_plan(struct unit *unit, struct host_work *work, struct constants *constants,
              const struct plan_options *options, struct diag *diag)
{
  struct planner p = {.unit = unit,
                      .options = options,
                      .work = work,
                      .index = constants_index(constants),
                      .diag = diag};
  work->vs = arena_alloc(work->arena, (unit->vs_vars.count + 1) * sizeof *work->vs);
  p.kernels_store_pointers = unit->uses_mesi_api;
  for (unsigned i = 0; i < unit->vs_vars.count; i++)
    p.kernels_store_pointers =
        p.kernels_store_pointers || may_hold_pointers(unit->vs_vars.items[i]->var->type);
  /* an unknown kernel may have memory for pointers of its own */
  for (unsigned i = 0; i < unit->launches.count; i++) {
    const struct ir_function *kernel = unit->launches.items[i]->kernel;
    p.kernels_store_pointers =
        p.kernels_store_pointers || !kernel || (!kernel->has_definition && !kernel->is_template);
  }
  p.kernels_store_pointers = p.kernels_store_pointers && device_stores_pointers(unit);
  host_launches_analyze(p.index, unit);
  for (unsigned i = 0; i < unit->vs_vars.count; i++)
    if (unit_vs_definition(unit, unit->vs_vars.items[i]->var) == unit->vs_vars.items[i])
      plan_variable(&p, unit->vs_vars.items[i]);
  for (unsigned i = 0; i < unit->vs_vars.count; i++) /* further declarations */
    work->vs[i] = work->vs[unit_vs_definition(unit, unit->vs_vars.items[i]->var)->id];
  plan_pointers(&p);
  host_touch_calls(p.index, unit, work, diag);
  host_batch_loops(unit, work);
  for (unsigned i = 0; i < work->edits.count; i++) work->edits.items[i].order = i;
  if (work->edits.count)
    qsort(work->edits.items, work->edits.count, sizeof *work->edits.items, compare_edits);
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* kernel.c - a kernel's plan: a draft goes through the slots of transforms.c, from top to bottom.
 *
 * A slot is open or not depending on the rows that were taken before: the slot for another body
 * only where the work keeps its mapping, the slot for stages only where the kernel is as written
 * apart from registers. Requires: the facts of launches. Produces: a kernel_plan.
 */
#include "analysis/plan/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/code/read_only.h"
#include "analysis/code/row_load.h"
#include "analysis/code/shape_free.h"
#include "analysis/plan/transforms.h"
#include "analysis/sets/budget.h"

/* For a kernel that is mapped anew: every shape walks it again for each loop. */
enum { MOST_ACCESSES = 200 };
/* The least gain of a mapping over the kernel without its tiles; the tiles by hand have that gain,
 * too. */
#define REWRITE_GAIN 2.0
/* The least gain of a mapping of other axes, which needs numbers of the launch; and what it saves
 * besides: no thread divides its id. (Heat in a cube of 256, on an H200: 0.98 of the time as
 * written with the launch's axes, predicted 1.38; 0.52 with others, predicted 1.44.) */
#define EXTENTS_GAIN 1.10
#define UNDIVIDED_GAIN 1.25
enum {
  MOST_WAYS = 4,
  WAY_PARTS = 2 /* of the steps that are left, one is for the next way */
};

static bool is_tried(const struct draft *draft, const struct transform *row, enum slot slot)
{
  return row->slot == slot && draft->options->level >= row->level;
}

/* In debug and test builds: aborts the translation if a row has left a malformed body. */
static void verify(const struct draft *draft, const char *row, const struct ir_function *function)
{
#ifndef NDEBUG
  const char *wrong = ir_verify_function(draft->code.arena, function);
  if (!wrong) return;
  fprintf(stderr, "mesicc: '%s' leaves '%s' wrong: %s\n", row, function->name, wrong);
  abort();
#else
  (void)draft, (void)row, (void)function;
#endif
}

/* Tries the rows of a slot: until one is taken, or all of them. */
static bool try_rows(struct draft *draft, enum slot slot, bool all)
{
  bool taken = false;

  for (unsigned i = 0; i < transform_count && (all || !taken); i++)
    if (is_tried(draft, &transforms[i], slot) && transforms[i].plan(draft)) {
      taken = true;
      if (slot != SLOT_VERSIONS && slot != SLOT_STAGES) /* settled later; changes no body */
        verify(draft, transforms[i].name,
               draft->changed ? draft->changed : draft->code.facts.kernel);
    }
  return taken;
}

/* ---- MAPPING ---- */

enum { MOST_CALLS = 8 }; /* of functions that call one another */

struct texture_search {
  unsigned depth;
  const struct ir_expr *found; /* the kernel's own call; NULL: none */
};

static void note_texture(struct ir_expr *expr, void *context)
{
  struct texture_search *s = context, inner = {s->depth + 1, NULL};

  if (expr->kind != IR_EXPR_CALL || s->found) return;
  if (expr->text && !strncmp(expr->text, "tex", 3) &&
      ((expr->text[3] && strchr("123", expr->text[3])) || !strncmp(expr->text + 3, "Cubemap", 7)))
    s->found = expr;
  if (expr->effect != IR_EFFECT_CALLEE || !expr->callee || !expr->callee->body) return;
  if (s->depth < MOST_CALLS) ir_visit_stmt_exprs(expr->callee->body, note_texture, &inner);
  if (inner.found) s->found = expr;
}

/* What a fetch takes is no number of the model: textures have units and a cache of their own. */
static bool reads_texture(struct mapping *m)
{
  struct texture_search s = {0};

  if (m->options->mapping != MAPPING_AUTO) return false;
  ir_visit_stmt_exprs(m->from->facts.kernel->body, note_texture, &s);
  if (s.found) map_decline(m, "it reads textures, whose time is not known", &s.found->place);
  return s.found;
}

/* Can the work be mapped anew at all? A remark says why not. Sets m->totals. */
static bool may_be_mapped(struct mapping *m)
{
  const struct code *code = m->from;
  struct code looked = code_copy(m->from, code->remarks);
  const char *reason;
  struct ir_place place;

  if (!shape_free(&looked, &reason, &place)) {
    map_decline(m, reason, &place);
    return false;
  }
  for (unsigned i = 0; i < code->kernel->param_count; i++)
    if (code->kernel->params[i]->type->is_unnamed || !code->kernel->params[i]->name) {
      map_decline(m, "a parameter of it, or its type, has no name", &code->kernel->name_place);
      return false;
    }
  if (reads_texture(m)) return false;
  if (!map_find_totals(m)) {
    map_decline(m, "its grid is too large", &code->kernel->name_place);
    return false;
  }
  code_scan((struct code *)code);
  if (code->access_count > MOST_ACCESSES) {
    map_decline(m, "it has too many accesses", &code->kernel->name_place);
    return false;
  }
  if (code->access.reject) map_decline(m, code->access.reject, &code->access.reject_place);
  return !code->access.reject;
}

/* Tries the rows until one is taken. Other rows add versions to its mapping. */
static void map_by_rows(struct draft *draft, struct mapping *m)
{
  const struct transform *taken = NULL;
  enum outcome outcome = OUTCOME_PASSED;

  for (unsigned i = 0; i < transform_count && outcome == OUTCOME_PASSED; i++)
    if (is_tried(draft, &transforms[i], SLOT_MAPPING)) {
      outcome = transforms[i].map(m);
      taken = outcome == OUTCOME_TAKEN ? &transforms[i] : NULL;
    }
  if (outcome == OUTCOME_ENDED) return;
  if (!taken) m->out = NULL;
  bool added = false;
  for (unsigned i = 0; i < transform_count; i++)
    if (is_tried(draft, &transforms[i], SLOT_MAPPING) && transforms[i].also)
      added |= transforms[i].also(m);
  if (taken && taken->finish) taken->finish(m);
  if (!taken && !added) {
    map_decline(m, m->reason, &m->place);
    return;
  }
  draft->mapping = m->out;
  draft->changed = m->out->versions[0].code;
}

static void plan_mapping(struct draft *draft)
{
  const struct plan_options *options = draft->options;
  struct mapping m = {.from = &draft->code,
                      .stager = draft->stager,
                      .options = options,
                      .target = target_of(options->tuned_for),
                      .dump = draft->dump,
                      .regained = draft->extents ? draft->extents->regained : 0,
                      .divisions = draft->extents ? draft->extents->divisions : 0,
                      .as_many = draft->extents && draft->extents->as_many};

  if (options->level < PLAN_O2 || options->mapping == MAPPING_NEVER ||
      options->mapping == MAPPING_TEAM || !may_be_mapped(&m))
    return;
  map_shapes(&m);
  map_by_rows(draft, &m);
}

/* ---- the end of a plan ---- */

static void dump_registers(struct draft *draft)
{
  const struct remarks *remarks = draft->code.remarks;

  for (unsigned i = 0; i < remarks->items.count; i++)
    if (remarks->items.items[i].id == DIAG_PROMOTED)
      text_format(draft->dump, "  plan promote: %s\n", remarks->items.items[i].text);
}

/* Marks loads. Elements that stay over a loop may be loaded past the stores of the iteration
 * before. */
static void mark_loads(struct draft *draft)
{
  struct code *code = &draft->code;

  code->facts.kernel->body = read_only_loads(code, code->facts.kernel->body, true);
  row_loads(code->arena, code->facts.kernel);
  draft_own_body(draft);
}

/* The kernel without registers in front of loops. If they are the only change they cost more than
 * they gain, because the parser of the emitted code then merges fewer loads (bodies: 1.13 of the
 * time, on an H100). */
static struct ir_function *bare_code(struct draft *draft)
{
  struct remarks unused = {0};
  struct code bare = draft->code;

  bare.scanned = false;
  bare.remarks = &unused;
  bare.facts.kernel = draft->bare;
  bare.facts.kernel->body = read_only_loads(&bare, bare.facts.kernel->body, true);
  code_drop_scan(&bare);
  return bare.facts.kernel;
}

#define FORGET(list, range) \
  do { \
    memmove((list).items + (range).from, (list).items + (range).to, \
            ((list).count - (range).to) * sizeof *(list).items); \
    (list).count -= (range).to - (range).from; \
  } while (0)

/* Drops the registers, because no other transformation uses them. */
static void drop_hoists(struct draft *draft)
{
  struct remarks *remarks = draft->code.remarks;

  code_drop_scan(&draft->code);
  draft->code.facts.kernel = draft->bare;
  draft_own_body(draft);
  draft->promoted = 0;
  draft->hoisted = false;
  FORGET(remarks->items, draft->hoists_said[0]);
  FORGET(remarks->decisions, draft->hoists_said[1]);
}

/* Gives the bodies of a mapping nodes of their own. */
static void settle_mapping(struct draft *draft)
{
  struct arena *arena = draft->code.arena;
  struct kernel_mapping *mapping = draft->mapping;

  if (mapping) mapping->total_z = &version_total_z;
  if (draft->bare && mapping && mapping->plain)
    mapping->plain = bare_code(draft);
  else if (draft->hoisted && mapping && mapping->plain)
    mark_loads(draft);
  if (draft->hoisted && draft->changed) row_loads(arena, draft->changed);
  for (unsigned i = 1; draft->hoisted && mapping && i < mapping->version_count; i++)
    row_loads(arena, mapping->versions[i].code);
  if (draft->changed) ir_own_body(arena, draft->changed);
  for (unsigned i = 1; mapping && i < mapping->version_count; i++)
    ir_own_body(arena, mapping->versions[i].code);
  if (mapping && mapping->plain) ir_own_body(arena, mapping->plain);
  for (unsigned i = 0; mapping && i < mapping->version_count; i++)
    verify(draft, "mapping", mapping->versions[i].code);
}

/* Records the decisions about the places that have another form. */
static void settle_form(struct draft *draft, bool used)
{
  struct code *code = &draft->code;
  const char *unused = "no other transformation takes the kernel";

  for (unsigned i = 0; i < draft->formed.count; i++) {
    const struct formed *f = &draft->formed.items[i];
    if (!used && f->taken == f->declined) continue;
    code_decide(code, (struct decision){.kind = DECISION_FORM,
                                        .taken = used,
                                        .place = f->place,
                                        .array = f->array,
                                        .what = f->what,
                                        .why = used ? NULL : unused});
    code_remark(code, used ? f->taken : f->declined, &f->place, "'%s' %s %s%s%s",
                code->kernel->name, used ? "gets" : "does not get", f->what, used ? "" : ": ",
                used ? "" : unused);
  }
}

static bool has_tiles(const struct remarks *remarks)
{
  for (unsigned i = 0; i < remarks->decisions.count; i++)
    if (remarks->decisions.items[i].taken && remarks->decisions.items[i].kind == DECISION_TILES)
      return true;
  return false;
}

/* Maps a copy that computes the same, if the mapping gains enough over the tiles by hand. */
static bool map_rewritten(struct draft *draft)
{
  struct code *code = &draft->code;
  struct remarks remarks = {0};
  struct draft trial = *draft;

  trial.code = code_copy(code, &remarks);
  bool found = try_rows(&trial, SLOT_REWRITE, true);
  if (found) plan_mapping(&trial);
  bool taken = trial.mapping && trial.mapping->gain >= REWRITE_GAIN && has_tiles(&remarks);
  if (taken) {
    settle_form(&trial, true);
    struct ir_function *written = ir_copy_function(code->arena, code->facts.kernel);
    trial.mapping->plain = trial.mapping->plain && !trial.extents ? written : NULL;
    trial.mapping->extents = trial.extents;
    if (trial.extents) trial.mapping->written = written;
    draft->mapping = trial.mapping;
    draft->changed = trial.changed;
  } else if (found) {
    remarks = (struct remarks){0};
    settle_form(&trial, false);
  }
  remarks_append(code->arena, code->remarks, &remarks);
  code_finish(&trial.code);
  return taken;
}

/* The marks behind which an attempt's remarks come. */
struct marks {
  unsigned items, decisions, plans;
};

static struct marks marks_of(const struct remarks *r)
{
  return (struct marks){r->items.count, r->decisions.count, r->plans.count};
}

static void back_to(struct remarks *r, struct marks marks)
{
  r->items.count = marks.items;
  r->decisions.count = marks.decisions;
  r->plans.count = marks.plans;
}

/* The best mapping of a copy of `from` whose elements have other axes than the launch. False: there
 * is none. */
static bool best_extents(struct draft *from, struct draft *ret, struct remarks *ret_remarks)
{
  bool found = false;

  for (unsigned way = 0; way < MOST_WAYS; way++) {
    struct remarks remarks = {0};
    struct draft trial = *from;
    unsigned long begun = budget_begin_part(WAY_PARTS);
    trial.way = way;
    trial.code = code_copy(&from->code, &remarks);
    bool tried = try_rows(&trial, SLOT_EXTENTS, false);
    tried |= try_rows(&trial, SLOT_ORDER, false);
    from->kept_axes = trial.kept_axes;
    from->kept_axes_place = trial.kept_axes_place;
    if (tried) {
      try_rows(&trial, SLOT_REGISTERS, true);
      plan_mapping(&trial);
    }
    budget_end_part(begun);
    bool better = trial.mapping && (!found || trial.mapping->gain > ret->mapping->gain);
    if (better && found) code_finish(&ret->code);
    if (better) {
      *ret = trial;
      *ret_remarks = remarks;
      found = true;
    } else {
      code_finish(&trial.code);
    }
    if (!tried) break;
  }
  return found;
}

/* Takes the mapping of other axes in the place of the one that there is. `before`: the remarks
 * without that. */
static void take_extents(struct draft *draft, const struct draft *best,
                         const struct remarks *remarks, struct marks before)
{
  struct arena *arena = draft->code.arena;
  struct remarks *all = draft->code.remarks;

  back_to(all, before);
  remarks_append(arena, all, remarks);
  code_finish(&draft->code);
  *draft = *best;
  draft->code.remarks = all;
  draft->mapping->extents = best->extents;
  draft->mapping->plain = NULL;
  draft->mapping->written = ir_copy_function(arena, draft->code.kernel);
}

/* Says why the axes keep an order in which neighbours are far apart. */
static void report_kept_axes(struct draft *draft)
{
  struct code *code = &draft->code;

  if (!draft->kept_axes || draft->mapping) return;
  code_decide(code, (struct decision){.kind = DECISION_FORM,
                                      .place = draft->kept_axes_place,
                                      .why = draft->kept_axes});
  code_remark(code, DIAG_AXES_KEPT, &draft->kept_axes_place, "'%s' keeps the order of its axes: %s",
              code->kernel->name, draft->kept_axes);
}

/* Maps the code in its forms, by the rows for a mapping and those that add versions: with other
 * axes than the launch's where that gains more, or enough. */
static void map_formed(struct draft *draft)
{
  struct draft best;
  struct remarks remarks = {0};
  struct marks before = marks_of(draft->code.remarks);
  bool forced = draft->options->mapping != MAPPING_AUTO,
       found = best_extents(draft, &best, &remarks),
       clear = found && best.mapping->gain >= REWRITE_GAIN && !forced;

  try_rows(draft, SLOT_REGISTERS, true);
  if (!clear) {
    dump_registers(draft);
    plan_mapping(draft);
  }
  if (!found || !forced) try_rows(draft, SLOT_VERSIONS, true); /* a forced one is taken */
  report_kept_axes(draft);
  if (!found) return;
  double margin = clear ? REWRITE_GAIN : UNDIVIDED_GAIN,
         other = draft->mapping ? draft->mapping->gain : 0;
  if (forced || (best.mapping->gain > EXTENTS_GAIN && other < best.mapping->gain * margin))
    take_extents(draft, &best, &remarks, before);
  else
    code_finish(&best.code);
}

static bool stages_others(struct draft *draft,
                          bool (*covers)(const void *context, const struct ir_var *),
                          const void *context)
{
  const struct kernel_facts *facts = &draft->code.facts;
  struct plan_options options = *draft->options;
  struct kernel_plan other = {0};
  bool more = false;

  if (!facts_block_is_constant(facts) && !facts->repeatable) return false;
  plan_kernel(draft->code.effects, draft->stager, facts, &options, &other);
  for (unsigned i = 0; i < other.stage_count; i++)
    more |= !other.stages[i].only_beside && !covers(context, other.stages[i].array);
  kernel_plan_finish(&other);
  return more;
}

/* The code in its form, which gains by itself. */
static void print_form(struct draft *draft)
{
  draft->changed = draft->code.facts.kernel;
  draft->suffix = "formed";
  draft->note = "in another form";
}

/* Tries the slots for another body, then stages, then the last slot. */
static void plan_in_place(struct draft *draft)
{
  bool staged = false, changed = draft->changed || try_rows(draft, SLOT_BODY, false);

  if (changed)
    code_decide(&draft->code,
                (struct decision){.kind = DECISION_STAGING,
                                  .why = "the kernel is changed in another way, which goes first"});
  else
    staged = try_rows(draft, SLOT_STAGES, false);
  if (draft->bare && !draft->mapping && !changed && !staged) drop_hoists(draft);
  if (!changed && !staged && !try_rows(draft, SLOT_LAST, false) && draft->alone) print_form(draft);
  if (draft->hoisted && !draft->mapping && !staged) mark_loads(draft);
}

static enum vector_loads vectors_of(const struct plan_options *options)
{
  enum { FIRST_APART = 100 }; /* Blackwell: another front end of nvcc's */

  if (options->arch >= FIRST_APART) return VECTORS_APART;
  bool older = options->newest_arch && options->newest_arch < FIRST_APART;
  return older ? VECTORS_WHOLE : VECTORS_EITHER;
}

struct ir_function *plan_kernel_code(struct unit *unit, struct effects *effects,
                                     struct stager *stager, const struct kernel_facts *facts,
                                     const struct plan_options *options, struct kernel_plan *ret)
{
  struct draft draft = {.options = options,
                        .stager = stager,
                        .dump = &ret->plan,
                        .plan = ret,
                        .stages_others = stages_others};

  memset(ret, 0, sizeof *ret);
  code_init(&draft.code, unit, effects, facts, &ret->remarks);
  draft.code.fast_math = options->fast_math;
  draft.code.reorders = options->associative;
  draft.code.vectors = vectors_of(options);
  if (facts->assumed) code_ask_assumed(&draft.code, &draft.no_alias);
  if (!map_rewritten(&draft)) {
    /* other forms may show more of the memory that parameters lead to */
    if (try_rows(&draft, SLOT_FORM, true) && facts->assumed)
      code_ask_assumed(&draft.code, &draft.no_alias);
    map_formed(&draft);
  } else if (!draft.mapping->extents) {
    try_rows(&draft, SLOT_VERSIONS, true);
  }
  settle_mapping(&draft);
  plan_in_place(&draft);
  if (!draft.plan->stage_count) try_rows(&draft, SLOT_FINISH, true);
  ret->promoted = draft.promoted;
  ret->mapping = draft.mapping;
  ret->suffix = draft.suffix;
  ret->note = draft.note;
  ret->restricted = draft.restricted;
  ret->added = draft.added;
  ret->no_alias = draft.no_alias;
  settle_form(&draft, ret->mapping || draft.changed || ret->promoted || ret->stage_count);
  code_finish(&draft.code);
  bool rewritten = ret->promoted || (draft.formed.count && ret->stage_count);
  return draft.changed ? draft.changed : rewritten ? draft.code.facts.kernel : facts->kernel;
}

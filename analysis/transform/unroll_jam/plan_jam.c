/* SPDX-License-Identifier: MIT */
/* plan_jam.c - loops that run several iterations at once, because these load common elements in any
 * case or by a check of the launch.
 *
 *     for (p...) { sum = 0; for (k...) for (f...) sum += v[b[p * F + f] + k * K[f]]; out[p] = sum;
 *         }
 *   =>  a code with 8 iterations at once,
 *       for the launches at which b has the same element in all of them for some f
 *
 * Requires: segments whose bases a loop takes from a table (segments.c), with an inner loop.
 * Produces: the code, and the conditions that the launch checks. Gives up with a remark: a loop
 * that does not fit (jam.c), or iterations with too many values of their own for a thread's
 * registers.
 */
#include "analysis/transform/unroll_jam/plan_jam.h"

#include "analysis/sets/budget.h"
#include "analysis/transform/unroll_jam/jam.h"
#include "analysis/model/model.h"

enum {
  TOGETHER = 4 /* in any case */,
  INNER = 4,
  OUTER = 2,
  FEWER = 2 /* of both */,
  MOST_WORDS = 96 /* in registers, of the iterations' own */,
  OTHER_REGISTERS = 24
};

#define REGISTERS 65536.0 /* of a multiprocessor */

/* The words of variables that each iteration has for itself, with one for each differing load. */
static unsigned own_words(const struct jam *j)
{
  int64_t words = 0;

  for (unsigned i = 0; i < j->var_count; i++)
    if (j->own[i] && j->varies[i] && j->code->vars[i]->type->size > 0)
      words += (j->code->vars[i]->type->size + 3) / 4;
  words += (int64_t)j->loads * (j->array ? (j->array->element->size + 3) / 4 : 1);
  return words < MOST_WORDS ? (unsigned)words : MOST_WORDS;
}

static struct ir_var *bits(struct unit *unit, const char *wanted)
{
  static const struct ir_type type = {
      .kind = IR_TYPE_INT, .spelling = "unsigned", .size = 4, .align = 4, .extent = -1};
  struct ir_var *var = ARENA_NEW(unit->arena, struct ir_var);

  var->id = UINT32_MAX;
  var->kind = IR_VAR_LOCAL;
  var->name = unit_local_name(unit, wanted);
  var->type = &type;
  return var;
}

/* Bytes of the cache for each resident thread. The MPF sample on an H200: up to 150 bytes a thread,
 * 8 iterations at once take 0.16 to 1 of the time; at 290 bytes 0.8 to 1.03, at 380 bytes 2.4, at
 * 740 bytes 6.5 times as long, since lines are evicted before they are used up. */
static unsigned cache_of_thread(const struct jam *j, unsigned arch)
{
  const struct target *target = target_of(arch);
  double resident = REGISTERS / (OTHER_REGISTERS + own_words(j) * j->count);

  return (unsigned)((double)target->shared_per_sm /
                    (resident < target->threads_per_sm ? resident : target->threads_per_sm));
}

static void tell(struct jam *j, const char *why, struct remarks *remarks)
{
  struct arena *arena = j->unit->arena;
  const char *kernel = j->symbols->facts->kernel->name,
             *iterator = j->loop->loop ? j->loop->loop->iterator->name : "?";
  struct ir_place place = j->why ? j->place : j->loop->place;
  struct decision decision = {.kind = DECISION_REGISTERS,
                              .taken = !why,
                              .place = place,
                              .array = j->array->var->name,
                              .why = why};

  if (!why)
    decision.what = arena_format(
        arena, "%u iterations of %s at once, where the launch finds elements in common", j->count,
        iterator);
  remarks_decide(arena, remarks, &decision);
  *ARENA_PUSH(arena, &remarks->items) = (struct remark){
      why ? DIAG_NOT_JAMMED : DIAG_JAMMED, place,
      why ? arena_format(arena,
                         "iterations of the loop over '%s' in '%s' run one after another: %s",
                         iterator, kernel, why)
          : arena_format(arena,
                         "%u iterations of the loop over '%s' in '%s' run at once where the launch "
                         "finds that they have elements of '%s' in common",
                         j->count, iterator, kernel, j->array->var->name),
      budget_is_spent()};
}

const struct several *plan_jam(struct unit *unit, unsigned arch, struct symbols *symbols,
                               const struct kernel_access *access, const struct candidate *c,
                               struct remarks *remarks)
{
  struct jam j = {.unit = unit,
                  .symbols = symbols,
                  .access = access,
                  .array = c->array,
                  .segment = c->segmentation->segment,
                  .count = INNER * OUTER,
                  .inner = INNER};

  if (!c->segmentation->grouped || !c->segmentation->loop) return NULL;
  j.code = ir_copy_function(unit->arena, symbols->facts->kernel);
  j.loop = (struct ir_stmt *)c->segmentation->loop;
  j.differs[0] = bits(unit, "_inner");
  j.differs[1] = bits(unit, "_outer");
  bool fits = jam_fits(&j);
  if (fits && own_words(&j) * j.count > MOST_WORDS) j.count = FEWER * FEWER, j.inner = FEWER;
  const char *why = !fits ? j.why
                    : own_words(&j) * j.count > MOST_WORDS
                        ? "its iterations have too much of their own for a thread's registers"
                        : NULL;
  tell(&j, why, remarks);
  if (why) return NULL;
  jam_build(&j);
  struct several *jammed = ARENA_NEW(unit->arena, struct several);
  *jammed = (struct several){.code = j.code,
                             .suffix = "jammed",
                             .picks = "mesi_plan_kernel_numbered",
                             .room = "mesi_numbered_room",
                             .iterator = j.loop->loop->iterator,
                             .count = j.count,
                             .inner = j.inner,
                             .cache = cache_of_thread(&j, arch),
                             .differs = {j.differs[0], j.differs[1]},
                             .no_alias = j.no_alias.items,
                             .no_alias_count = j.no_alias.count};
  return jammed;
}

/* ---- elements that all iterations load ---- */

#define WORTH \
  1.3 /* loads as written over those of several iterations at once; what is left pays for longer \
         code and more registers */

static bool pays(const struct jam *j)
{
  double written = (double)j->loads * j->count,
         together = (double)(j->loads - j->common) * j->count + j->common;
  int64_t bound;

  if (ir_constant(ir_strip(j->loop->loop->bound), &bound) && bound < j->count) return false;
  return written >= WORTH * together && own_words(j) * j->count <= MOST_WORDS;
}

struct loop_search {
  struct code *code;
  struct jam found;
  bool any;
};

static bool try_loop(struct ir_stmt *stmt, void *context)
{
  struct loop_search *s = context;
  struct jam j = {.unit = s->code->unit,
                  .symbols = &s->code->symbols,
                  .access = &s->code->access,
                  .code = s->code->facts.kernel,
                  .loop = stmt,
                  .count = TOGETHER,
                  .inner = TOGETHER};

  if (stmt->kind != IR_STMT_FOR || s->any) return !s->any;
  if (!jam_fits(&j)) {
    if (j.common) /* without this it would have been one */
      code_remark(s->code, DIAG_NOT_JAMMED, &j.place,
                  "iterations of the loop over '%s' in '%s' run one after another: %s",
                  stmt->loop->iterator->name, s->code->kernel->name, j.why);
    return true;
  }
  if (!pays(&j) || (j.no_alias.count && !s->code->facts.repeatable)) return true;
  s->found = j;
  s->any = true;
  return false;
}

struct ir_function *plan_jammed_loop(struct code *code, struct no_alias_list *ret_no_alias,
                                     const char **ret_note)
{
  struct loop_search s = {.code = code};
  const char *name;

  code_scan(code);
  if (code->access.reject) return NULL;
  ir_visit_stmts(code->facts.kernel->body, try_loop, &s);
  if (!s.any) return NULL;
  name = s.found.loop->loop->iterator->name;
  s.found.code = ir_copy_function(code->arena, code->facts.kernel);
  jam_build(&s.found);
  *ret_no_alias = s.found.no_alias;
  *ret_note = arena_format(
      code->arena,
      "with %u iterations of the loop over %s at once, which load in common what they can",
      s.found.count, name);
  code_decide(code, (struct decision){
                        .kind = DECISION_REGISTERS,
                        .taken = true,
                        .place = s.found.loop->place,
                        .what = arena_format(code->arena, "%u iterations of %s at once",
                                             s.found.count, name),
                        .why = arena_format(code->arena, "%u of %u loads are common to all of them",
                                            s.found.common, s.found.loads)});
  code_remark(code, DIAG_JAMMED, &s.found.loop->place,
              "%u iterations of the loop over '%s' in '%s' run at once: %u of %u loads are common "
              "to all of them",
              s.found.count, name, code->kernel->name, s.found.common, s.found.loads);
  return s.found.code;
}

bool plan_unroll_jam(struct draft *draft)
{
  struct ir_function *jammed = plan_jammed_loop(&draft->code, &draft->no_alias, &draft->note);

  if (!jammed) return false;
  text_format(draft->dump, "  plan jam: %s\n", draft->note);
  draft->suffix = "jammed";
  code_drop_scan(&draft->code);
  draft->code.facts.kernel = jammed;
  draft_own_body(draft);
  draft->changed = jammed;
  return true;
}

/* plan_jam.c - loops whose iterations run several at once because the launch finds what they load in common.
 *
 *     for (p...) { sum = 0; for (k...) for (f...) sum += v[b[p * F + f] + k * K[f]]; out[p] = sum; }
 *   =>  a code with 8 iterations at once, for the launches at which b has the same element in all of them for some f
 *
 * Requires: segments whose bases a loop takes from a table (refresh.c), with an inner loop. Produces: the code, and what the launch has to ask.
 * Gives up with a remark: a loop that does not fit (jam.c), iterations that have too much of their own for a thread's registers.
 */
#include "analysis/plan_jam.h"

#include "analysis/jam.h"

enum { INNER = 4, OUTER = 2, FEWER = 2 /* of both */, MOST_WORDS = 96 /* in registers, of the iterations' own */ };

/* Words of variables that each iteration has for itself, with one for each load that differs. */
static unsigned own_words(const struct jam *j)
{
  int64_t words = 0;

  for (unsigned i = 0; i < j->var_count; i++)
    if (j->own[i] && j->varies[i] && j->code->vars[i]->type->size > 0)
      words += (j->code->vars[i]->type->size + 3) / 4;
  words += (int64_t)j->loads * (j->array->element->size + 3) / 4;
  return words < MOST_WORDS ? (unsigned)words : MOST_WORDS;
}

static struct ir_var *bits(struct unit *unit, const char *wanted)
{
  static const struct ir_type type = { .kind = IR_TYPE_INT, .spelling = "unsigned", .size = 4, .align = 4, .extent = -1 };
  struct ir_var *var = ARENA_NEW(unit->arena, struct ir_var);

  var->id = UINT32_MAX;
  var->kind = IR_VAR_LOCAL;
  var->name = unit_local_name(unit, wanted);
  var->type = &type;
  return var;
}

const struct jammed *plan_jam(struct unit *unit, struct symbols *symbols, const struct kernel_access *access, const struct candidate *c,
                              struct jam_outcome *ret)
{
  struct jam j = { .unit = unit, .symbols = symbols, .access = access, .array = c->array, .segment = c->refresh->segment, .count = INNER * OUTER, .inner = INNER };

  *ret = (struct jam_outcome){ .place = c->place };
  if (!c->refresh->grouped || !c->refresh->loop)
    return NULL;
  j.code = ir_copy_function(unit->arena, symbols->facts->kernel);
  j.loop = (struct ir_stmt *)c->refresh->loop;
  j.unrolled = c->refresh->even ? c->refresh->even->loop : NULL;
  j.differs[0] = bits(unit, "_inner");
  j.differs[1] = bits(unit, "_outer");
  bool fits = jam_fits(&j);
  if (fits && own_words(&j) * j.count > MOST_WORDS)
    j.count = FEWER * FEWER, j.inner = FEWER;
  ret->why = !fits ? j.why : own_words(&j) * j.count > MOST_WORDS ? "its iterations have too much of their own for a thread's registers" : NULL;
  ret->place = j.why ? j.place : j.loop->place;
  ret->iterator = j.loop->loop ? j.loop->loop->iterator->name : NULL;
  ret->count = j.count;
  if (ret->why)
    return NULL;
  jam_build(&j);
  struct jammed *jammed = ARENA_NEW(unit->arena, struct jammed);
  *jammed = (struct jammed){ j.code, j.loop->loop->iterator, j.count, j.inner, { j.differs[0], j.differs[1] }, j.apart.items, j.apart.count };
  return jammed;
}

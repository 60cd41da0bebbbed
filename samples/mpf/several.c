/* several.c - buckets that sum several variables (equation 4 of the MPF paper).
 *
 * A variable of a bucket that no table outside of it has can be summed there and then. For
 * f(a, b, c) g(b, c), where a is summed and b would be next:
 *
 *     h(b, c) = sum over a of f g,  k(c) = sum over b of h    becomes    k(c) = sum over a, b of f
 * g
 *
 * The operations as the paper counts them are the same, |c| (|a| |b| F - 1); h is neither written
 * nor read, and there is a launch less. What may get worse is that fewer outputs are computed at
 * once: variables stay where too few of them would be left. */
#include <math.h>
#include <string.h>

#include "solver.h"

bool mpf_sums_several(const struct mpf_solver *solver)
{
  return solver->options->several && !solver->options->marginals;
}

enum { INPUT = 1, ELSEWHERE = 2 };

static void mark(const struct mpf_list *list, unsigned char what, unsigned char *marks)
{
  for (unsigned i = 0; i < list->count; i++)
    for (unsigned k = list->items[i]->count; k-- > 0;) marks[list->items[i]->places[k]] |= what;
}

/* log2 of the values of the inputs' variables that are kept, and of those that are not. */
static void measure(const struct mpf_solver *solver, double *ret_outputs, double *ret_summands)
{
  *ret_outputs = *ret_summands = 0;
  for (unsigned place = 0; place < solver->count; place++)
    if (solver->fixed[place] < 0 && solver->marks[place] & INPUT)
      *(solver->kept[place] ? ret_outputs : ret_summands) += log2(solver->domains[place]);
}

void mpf_sum_several(struct mpf_solver *solver, const struct mpf_list *inputs,
                     const struct mpf_list *rest)
{
  const double most_summands = log2(MPF_MOST_SUMMANDS);
  double outputs, summands;

  memset(solver->marks, 0, solver->count);
  mark(inputs, INPUT, solver->marks);
  mark(rest, ELSEWHERE, solver->marks);
  measure(solver, &outputs, &summands);
  double least = log2((double)mpf_engine_least_outputs(
      &solver->engine, exp2(outputs + summands) * (inputs->count ? inputs->count : 1)));
  for (unsigned place = solver->count; place-- > 0;) {
    double domain = log2(solver->domains[place]);
    if (solver->marks[place] != INPUT || !solver->kept[place] || solver->fixed[place] >= 0 ||
        outputs - domain < least || summands + domain > most_summands)
      continue;
    solver->kept[place] = false;
    outputs -= domain;
    summands += domain;
  }
}

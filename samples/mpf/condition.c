/* condition.c - which variable to set where a table would be too large: the one that leaves the
 * smallest largest table, found by going through the rest of the elimination with scopes only. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scopes.h"

/* log2 of the largest table that comes, plus a little for the work. */
static double largest_table(const struct mpf_solver *solver, struct mpf_scopes *scopes,
                            unsigned first_place, int without)
{
  double largest = 0, work = 0;

  for (unsigned i = 0; without >= 0 && i < scopes->count; i++)
    mpf_scope_clear(mpf_scope_row(scopes, i), (unsigned)without);
  for (unsigned place = first_place + 1; place-- > 0;) {
    const uint64_t *row = solver->fixed[place] < 0 && (int)place != without
                              ? mpf_scopes_join(scopes, place, NULL)
                              : NULL;
    double size = row ? mpf_scope_log2_size(solver, row, scopes->words) : 0;
    largest = size > largest ? size : largest;
    work += exp2(size);
  }
  return largest + log2(work + 1) / 64;
}

int mpf_condition_choose(const struct mpf_solver *solver, const struct mpf_list *live,
                         unsigned first_place)
{
  struct mpf_scopes scopes;
  uint64_t *cluster = calloc((solver->count + 63) / 64 + 1, sizeof *cluster);
  double best = INFINITY;
  int chosen = -1;

  if (!mpf_scopes_begin(solver, live, &scopes) && cluster) {
    mpf_scopes_fill(solver, live, &scopes);
    const uint64_t *joined = mpf_scopes_join(&scopes, first_place, NULL);
    if (joined) memcpy(cluster, joined, scopes.words * sizeof *cluster);
    for (unsigned place = 0; place < first_place; place++) {
      if (!mpf_scope_has(cluster, place)) continue;
      mpf_scopes_fill(solver, live, &scopes);
      double largest = largest_table(solver, &scopes, first_place, (int)place) +
                       log2(solver->domains[place]) / 2;
      if (largest < best) best = largest, chosen = (int)place;
    }
  }
  free(cluster);
  mpf_scopes_end(&scopes);
  return chosen;
}

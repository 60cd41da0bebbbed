/* forecast.c - memory and operations of an elimination.
 *
 * The elimination is gone through with scopes only, a table freed where its bucket is done. Where a
 * table would not fit, one of its variables counts as set, the one that leaves the smallest largest
 * table, and what follows counts once for each of its values; the tables made so far stay for the
 * next value.
 */
#include "forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scopes.h"

struct course {
  const struct mpf_solver *solver;
  struct mpf_scopes scopes, copy;
  double *bytes;    /* by scope: of a table that is freed with its bucket; owned */
  uint64_t *summed; /* scratch, a row; owned */
  double used, memory;
  struct mpf_forecast *ret;
};

static double bytes_of(const struct course *course, const uint64_t *row)
{
  return exp2(mpf_scope_log2_size(course->solver, row, course->scopes.words)) *
         (double)sizeof(real);
}

static void copy_scopes(struct course *course)
{
  memcpy(course->copy.rows, course->scopes.rows,
         (size_t)course->scopes.count * course->scopes.words * sizeof *course->scopes.rows);
  memcpy(course->copy.left, course->scopes.left,
         course->scopes.count * sizeof *course->scopes.left);
}

/* The largest table from `place` on, without one variable. */
static double largest_without(struct course *course, unsigned place, unsigned without)
{
  double largest = 0;

  copy_scopes(course);
  for (unsigned i = 0; i < course->copy.count; i++)
    mpf_scope_clear(mpf_scope_row(&course->copy, i), without);
  for (unsigned p = place + 1; p-- > 0;) {
    const uint64_t *row = p == without ? NULL : mpf_scopes_join(&course->copy, p, NULL);
    largest = row ? fmax(largest, bytes_of(course, row)) : largest;
  }
  return largest;
}

/* Sets a variable of the table that `place` leaves. false: it has none. */
static bool set_one(struct course *course, unsigned place, const uint64_t *table)
{
  double best = INFINITY;
  unsigned chosen = place;

  for (unsigned p = 0; p < place; p++) {
    double largest = mpf_scope_has(table, p) ? largest_without(course, place, p) : INFINITY;
    if (largest < best) best = largest, chosen = p;
  }
  for (unsigned i = 0; chosen < place && i < course->scopes.count; i++) {
    mpf_scope_clear(mpf_scope_row(&course->scopes, i), chosen);
    course->bytes[i] = 0;
  }
  course->ret->conditions *= chosen < place ? course->solver->domains[chosen] : 1;
  return chosen < place;
}

static void eliminate(struct course *course, unsigned place)
{
  struct mpf_scopes *scopes = &course->scopes;
  unsigned count = 0, first = 0;
  double freed = 0;

  for (unsigned i = scopes->count; i-- > 0;)
    if (scopes->left[i] && mpf_scope_has(mpf_scope_row(scopes, i), place)) {
      freed += course->bytes[i];
      course->bytes[i] = 0;
      first = i;
      count++;
    }
  const uint64_t *row = mpf_scopes_join(scopes, place, course->summed);
  if (!row) return;
  course->bytes[first] = bytes_of(course, row);
  course->used += course->bytes[first];
  course->ret->bytes = fmax(course->ret->bytes, course->used);
  course->used -= freed;
  course->ret->flop +=
      course->ret->conditions * course->bytes[first] / (double)sizeof(real) *
      (exp2(mpf_scope_log2_size(course->solver, course->summed, scopes->words)) * count - 1);
}

/* Variables of the table that `place` leaves count as set until it fits. */
static void make_room(struct course *course, unsigned place)
{
  for (;;) {
    copy_scopes(course);
    const uint64_t *row = mpf_scopes_join(&course->copy, place, NULL);
    double room = course->memory - course->used;
    if (!row || bytes_of(course, row) <= (course->ret->conditions > 1 ? room / 2 : room)) return;
    uint64_t *table = malloc(course->scopes.words * sizeof *table);
    if (table) memcpy(table, row, course->scopes.words * sizeof *table);
    bool set = table && set_one(course, place, table);
    free(table);
    if (!set) return;
  }
}

int mpf_forecast(const struct mpf_solver *solver, const struct mpf_list *live, double memory,
                 struct mpf_forecast *ret)
{
  struct course course = {.solver = solver,
                          .bytes = calloc(live->count + 1, sizeof *course.bytes),
                          .summed = calloc(solver->count / 64 + 1, sizeof *course.summed),
                          .memory = memory,
                          .ret = ret};
  int status = mpf_scopes_begin(solver, live, &course.scopes);

  *ret = (struct mpf_forecast){.conditions = 1};
  status = mpf_scopes_begin(solver, live, &course.copy) || status || !course.bytes || !course.summed
               ? -1
               : 0;
  if (!status) {
    mpf_scopes_fill(solver, live, &course.scopes);
    for (unsigned place = solver->count; place-- > 0;) {
      make_room(&course, place);
      eliminate(&course, place);
    }
  }
  mpf_scopes_end(&course.scopes);
  mpf_scopes_end(&course.copy);
  free(course.bytes);
  free(course.summed);
  return status;
}

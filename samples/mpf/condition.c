/* condition.c - which variable to set where a table would be too large: the one that leaves the smallest largest table, found
 * by going through the rest of the elimination with scopes only. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solver.h"

struct scopes { /* bit sets over places */
  unsigned count, words;
  uint64_t *rows;        /* [scope * words] */
  bool *left;
};

static uint64_t *row_of(const struct scopes *scopes, unsigned i)
{
  return scopes->rows + (size_t)i * scopes->words;
}

static bool has(const uint64_t *row, unsigned place)
{
  return row[place / 64] >> place % 64 & 1;
}

static void clear(uint64_t *row, unsigned place)
{
  row[place / 64] &= ~(UINT64_C(1) << place % 64);
}

static double log2_size(const struct mpf_solver *solver, const uint64_t *row, unsigned words)
{
  double size = 0;

  for (unsigned w = 0; w < words; w++)
    for (uint64_t bits = row[w]; bits; bits &= bits - 1)
      size += log2(solver->domains[w * 64 + (unsigned)__builtin_ctzll(bits)]);
  return size;
}

static void fill(const struct mpf_solver *solver, const struct mpf_list *live, struct scopes *scopes)
{
  memset(scopes->rows, 0, (size_t)scopes->count * scopes->words * sizeof *scopes->rows);
  for (unsigned i = 0; i < live->count; i++) {
    scopes->left[i] = true;
    for (unsigned k = 0; k < live->items[i]->count; k++) {
      unsigned place = live->items[i]->places[k];
      if (solver->fixed[place] < 0)
        row_of(scopes, i)[place / 64] |= UINT64_C(1) << place % 64;
    }
  }
}

/* Joins the scopes that have `place` into the first of them, without it. That scope, or NULL. */
static uint64_t *join(struct scopes *scopes, unsigned place)
{
  uint64_t *joined = NULL;

  for (unsigned i = 0; i < scopes->count; i++) {
    if (!scopes->left[i] || !has(row_of(scopes, i), place))
      continue;
    for (unsigned w = 0; joined && w < scopes->words; w++)
      joined[w] |= row_of(scopes, i)[w];
    scopes->left[i] = !joined;
    joined = joined ? joined : row_of(scopes, i);
  }
  if (joined)
    clear(joined, place);
  return joined;
}

/* log2 of the largest table that comes, plus a little for the work. */
static double largest_table(const struct mpf_solver *solver, struct scopes *scopes, unsigned first_place, int without)
{
  double largest = 0, work = 0;

  for (unsigned i = 0; without >= 0 && i < scopes->count; i++)
    clear(row_of(scopes, i), (unsigned)without);
  for (unsigned place = first_place + 1; place-- > 0;) {
    const uint64_t *row = solver->fixed[place] < 0 && (int)place != without ? join(scopes, place) : NULL;
    double size = row ? log2_size(solver, row, scopes->words) : 0;
    largest = size > largest ? size : largest;
    work += exp2(size);
  }
  return largest + log2(work + 1) / 64;
}

int mpf_condition_choose(const struct mpf_solver *solver, const struct mpf_list *live, unsigned first_place)
{
  struct scopes scopes = { .count = live->count, .words = (solver->count + 63) / 64 };
  uint64_t *cluster = calloc(scopes.words + 1, sizeof *cluster);
  double best = INFINITY;
  int chosen = -1;

  scopes.rows = calloc((size_t)scopes.count * scopes.words + 1, sizeof *scopes.rows);
  scopes.left = calloc(scopes.count + 1, sizeof *scopes.left);
  if (cluster && scopes.rows && scopes.left) {
    fill(solver, live, &scopes);
    const uint64_t *joined = join(&scopes, first_place);
    if (joined)
      memcpy(cluster, joined, scopes.words * sizeof *cluster);
    for (unsigned place = 0; place < first_place; place++) {
      if (!has(cluster, place))
        continue;
      fill(solver, live, &scopes);
      double largest = largest_table(solver, &scopes, first_place, (int)place) + log2(solver->domains[place]) / 2;
      if (largest < best)
        best = largest, chosen = (int)place;
    }
  }
  free(cluster);
  free(scopes.rows);
  free(scopes.left);
  return chosen;
}

/* scopes.c - bit sets of variables, a set a table. */
#include "scopes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int mpf_scopes_begin(const struct mpf_solver *solver, const struct mpf_list *live,
                     struct mpf_scopes *ret)
{
  *ret = (struct mpf_scopes){.count = live->count,
                             .words = (solver->count + 63) / 64,
                             .several = mpf_sums_several(solver)};
  ret->rows = calloc((size_t)ret->count * ret->words + 1, sizeof *ret->rows);
  ret->left = calloc(ret->count + 1, sizeof *ret->left);
  return ret->rows && ret->left ? 0 : -1;
}

void mpf_scopes_end(struct mpf_scopes *scopes)
{
  free(scopes->rows);
  free(scopes->left);
}

uint64_t *mpf_scope_row(const struct mpf_scopes *scopes, unsigned i)
{
  return scopes->rows + (size_t)i * scopes->words;
}

bool mpf_scope_has(const uint64_t *row, unsigned place)
{
  return row[place / 64] >> place % 64 & 1;
}

void mpf_scope_clear(uint64_t *row, unsigned place)
{
  row[place / 64] &= ~(UINT64_C(1) << place % 64);
}

double mpf_scope_log2_size(const struct mpf_solver *solver, const uint64_t *row, unsigned words)
{
  double size = 0;

  for (unsigned w = 0; w < words; w++)
    for (uint64_t bits = row[w]; bits; bits &= bits - 1)
      size += log2(solver->domains[w * 64 + (unsigned)__builtin_ctzll(bits)]);
  return size;
}

void mpf_scopes_fill(const struct mpf_solver *solver, const struct mpf_list *live,
                     struct mpf_scopes *scopes)
{
  memset(scopes->rows, 0, (size_t)scopes->count * scopes->words * sizeof *scopes->rows);
  for (unsigned i = 0; i < live->count; i++) {
    scopes->left[i] = true;
    for (unsigned k = 0; k < live->items[i]->count; k++) {
      unsigned place = live->items[i]->places[k];
      if (solver->fixed[place] < 0)
        mpf_scope_row(scopes, i)[place / 64] |= UINT64_C(1) << place % 64;
    }
  }
}

/* Takes out of a row what no other one has. */
static void clear_alone(const struct mpf_scopes *scopes, uint64_t *row)
{
  for (unsigned w = 0; w < scopes->words; w++) {
    uint64_t others = 0;
    for (unsigned i = 0; i < scopes->count && row[w] & ~others; i++) {
      const uint64_t *other = mpf_scope_row(scopes, i);
      others |= scopes->left[i] && other != row ? other[w] : 0;
    }
    row[w] &= others;
  }
}

uint64_t *mpf_scopes_join(struct mpf_scopes *scopes, unsigned place, uint64_t *ret_summed)
{
  uint64_t *joined = NULL;

  for (unsigned i = 0; i < scopes->count; i++) {
    if (!scopes->left[i] || !mpf_scope_has(mpf_scope_row(scopes, i), place)) continue;
    for (unsigned w = 0; joined && w < scopes->words; w++) joined[w] |= mpf_scope_row(scopes, i)[w];
    scopes->left[i] = !joined;
    joined = joined ? joined : mpf_scope_row(scopes, i);
  }
  if (!joined) return NULL;
  if (ret_summed) memcpy(ret_summed, joined, scopes->words * sizeof *joined);
  mpf_scope_clear(joined, place);
  if (scopes->several) clear_alone(scopes, joined);
  for (unsigned w = 0; ret_summed && w < scopes->words; w++) ret_summed[w] &= ~joined[w];
  return joined;
}

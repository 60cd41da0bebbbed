/* SPDX-License-Identifier: MIT */
/* bin_cpu.c - the steps of binning on the CPU backend, whose device memory is host memory. Each
 * step is one pass over elements or bins. */
#include "../mesi_bin_steps.h"

#include <math.h>
#include <string.h>

static size_t cpu_temporary(long long count, long long bins, int stable)
{
  (void)count;
  return stable ? (size_t)bins * sizeof(int) : 1;
}

static const char *cpu_clear(void *memory, int byte, size_t bytes)
{
  memset(memory, byte, bytes);
  return NULL;
}

static int bin_of(const struct mesi_bin_grid *grid, const float at[3])
{
  int bin = 0;
  for (int a = 2; a >= 0; a--) {
    int place = mesi_bin_at(at[a], grid->low[a], grid->inverse[a], grid->bins[a]);
    if (place < 0) return -1;
    bin = bin * grid->bins[a] + place;
  }
  return bin;
}

static void note_first(long long *first, long long index)
{
  if (index < *first) *first = index;
}

static const char *cpu_locate(const struct mesi_bin_grid *grid, const unsigned *elements,
                              unsigned words, long long count, int *bin, int *rank, int *counts,
                              struct mesi_bin_found *found)
{
  for (long long i = 0; i < count; i++) {
    float at[3];
    memcpy(at, elements + (size_t)i * words, sizeof at);
    int place = bin_of(grid, at);
    if (place < 0)
      note_first(isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]) ? &found->outside
                                                                       : &found->not_finite,
                 i);
    bin[i] = place < 0 ? 0 : place;
    rank[i] = counts[bin[i]]++;
  }
  return NULL;
}

static const char *cpu_rank(const int *bin, long long count, long long bins, const int *starts,
                            int *rank, void *temporary, size_t bytes)
{
  int *next = temporary;
  (void)starts;
  (void)bytes;
  memset(next, 0, (size_t)bins * sizeof *next);
  for (long long i = 0; i < count; i++) rank[i] = next[bin[i]]++;
  return NULL;
}

static const char *cpu_order(const int *bin, const int *rank, const int *starts, long long count,
                             int *order)
{
  for (long long i = 0; i < count; i++) order[starts[bin[i]] + rank[i]] = (int)i;
  return NULL;
}

static const char *cpu_measure(const int *counts, long long bins, int depth, unsigned align,
                               struct mesi_bin_found *found)
{
  for (long long b = 0; b < bins; b++) {
    long long n = counts[b];
    found->least = n < found->least ? n : found->least;
    found->most = n > found->most ? n : found->most;
    found->empty += n == 0;
    found->sum += (unsigned long long)n;
    found->squares += (unsigned long long)(n * n);
    found->beyond += n > depth ? (unsigned long long)(n - depth) : 0;
    found->slots += mesi_bin_kept(counts[b], depth, align);
  }
  return NULL;
}

static const char *cpu_limit(const int *counts, long long bins, int depth, unsigned align,
                             int beyond, int *to)
{
  for (long long b = 0; b < bins; b++)
    to[b] = !beyond             ? (int)mesi_bin_kept(counts[b], depth, align)
            : counts[b] > depth ? counts[b] - depth
                                : 0;
  to[bins] = 0;
  return NULL;
}

static const char *cpu_scan(const int *values, int *to, long long count, void *temporary,
                            size_t bytes)
{
  int sum = 0;
  (void)temporary;
  (void)bytes;
  for (long long i = 0; i < count; i++) {
    int value = values[i];
    to[i] = sum;
    sum += value;
  }
  return NULL;
}

static const char *cpu_sentinels(const int *sizes, long long bins, int depth, unsigned pitch,
                                 unsigned vector, unsigned *to)
{
  const float nothing = MESI_BIN_NOTHING;
  for (long long b = 0; b < bins; b++)
    for (int i = sizes[b]; i < depth; i++)
      memcpy(to + mesi_bin_word((unsigned long long)(b * depth + i), 0, pitch, vector), &nothing,
             sizeof nothing);
  return NULL;
}

static const char *cpu_place(const struct mesi_bin_placing *p)
{
  for (long long i = 0; i < p->count; i++) {
    const unsigned *from = p->from + (size_t)i * p->words;
    int bin = p->bin[i], rank = p->rank[i];
    unsigned long long slot = p->offsets
                                  ? (unsigned long long)(p->offsets[bin] + rank)
                                  : (unsigned long long)bin * (unsigned)p->depth + (unsigned)rank;
    for (unsigned w = 0; w < p->words; w++)
      if (rank < p->depth)
        p->to[mesi_bin_word(slot, w, p->pitch, p->vector)] = from[w];
      else
        p->overflow[(size_t)(p->overflow_offsets[bin] + rank - p->depth) * p->words + w] = from[w];
  }
  return NULL;
}

static const char *cpu_split(const int *overflow_offsets, long long bins, int most,
                             struct mesi_bin_piece *pieces, struct mesi_bin_found *found)
{
  for (long long b = 0; b < bins; b++)
    for (int at = overflow_offsets[b]; at < overflow_offsets[b + 1]; at += most)
      pieces[found->pieces++] = (struct mesi_bin_piece){
          (int)b, at, at + most < overflow_offsets[b + 1] ? at + most : overflow_offsets[b + 1]};
  return NULL;
}

const struct mesi_bin_steps mesi_bin_steps_cpu = {
    .temporary = cpu_temporary,
    .clear = cpu_clear,
    .locate = cpu_locate,
    .rank = cpu_rank,
    .order = cpu_order,
    .measure = cpu_measure,
    .limit = cpu_limit,
    .scan = cpu_scan,
    .sentinels = cpu_sentinels,
    .place = cpu_place,
    .split = cpu_split,
};

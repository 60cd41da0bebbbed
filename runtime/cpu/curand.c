/* SPDX-License-Identifier: MIT */
/* curand.c - skipping ahead in cuRAND's XORWOW generator.
 *
 * One step is linear over GF(2) on the 160 bits of state, so that 2^k steps are the k-fold square
 * of its matrix. The matrices for 2^0 to 2^130 steps are made once; a subsequence is 2^67 steps.
 */
#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { WORDS = 5, BITS = 32 * WORDS, SUBSEQUENCE = 67, MATRICES = SUBSEQUENCE + 64 };

void mesi_cpu_xorwow_skip(unsigned int *words, unsigned long long subsequences,
                          unsigned long long steps);

/* column[i]: the image of the state with only bit i set */
struct matrix {
  uint32_t column[BITS][WORDS];
};

static struct matrix powers[MATRICES]; /* powers[k]: 2^k steps */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void step(uint32_t v[WORDS])
{
  uint32_t t = v[0] ^ v[0] >> 2;
  memmove(v, v + 1, (WORDS - 1) * sizeof *v);
  v[WORDS - 1] = (v[WORDS - 2] ^ v[WORDS - 2] << 4) ^ (t ^ t << 1);
}

static void apply(const struct matrix *m, uint32_t v[WORDS])
{
  uint32_t sum[WORDS] = {0};
  for (unsigned bit = 0; bit < BITS; bit++)
    if (v[bit / 32] >> bit % 32 & 1)
      for (unsigned w = 0; w < WORDS; w++) sum[w] ^= m->column[bit][w];
  memcpy(v, sum, sizeof sum);
}

static void make_powers(void)
{
  for (unsigned bit = 0; bit < BITS; bit++) {
    powers[0].column[bit][bit / 32] = 1u << bit % 32;
    step(powers[0].column[bit]);
  }
  for (unsigned k = 1; k < MATRICES; k++) {
    powers[k] = powers[k - 1];
    for (unsigned bit = 0; bit < BITS; bit++) apply(&powers[k - 1], powers[k].column[bit]);
  }
}

static void skip(uint32_t v[WORDS], unsigned long long count, unsigned first_power)
{
  for (unsigned k = 0; count; k++, count >>= 1)
    if (count & 1) apply(&powers[first_power + k], v);
}

void mesi_cpu_xorwow_skip(unsigned int *words, unsigned long long subsequences,
                          unsigned long long steps)
{
  if (!subsequences && !steps) return;
  pthread_once(&once, make_powers);
  skip(words, subsequences, SUBSEQUENCE);
  skip(words, steps, 0);
}

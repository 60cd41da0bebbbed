/* SPDX-License-Identifier: MIT */
/* banks.c - how often the banks of shared memory are asked for one request of a warp.
 *
 *     copy[threadIdx.x][k], rows of 16 floats     =>  lanes 16 words apart, on 2 banks: 16 times
 *     the same, rows of 17                        =>  on 32 banks: once
 *
 * Lanes that ask for one word share it; numbers of more than a word take turns (16 lanes at a time
 * of 8 bytes). What all lanes add to their place shifts the banks and changes nothing. */
#include "analysis/model/model.h"

enum { LANES = 32, BANKS = 32, WORD = 4 };

/* The distinct words on the fullest bank, of `count` lanes. */
static unsigned fullest_bank(const int64_t *words, unsigned count, int64_t banks)
{
  unsigned on_bank[BANKS] = {0}, most = 0;

  for (unsigned i = 0; i < count; i++) {
    bool again = false;
    for (unsigned k = 0; k < i && !again; k++) again = words[k] == words[i];
    unsigned *found = &on_bank[((words[i] % banks) + banks) % banks];
    *found += !again;
    most = *found > most ? *found : most;
  }
  return most;
}

unsigned model_bank_requests(const int64_t block[3], const int64_t steps[3], int64_t size)
{
  int64_t unit = size > WORD ? size : WORD, threads = block[0] * block[1] * block[2];
  unsigned together = (unsigned)(LANES * WORD / unit), requests = 0;

  if (together < 1 || LANES % together) return LANES;
  for (unsigned first = 0; first < LANES && (int64_t)first < threads; first += together) {
    int64_t words[LANES];
    unsigned count = 0;
    for (; count < together && (int64_t)(first + count) < threads; count++) {
      int64_t lane = first + count, x = lane % block[0], y = lane / block[0] % block[1],
              z = lane / block[0] / block[1];
      int64_t place = (x * steps[0] + y * steps[1] + z * steps[2]) * size;
      words[count] = place / unit - (place % unit < 0);
    }
    requests += fullest_bank(words, count, BANKS * WORD / unit);
  }
  return requests;
}

/* SPDX-License-Identifier: MIT */
/* rows.c - do lanes of a warp meet on banks because they are rows of a copy apart?
 *
 *     places 0, 16, 32, ..., 496 in a copy of floats   =>   rows of 16: on 2 banks, 16 requests;
 *     where each row begins an element later, 0, 17, 34, ...: one request
 *
 * A row is the greatest common divisor of the distances between places. What all lanes add to their
 * place shifts the banks and changes nothing. Gives up: rows of fewer than LEAST_ROW elements, for
 * which the copy would grow too much. */
#include "rows.h"

#include <string.h>

enum { LANES = 32, BANKS = 32, WORD = 4, MOST_WARPS = 4, LEAST_ROW = 4 };

static long long place_at(const struct mesi_places *p, size_t i)
{
  const char *at = p->data + i * p->step;
  unsigned long long value = 0;
  unsigned unused = 64 - 8 * p->element;

  memcpy(&value, at, p->element); /* the host is little-endian, as the device */
  return p->is_signed ? (long long)(value << unused) >> unused : (long long)value;
}

static unsigned long long divisor(unsigned long long a, unsigned long long b)
{
  while (b) {
    unsigned long long rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The most distinct words that `count` lanes ask of one bank; a bank has `unit` bytes. */
static unsigned fullest_bank(const long long *units, unsigned count, unsigned banks)
{
  unsigned on_bank[BANKS] = {0}, most = 0;

  for (unsigned i = 0; i < count; i++) {
    bool again = false;
    for (unsigned k = 0; k < i && !again; k++) again = units[k] == units[i];
    unsigned *found = &on_bank[units[i] % banks];
    *found += !again;
    most = *found > most ? *found : most;
  }
  return most;
}

/* Of a warp whose first lane is thread `first`, for rows of `row` elements that begin `more` later
 * each. Numbers of more than a word take turns. */
static unsigned requests(const struct mesi_places *p, size_t first, unsigned size,
                         const struct mesi_plan_row *row, unsigned more)
{
  unsigned unit = size > WORD ? size : WORD, together = LANES * WORD / unit, all = 0;

  for (unsigned at = 0; at < LANES && first + at < p->count; at += together) {
    long long units[LANES];
    unsigned count = 0;
    for (; count < together && first + at + count < p->count; count++) {
      long long place = place_at(p, first + at + count) - row->low;
      units[count] = (place + place / row->elements * more) * size / unit;
    }
    all += fullest_bank(units, count, BANKS * WORD / unit);
  }
  return all;
}

static bool find_row(const struct mesi_places *p, struct mesi_plan_row *ret)
{
  const long long most = 1ll << 30, begin = place_at(p, 0);
  unsigned long long row = 0;

  ret->low = ret->high = begin;
  for (size_t i = 0; i < p->count && row != 1; i++) {
    long long place = place_at(p, i);
    if (place < -most || place > most) return false;
    row = divisor(place < begin ? begin - place : place - begin, row);
    ret->low = place < ret->low ? place : ret->low;
    ret->high = place > ret->high ? place : ret->high;
  }
  ret->elements = (unsigned)row;
  return row >= LEAST_ROW;
}

bool mesi_rows_find(const struct mesi_places *p, unsigned size, struct mesi_plan_row *ret)
{
  unsigned warps = 0;

  *ret = (struct mesi_plan_row){0};
  if (size > LANES * WORD || (size > WORD && LANES * WORD % size)) return false;
  if (!find_row(p, ret)) return false;
  for (size_t first = 0; first < p->count && warps < MOST_WARPS; first += LANES, warps++) {
    ret->requests += requests(p, first, size, ret, 0);
    ret->padded += requests(p, first, size, ret, 1);
  }
  ret->requests /= warps;
  ret->padded /= warps;
  return true;
}

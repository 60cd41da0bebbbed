/* SPDX-License-Identifier: MIT */
/* shadow.h - the storage of the elements of values while a program under `mesicc prove` runs.
 *
 * Memory: each aligned word of 4 bytes has a cell of 16, at SHADOW_BASE + 4 * (address modulo
 * 2^44). The cell holds the word's tagged element and the bits of the word at the time of the
 * write. A word with other bits was overwritten by code without cells (the C library, a new page):
 * its element is that of its number.
 *
 * Tagged element: the kind of word in the upper three bits, the element below. A double has its
 * element in both words, so that its halves may be moved separately, as integers, in shuffles and
 * in 16-byte copies, and meet again.
 *
 * Calls: arguments and results are in thread-local slots, with their bits for the same reason.
 * Slots are valid only between the call and the entry, and between the return and the caller, so
 * that a switch of fibers cannot come in between.
 */
#ifndef MESI_PROVE_SHADOW_H
#define MESI_PROVE_SHADOW_H

#include "field.h"

#define SHADOW_BASE UINT64_C(0x100000000000)
#define SHADOW_BYTES UINT64_C(0x400000000000)
#define SHADOW_MASK ((UINT64_C(1) << 44) - 1)

enum { TAG_NONE, TAG_F32, TAG_F64_LOW, TAG_F64_HIGH }; /* of a word */
enum { SLOTS = 256 };

struct cell {
  uint64_t tagged; /* tag << 61 | element */
  uint32_t bits;   /* of the word at the time of the write */
  uint32_t launch; /* the launch that wrote it, from 1; 0: the host */
};

struct slot {
  uint64_t tagged; /* TAG_F64_LOW for a whole double */
  uint64_t bits;   /* of the value; a pointer for a structure passed by value in memory */
};

#define TAGGED(tag, element) ((uint64_t)(tag) << FIELD_BITS | (element))
#define TAG_OF(tagged) ((unsigned)((tagged) >> FIELD_BITS))
#define ELEMENT_OF(tagged) ((tagged)&FIELD_P)

FIELD_FN struct cell *cell_of(const void *address)
{
  return (struct cell *)(SHADOW_BASE + (((uint64_t)address & SHADOW_MASK & ~UINT64_C(3)) << 2));
}

FIELD_FN uint32_t bits_of_float(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

FIELD_FN uint64_t bits_of_double(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* The runtime's part (watch.c). */
enum prove_event {
  EVENT_NARROW,   /* a comparison whose result may depend on rounding */
  EVENT_TIE,      /* real operands are equal, their elements are not */
  EVENT_BOUNDARY, /* a conversion to an integer whose result may depend on rounding */
  EVENT_BITS,     /* bits of an inexact float used as an integer */
  EVENT_COUNT
};
void prove_event(enum prove_event);
uint64_t prove_input(const void *place, double real, uint64_t element);
void prove_copy(void *to, const void *from, uint64_t bytes);
void prove_clear(void *to, uint64_t bytes);
extern uint32_t prove_random; /* host stores may be inputs */
extern uint32_t prove_launch; /* the running launch; 0: none */
extern _Thread_local struct slot prove_args[SLOTS] __attribute__((tls_model("initial-exec")));
extern _Thread_local struct slot prove_results[SLOTS] __attribute__((tls_model("initial-exec")));

#endif

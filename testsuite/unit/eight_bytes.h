/* SPDX-License-Identifier: MIT */
/* eight_bytes.h - sums of bytes, eight at once, each modulo 256: what tests compute of large
 * arrays. Sanitizers check an access to eight bytes as fast as one to a single byte. */
#ifndef EIGHT_BYTES_H
#define EIGHT_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint64_t eight_at(const unsigned char *bytes)
{
  uint64_t eight;
  memcpy(&eight, bytes, sizeof eight);
  return eight;
}

static inline void eight_store(unsigned char *bytes, uint64_t eight)
{
  memcpy(bytes, &eight, sizeof eight);
}

static inline uint64_t eight_times(unsigned char byte)
{
  return UINT64_C(0x0101010101010101) * byte;
}

/* No carry goes from one byte to the next. */
static inline uint64_t eight_sum(uint64_t a, uint64_t b)
{
  const uint64_t top = eight_times(0x80);
  return ((a & ~top) + (b & ~top)) ^ ((a ^ b) & top);
}

#endif

/* SPDX-License-Identifier: MIT */
/* host_header.h - what host_uses.c includes: code of a user header that hands VS data to a library.
 */
extern "C" long write(int, const void *, unsigned long);
static __global__ char shared_text[8];
static void save(void)
{
  write(1, shared_text, sizeof shared_text);
  char *p = shared_text;
  write(1, p, 1);
  p = nullptr;
}

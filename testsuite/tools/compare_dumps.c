/* SPDX-License-Identifier: MIT */
/* compare_dumps.c - compares two MESI_DUMP files: prints nothing and ends with 0 where they agree,
 * else the first difference and 1. Part of the bundle. Use: compare_dumps exact|close REFERENCE
 * OTHER */
#include <stdio.h>
#include <string.h>

#include "translator/base/arena.h"
#include "translator/driver/dumps.h"

int main(int argc, char **argv)
{
  struct dump_file reference, other;
  if (argc != 4) return 2;
  struct arena *arena = arena_create();
  if (!dumps_read(arena, argv[2], &reference) || !dumps_read(arena, argv[3], &other)) {
    puts("a dump is missing");
    return 1;
  }
  const char *difference = dumps_difference(arena, &reference, &other, !strcmp(argv[1], "exact"));
  if (difference) puts(difference);
  arena_destroy(arena);
  return difference ? 1 : 0;
}

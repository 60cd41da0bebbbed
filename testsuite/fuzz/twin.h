/* SPDX-License-Identifier: MIT */
// twin.h - what a twin of a random program writes: a file in the format of runtime/dump.h, named by
// MESI_DUMP, with the same objects as the translated program's.
#ifndef TWIN_H
#define TWIN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dump.h>

struct twin_entry {
  const char *name;
  const void *bytes;
  size_t size;
};
static struct twin_entry twin_entries[4096];
static unsigned twin_count;

static void twin_object(const char *name, const void *bytes, size_t size)
{
  twin_entries[twin_count++] = {name, bytes, size};
}

static void twin_dump(void)
{
  const char *path = getenv("MESI_DUMP");
  FILE *file = path ? fopen(path, "wb") : NULL;
  if (!file) return;
  struct mesi_dump_header header = {{0}, MESI_DUMP_VERSION, twin_count};
  memcpy(header.magic, MESI_DUMP_MAGIC, sizeof header.magic);
  fwrite(&header, sizeof header, 1, file);
  for (unsigned i = 0; i < twin_count; i++) {
    struct mesi_dump_entry entry = {0, 0, (uint32_t)strlen(twin_entries[i].name), 0,
                                    twin_entries[i].size};
    fwrite(&entry, sizeof entry, 1, file);
    fwrite(twin_entries[i].name, 1, entry.name_bytes, file);
    fwrite(twin_entries[i].bytes, 1, twin_entries[i].size, file);
  }
  fclose(file);
}

#endif

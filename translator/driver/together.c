/* SPDX-License-Identifier: MIT */
/* together.c - the files of a folder that come to their places together.
 *
 *     DIR/.making-a1b2c3/src/p_O2.cu    =>  DIR/src/p_O2.cu
 *
 * A failed or interrupted command leaves DIR as it was: a half-made case would be in the way of the
 * next attempt. */
#define _GNU_SOURCE
#include "translator/driver/together.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/seeded.h"
#include "translator/driver/pipeline.h"

struct paths_made { /* the new paths, in the order in which they were made */
  const char **items;
  unsigned count, capacity;
};

static int fail(struct diag *diag, const char *path)
{
  diag_report(diag, DIAG_OUTPUT, &(struct diag_place){.file = path},
              "the file cannot be written: %s", strerror(errno));
  return STATUS_USAGE;
}

int together_begin(struct arena *arena, const char *folder, struct diag *diag, struct together *ret)
{
  *ret = (struct together){.folder = folder};
  ret->made = !mkdir(folder, 0777);
  char *making = arena_format(arena, "%s/.making-XXXXXX", folder);
  if (!mkdtemp(making)) {
    int status = fail(diag, folder);
    if (ret->made) rmdir(folder);
    return status;
  }
  ret->making = making;
  return 0;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
  (void)info;
  (void)kind;
  (void)where;
  remove(path);
  return 0;
}

/* Moves files: folders are merged, files replace others. 0, or -1 with errno set. */
static int move_all(struct arena *arena, const char *from, const char *to, struct paths_made *made)
{
  DIR *folder = opendir(from);
  int status = folder ? 0 : -1;
  for (struct dirent *entry; !status && (entry = readdir(folder));) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    const char *source = arena_format(arena, "%s/%s", from, entry->d_name),
               *target = arena_format(arena, "%s/%s", to, entry->d_name);
    struct stat info, before;
    bool is_new = lstat(target, &before) != 0;
    status = lstat(source, &info);
    if (status) break;
    bool is_folder = S_ISDIR(info.st_mode);
    if (!is_folder)
      status = rename(source, target);
    else if (is_new)
      status = mkdir(target, 0777);
    if (!status && is_new) *ARENA_PUSH(arena, made) = target;
    if (!status && is_folder) status = move_all(arena, source, target, made);
  }
  if (folder) closedir(folder);
  return status;
}

static int add_line(const char *path, const char *line)
{
  FILE *file = fopen(path, "a");
  if (!file) return -1;
  bool written = fputs(line, file) >= 0;
  return fclose(file) || !written ? -1 : 0;
}

int together_end(struct arena *arena, const struct together *t, int status, const char *list,
                 const char *line, struct diag *diag)
{
  enum { DESCRIPTORS = 16 };
  struct paths_made made = {0};
  if (!status && (move_all(arena, t->making, t->folder, &made) ||
                  (*line && add_line(arena_format(arena, "%s/%s", t->folder, list), line)))) {
    status = fail(diag, t->folder);
    while (made.count) remove(made.items[--made.count]);
  }
  if (status && SEEDED(CASE_HALF_MADE)) move_all(arena, t->making, t->folder, &made);
  nftw(t->making, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
  if (status && t->made) rmdir(t->folder);
  return status;
}

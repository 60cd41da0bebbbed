/* SPDX-License-Identifier: MIT */
/* seeded.h - planted faults, to measure how many of them the tests catch (testsuite/seeded/run.py).
 * Of translator and runtime.
 *
 *     if (loads && !SEEDED(LOAD_BARRIER)) print_text_line(&s->printer, "__syncthreads();");
 *
 * In an ordinary build SEEDED(NAME) is the constant 0. Under -Dseeded_bugs=true it is 1 in a
 * process whose environment has MESI_SEEDED_BUG=NAME, or a list with the name: NAME,OTHER.
 * seeded.def lists the names; each is used at one place. With MESI_SEEDED_REACHED=FILE the process
 * adds to that file the names of the faults whose places it reaches (testsuite/fuzz/reach.py).
 */
#ifndef MESI_SEEDED_H
#define MESI_SEEDED_H

#ifdef MESI_SEEDED_BUGS

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum seeded_bug {
#define SEEDED_BUG(name, layer, text) SEEDED_##name,
#include "seeded.def"
#undef SEEDED_BUG
  SEEDED_COUNT
};

static inline const char *seeded_name(enum seeded_bug bug)
{
  static const char *const names[] = {
#define SEEDED_BUG(name, layer, text) #name,
#include "seeded.def"
#undef SEEDED_BUG
  };
  return names[bug];
}

/* Adds the fault's name to the file MESI_SEEDED_REACHED when a source file's code first asks for
 * it. */
static inline void seeded_note(enum seeded_bug bug)
{
  static unsigned char noted[SEEDED_COUNT]; /* by any thread */
  bool again = __atomic_exchange_n(&noted[bug], 1, __ATOMIC_RELAXED);
  const char *path = again ? NULL : getenv("MESI_SEEDED_REACHED");
  int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0666) : -1;
  if (file < 0) return;
  dprintf(file, "%s\n", seeded_name(bug));
  close(file);
}

/* Is the name in the list, whose names have commas between them? */
static inline int seeded_listed(const char *list, const char *name)
{
  size_t length = strlen(name);
  for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (!strncmp(at, name, length) && (!at[length] || at[length] == ',')) return 1;
  return 0;
}

static inline int seeded_selected(enum seeded_bug bug)
{
  seeded_note(bug);
  const char *wanted = getenv("MESI_SEEDED_BUG");
  return wanted && seeded_listed(wanted, seeded_name(bug));
}

#define SEEDED(NAME) seeded_selected(SEEDED_##NAME)

#else

#define SEEDED(NAME) 0

#endif

#endif

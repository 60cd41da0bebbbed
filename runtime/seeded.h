/* seeded.h - planted faults, to measure what the tests catch (testsuite/seeded/run.py). Of translator and runtime.
 *
 *     if (loads && !SEEDED(LOAD_BARRIER)) print_text_line(&s->printer, "__syncthreads();");
 *
 * In an ordinary build SEEDED(NAME) is the constant 0. Under -Dseeded_bugs=true it is 1 in a process whose environment
 * has MESI_SEEDED_BUG=NAME. seeded.def lists the names; each is used at one place.
 */
#ifndef MESI_SEEDED_H
#define MESI_SEEDED_H

#ifdef MESI_SEEDED_BUGS

#include <stdlib.h>
#include <string.h>

enum seeded_bug {
#define SEEDED_BUG(name, layer, text) SEEDED_##name,
#include "seeded.def"
#undef SEEDED_BUG
  SEEDED_COUNT
};

static inline int seeded_selected(enum seeded_bug bug)
{
  static const char *const names[] = {
#define SEEDED_BUG(name, layer, text) #name,
#include "seeded.def"
#undef SEEDED_BUG
  };
  const char *wanted = getenv("MESI_SEEDED_BUG");
  return wanted && !strcmp(wanted, names[bug]);
}

#define SEEDED(NAME) seeded_selected(SEEDED_##NAME)

#else

#define SEEDED(NAME) 0

#endif

#endif

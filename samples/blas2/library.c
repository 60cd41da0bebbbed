/* library.c - functions of Debian's reference BLAS and LAPACK, found at run time. */
#include "library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

#include "blas2.h"

static void *opened(const char *const *names)
{
  void *library = NULL;

  for (; *names && !library; names++) library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
  return library;
}

static void *symbol(void *library, const char *function)
{
  char name[32];

  snprintf(name, sizeof name, "%c%s", sizeof(real) == sizeof(float) ? 's' : 'd', function);
  return library ? dlsym(library, name) : NULL;
}

void *library_blas(const char *function)
{
  static const char *const names[] = {"/usr/lib/x86_64-linux-gnu/blas/libblas.so.3", "libblas.so.3",
                                      NULL};
  static void *library;

  library = library ? library : opened(names);
  return symbol(library, function);
}

void *library_lapack(const char *function)
{
  static const char *const names[] = {"/usr/lib/x86_64-linux-gnu/lapack/liblapack.so.3",
                                      "liblapack.so.3", NULL};
  static void *library;

  library = library ? library : opened(names);
  return symbol(library, function);
}

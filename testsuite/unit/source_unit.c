/* SPDX-License-Identifier: MIT */
/* source_unit.c - see source_unit.h. */
#include "testsuite/unit/source_unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "translator/frontend/frontend.h"

static const char *folder(struct arena *arena, const char *name)
{
  const char *root = getenv("MESI_SOURCE_ROOT");
  return arena_format(arena, "%s/%s", root ? root : ".", name);
}

struct unit *source_unit(struct arena *arena, struct diag *diag, const char *source)
{
  char *path = arena_string(arena, "/tmp/mesi-unit-XXXXXX.mcu"); /* the unit keeps it */
  int file = mkstemps(path, 4);

  assert_true(file >= 0);
  assert_int_equal(write(file, source, strlen(source)), (int)strlen(source));
  close(file);
  const char *include[] = {"-I", folder(arena, "testsuite/unit")};
  struct frontend_options options = {.clang_args = include,
                                     .clang_arg_count = 2,
                                     .input = path,
                                     .cache = getenv("MESI_CACHE"),
                                     .standard = "c++17",
                                     .surface = folder(arena, "runtime/cpu/include"),
                                     .prelude = folder(arena, "translator/frontend/prelude"),
                                     .runtime = folder(arena, "runtime"),
                                     .arch = 80};
  struct unit *unit = frontend_parse(arena, &options, diag);
  unlink(path);
  assert_non_null(unit);
  return unit;
}

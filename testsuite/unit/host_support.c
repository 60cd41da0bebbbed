/* SPDX-License-Identifier: MIT */
/* host_support.c - see host_support.h. */
#include "testsuite/unit/host_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/host/host_bind.h"
#include "analysis/host/host_plan.h"
#include "testsuite/unit/source_unit.h"

static void show_dim3(struct text *text, struct constants *constants, const struct ir_expr *expr,
                      const struct launch *launch)
{
  int64_t value[3];
  bool known[3];
  constants_dim3(constants, expr, launch, value, known);
  for (int i = 0; i < 3; i++) {
    text_add(text, i ? "," : " ");
    if (known[i])
      text_format(text, "%lld", (long long)value[i]);
    else
      text_add(text, "?");
  }
}

static void show_argument(struct text *text, struct constants *constants,
                          const struct launch *launch, unsigned number)
{
  struct host_binding binding;
  int64_t value;
  if (host_bind_arg(constants, launch, number, &binding)) {
    text_format(text, " %s%s+", binding.unique ? "" : "~",
                binding.vs ? binding.vs->name : binding.allocation->name);
    if (binding.offset_known)
      text_format(text, "%lld", (long long)binding.offset_bytes);
    else
      text_add(text, "?");
    text_format(text, "/%lld", (long long)binding.extent_bytes);
  } else if (constants_of_expr(constants, launch->args[number].expr, launch, &value)) {
    text_format(text, " =%lld", (long long)value);
  } else {
    text_add(text, " ?");
  }
}

static void show_launches(struct text *text, const struct unit *unit, struct constants *constants)
{
  for (unsigned i = 0; i < unit->launches.count; i++) {
    const struct launch *launch = unit->launches.items[i];
    text_add(text, launch->callee_text);
    show_dim3(text, constants, launch->grid, launch);
    show_dim3(text, constants, launch->block, launch);
    for (unsigned j = 0; j < launch->arg_count; j++) show_argument(text, constants, launch, j);
    text_add(text, "\n");
  }
}

static void show_edit(struct text *text, const struct unit *unit, const struct host_edit *edit)
{
  const char *begin = unit->files.items[edit->place.file].text + edit->place.begin;
  size_t length = edit->place.end - edit->place.begin, line = strcspn(begin, "\n");
  if (edit->kind == HOST_OPEN_ARG)
    text_format(text, "open %u: ", edit->access);
  else if (edit->kind == HOST_TOUCH_ARG)
    text_format(text, "arg %u: ", edit->access);
  else if (edit->kind == HOST_USE_BEFORE)
    text_format(text, "use %s %u%s: ", edit->vs->name, edit->access,
                edit->needs_braces ? " {}" : "");
  else if (edit->kind == HOST_USE_POINTED)
    text_format(text, "pointed %s %u%s: ", edit->pointer->name, edit->access,
                edit->needs_braces ? " {}" : "");
  else if (edit->kind == HOST_KEEP_ARG)
    text_add(text, "keep: ");
  else if (edit->kind == HOST_TOUCH_ALL_ARG)
    text_add(text, "all at: ");
  else
    text_format(text, "all%s: ", edit->needs_braces ? " {}" : "");
  text_add_bytes(text, begin, length < line ? length : line);
  text_add(text, "\n");
}

static void show_plan(struct text *text, const struct unit *unit, const struct host_work *work)
{
  for (unsigned i = 0; i < unit->vs_vars.count; i++)
    text_format(text, "%s %s%s\n", unit->vs_vars.items[i]->name,
                work->vs[i].guarded ? "guarded: " : "announced",
                work->vs[i].guarded ? work->vs[i].guard_reason : "");
  for (unsigned i = 0; i < work->edits.count; i++) show_edit(text, unit, &work->edits.items[i]);
}

static bool check_case(const struct host_case *test)
{
  struct arena *arena = arena_create();
  struct diag diag = {.out = stderr};
  struct text launches = {0}, shown = {0};
  struct unit *unit = source_unit(arena, &diag, test->source);
  struct constants *constants = constants_create(unit);
  struct host_work work = {.arena = arena};
  struct plan_options options = {0};
  work.launches = arena_alloc(arena, (unit->launches.count + 1) * sizeof *work.launches);
  assert_int_equal(host_plan(unit, &work, constants, &options, &diag), 0);
  show_launches(&launches, unit, constants);
  show_plan(&shown, unit, &work);
  constants_destroy(constants);
  arena_destroy(arena);
  bool same =
      !strcmp(text_string(&launches), test->launches ? test->launches : text_string(&launches)) &&
      !strcmp(text_string(&shown), test->plan ? test->plan : text_string(&shown));
  if (!same)
    print_error("case '%s' gives\n%s--\n%sinstead of\n%s--\n%s", test->name, text_string(&launches),
                text_string(&shown), test->launches ? test->launches : "",
                test->plan ? test->plan : "");
  text_finish(&launches);
  text_finish(&shown);
  return same;
}

void host_check(const struct host_case *cases, unsigned count)
{
  bool all = true;
  for (unsigned i = 0; i < count; i++) all = check_case(&cases[i]) && all;
  assert_true(all);
}

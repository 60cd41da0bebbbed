/* SPDX-License-Identifier: MIT */
/* explain_text.c - the explanation as text: a paragraph a kernel.
 *
 *     matmul.mcu:7: kernel 'matmul', block 128x1x1 grid 8x1024x1, launched at matmul.mcu:31
 *       now: blocks of 128x64 elements for 16x8 threads, 6272 bytes of shared memory,
 *           about 91 registers
 *       array 'a', int, read: 1024 accesses by a thread
 *         a block uses [blockIdx.y .. blockIdx.y][0 .. 1023], 4096 bytes, an element 128 times
 *         matmul.mcu:14: a[blockIdx.y][k] read, 1024 times, a warp reads one element
 *         + tiles: 16 iterations at a time ...: a block uses an element of a tile 64 times
 *             (matmul.mcu:13)
 *         - staging: ...
 *       plans
 *         * blocks of ...
 */
#include "translator/driver/explain_text.h"

#include <string.h>

static void add_decision(const struct explained_program *p, const struct decision *d,
                         const char *indent, struct text *out)
{
  text_format(out, "%s%c %s", indent, d->taken ? '+' : '-', decision_name(d->kind));
  if (d->what) text_format(out, ": %s", d->what);
  if (d->why) text_format(out, ": %s", d->why);
  if (d->gain > 0) text_format(out, "; predicted gain %.2f", d->gain);
  const char *place = words_place(p, &d->place);
  text_format(out, *place ? " (%s)\n" : "\n", place);
}

static void add_decisions(const struct explained_program *p, const struct explained_kernel *kernel,
                          const char *array, struct text *out)
{
  for (unsigned i = 0; i < kernel->found.decisions.count; i++) {
    const struct decision *d = &kernel->found.decisions.items[i];
    bool same = d->array && array ? !strcmp(d->array, array) : !d->array && !array;
    if (same) add_decision(p, d, array ? "    " : "  ", out);
  }
}

static void add_array(const struct explained_program *p, const struct explained_kernel *kernel,
                      const struct explained_array *array, struct text *out)
{
  text_format(out, "  array '%s', %s, %s: %g accesses by a thread\n", array->var->name,
              array->element->spelling, words_use(array->read, array->written), array->count);
  if (array->range) {
    text_format(out, "    a block uses %s", array->range);
    if (array->bytes) text_format(out, ", %llu bytes", (unsigned long long)array->bytes);
    if (array->reuse > 0) text_format(out, ", an element %.4g times", array->reuse);
    text_add(out, "\n");
  } else {
    text_format(out, "    no range of a block is known: %s (%s)\n", array->no_range,
                words_place(p, &array->place));
  }
  for (unsigned i = 0; i < array->access_count; i++) {
    const struct explained_access *access = &array->accesses[i];
    text_format(out, "    %s: %s: %s, %g time%s%s, by a warp: %s\n", words_place(p, &access->place),
                access->text, words_access(access), access->count, access->count == 1 ? "" : "s",
                access->must ? "" : " at most", pattern_name(access->pattern));
  }
  add_decisions(p, kernel, array->var->name, out);
}

static void add_plans(const struct explained_program *p, const struct explained_kernel *kernel,
                      struct text *out)
{
  if (!kernel->found.plans.count) return;
  text_add(out, "  plans that were compared\n");
  for (unsigned i = 0; i < kernel->found.plans.count; i++) {
    const struct ranked_plan *plan = &kernel->found.plans.items[i];
    text_format(out, "    %c %s: %s\n", plan->taken ? '*' : ' ', words_plan(p->arena, plan),
                words_prediction(p->arena, plan));
  }
}

static void add_measured(const struct explained_program *p, const struct explained_kernel *kernel,
                         struct text *out)
{
  for (unsigned i = 0; i < p->measured_count; i++) {
    const struct measured_time *time = &p->measured[i];
    if (words_is_measured(p, kernel, time))
      text_format(out, "  measured on %s: %s takes %s\n", time->where, time->plan,
                  words_milliseconds(p->arena, time->milliseconds));
  }
}

static void add_launches(const struct explained_program *p, const struct explained_kernel *kernel,
                         struct text *out)
{
  for (unsigned i = 0; i < kernel->launches.count; i++)
    text_format(out, "%s%s", i ? ", " : ", launched at ",
                words_place(p, &kernel->launches.items[i]->launch->place));
  text_add(out, "\n");
}

static void add_kernel(const struct explained_program *p, const struct explained_kernel *kernel,
                       struct text *out)
{
  struct words result = {0};
  const char *name =
      kernel->kernel ? kernel->kernel->name : kernel->launches.items[0]->launch->callee_text;
  if (kernel->kernel) text_format(out, "%s: ", words_place(p, &kernel->kernel->name_place));
  text_format(out, "kernel '%s'", name ? name : "?");
  if (kernel->has_facts) text_format(out, ", %s", explain_shape(p->arena, &kernel->facts));
  add_launches(p, kernel, out);
  if (kernel->tuned) text_format(out, "  the plan was chosen by measurement: %s\n", kernel->tuned);
  words_result(p->arena, kernel->variant, &result);
  for (unsigned i = 0; i < result.lines.count; i++)
    text_format(out, "  now: %s\n", result.lines.items[i]);
  add_measured(p, kernel, out);
  if (kernel->reject) text_format(out, "  its accesses are not understood: %s\n", kernel->reject);
  for (unsigned i = 0; i < kernel->array_count; i++) add_array(p, kernel, &kernel->arrays[i], out);
  add_decisions(p, kernel, NULL, out);
  for (unsigned i = 0; i < kernel->launches.count; i++)
    for (unsigned k = 0; k < kernel->launches.items[i]->decisions.count; k++)
      add_decision(p, &kernel->launches.items[i]->decisions.items[k], "  ", out);
  add_plans(p, kernel, out);
}

static void add_variables(const struct explained_program *p, struct text *out)
{
  const struct unit *unit = p->explanation->unit;
  for (unsigned i = 0; i < unit->vs_vars.count; i++) {
    const struct vs_var *vs = unit->vs_vars.items[i];
    const struct vs_plan *plan = &p->plan->host.vs[vs->id];
    if (!vs->is_definition) continue;
    text_format(out, "%s: variable '%s': host code's uses are %s", words_place(p, &vs->name_place),
                vs->qualified, plan->guarded ? "found by page protection" : "announced");
    text_format(out, plan->guarded && plan->guard_reason ? ": %s\n" : "\n", plan->guard_reason);
  }
}

void explain_text(const struct explained_program *p, struct text *out)
{
  for (unsigned i = 0; i < p->explanation->kernels.count; i++)
    add_kernel(p, p->explanation->kernels.items[i], out);
  add_variables(p, out);
}

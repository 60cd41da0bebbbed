/* SPDX-License-Identifier: MIT */
/* explain_kernel.c - a kernel on its page: its versions, plans and measured times as bars,
 * decisions.
 *
 * The bars of a kernel have one scale, from 0. A bar that is CUT times as long as the shortest ends
 * there, with a double edge, so that the others stay comparable.
 */
#include <string.h>

#include "translator/driver/explain_page.h"
#include "translator/plot/markup.h"

#define CUT 12.0

/* ---- decisions ---- */

void page_add_decision(const struct explained_program *p, const struct decision *d, bool with_array,
                       struct text *out)
{
  text_format(out, "<li><span class=\"%s\">%s</span> ", d->taken ? "yes" : "no",
              d->taken ? "\xe2\x9c\x93 chosen:" : "\xe2\x9c\x97 declined:");
  markup_escape(out, decision_title(d->kind));
  if (with_array && d->array) {
    text_add(out, " of <code>");
    markup_escape(out, d->array);
    text_add(out, "</code>");
  }
  if (d->what) text_add(out, "; "), markup_escape(out, d->what);
  if (d->why) text_add(out, "; "), markup_escape(out, d->why);
  if (d->gain > 0) text_format(out, "; predicted gain %.2f", d->gain);
  text_add(out, " <span class=\"soft\">");
  page_place(p, &d->place, out);
  text_add(out, "</span></li>\n");
}

/* Does the decision belong to the kernel, not to the card of an array? */
static bool is_of_kernel(const struct explained_kernel *kernel, const struct decision *d)
{
  for (unsigned i = 0; i < kernel->array_count; i++)
    if (d->array && !strcmp(d->array, kernel->arrays[i].var->name)) return false;
  return true;
}

static void add_decisions(const struct page_kernel *k, struct text *out)
{
  const struct explained_kernel *kernel = k->kernel;
  const struct remarks *found = &kernel->found;
  bool any = false;
  for (int taken = 1; taken >= 0; taken--)
    for (unsigned i = 0; i < found->decisions.count; i++) {
      const struct decision *d = &found->decisions.items[i];
      if (d->taken != (taken != 0) || !is_of_kernel(kernel, d)) continue;
      if (!any) text_add(out, "<h3>Decisions</h3>\n<ul class=\"decisions\">\n");
      any = true;
      page_add_decision(k->program, d, true, out);
    }
  for (unsigned i = 0; i < kernel->launches.count; i++)
    for (unsigned n = 0; n < kernel->launches.items[i]->decisions.count; n++) {
      if (!any) text_add(out, "<h3>Decisions</h3>\n<ul class=\"decisions\">\n");
      any = true;
      page_add_decision(k->program, &kernel->launches.items[i]->decisions.items[n], true, out);
    }
  if (any) text_add(out, "</ul>\n");
}

/* ---- bars ---- */

struct bar {
  const char *what, *small; /* small: the text below the bar; NULL: none */
  double milliseconds;
  bool chosen, written;
};

struct bars {
  LIST_OF(struct bar) items;
};

static double scale_of(const struct bars *bars)
{
  double least = 0, most = 0;
  for (unsigned i = 0; i < bars->items.count; i++) {
    double time = bars->items.items[i].milliseconds;
    if (i == 0 || time < least) least = time;
    if (time > most) most = time;
  }
  return most > CUT * least ? CUT * least : most;
}

static void add_bar(struct arena *arena, const struct bar *bar, double scale, struct text *out)
{
  double share = bar->milliseconds / scale;
  text_format(out, "<div%s>", bar->chosen ? " class=\"chosen\"" : "");
  markup_escape(out, bar->what);
  if (bar->chosen) text_add(out, " <span class=\"yes\">\xe2\x9c\x93 chosen</span>");
  if (bar->small) markup_element(out, "small", bar->small);
  text_format(out,
              "</div><div class=\"track\"><span class=\"fill%s%s\" style=\"width:%.2f%%\"></span>"
              "</div><div class=\"time\"%s data-ms=\"%.6g\">",
              bar->chosen ? " chosen" : "", share > 1 ? " cut" : "", share > 1 ? 100 : 100 * share,
              bar->written ? " data-is=\"written\"" : "", bar->milliseconds);
  markup_escape(out, words_milliseconds(arena, bar->milliseconds));
  text_add(out, "</div>\n");
}

static void add_bars(struct arena *arena, const struct bars *bars, const char *head,
                     const char *time, struct text *out)
{
  double scale = scale_of(bars);
  text_format(out,
              "<div class=\"bars\">\n<div class=\"head\">%s</div><div></div>"
              "<div class=\"head time\">%s</div>\n",
              head, time);
  for (unsigned i = 0; i < bars->items.count; i++)
    add_bar(arena, &bars->items.items[i], scale, out);
  text_add(out, "</div>\n");
}

/* ---- plans ---- */

static const char *plan_details(struct arena *arena, const struct ranked_plan *plan)
{
  const char *text = arena_format(arena, "bound by %s", bound_name(plan->bound));
  if (plan->registers) text = arena_format(arena, "%s, %u registers", text, plan->registers);
  if (plan->resident)
    text = arena_format(arena, "%s, %u block%s resident", text, plan->resident,
                        plan->resident > 1 ? "s" : "");
  if (plan->shared_bytes)
    text =
        arena_format(arena, "%s, %llu bytes shared", text, (unsigned long long)plan->shared_bytes);
  return plan->why ? arena_format(arena, "%s: %s", text, plan->why) : text;
}

/* The bar of the kernel as written. `stays`: no plan is taken, and nothing else either. */
static struct bar written_bar(struct arena *arena, const struct ranked_plan *plan, bool stays)
{
  const char *text = arena_format(arena, "bound by %s", bound_name(plan->written_bound));
  if (plan->totals[0] > 0)
    text = arena_format(arena, "%s; %lld x %lld elements", text, (long long)plan->totals[0],
                        (long long)plan->totals[1]);
  return (struct bar){"the kernel as written", text, plan->written, stays, true};
}

/* Adds the bar of the kernel as written (once for equal numbers), then the plans from the fastest
 * on. */
static void add_predicted(const struct page_kernel *k, struct text *out)
{
  struct arena *arena = k->program->arena;
  const struct remarks *found = &k->kernel->found;
  struct bars bars = {{0}};
  double written = 0;
  for (unsigned i = 0; i < found->plans.count; i++) {
    const struct ranked_plan *plan = &found->plans.items[i];
    if (!(plan->milliseconds > 0)) continue;
    if (plan->written > 0 && plan->written != written)
      *ARENA_PUSH(arena, &bars.items) = written_bar(arena, plan, !k->kernel->variant);
    written = plan->written;
    *ARENA_PUSH(arena, &bars.items) = (struct bar){
        words_plan(arena, plan), plan_details(arena, plan), plan->milliseconds, plan->taken, false};
  }
  if (bars.items.count) add_bars(arena, &bars, "plans that were compared", "predicted", out);
}

static void add_unpredicted(const struct page_kernel *k, struct text *out)
{
  const struct remarks *found = &k->kernel->found;
  bool any = false;
  for (unsigned i = 0; i < found->plans.count; i++) {
    const struct ranked_plan *plan = &found->plans.items[i];
    if (plan->milliseconds > 0) continue;
    text_add(out, any ? "" : "<ul>\n");
    any = true;
    text_add(out, plan->taken ? "<li><span class=\"yes\">\xe2\x9c\x93 chosen</span> " : "<li>");
    markup_escape(out, words_plan(k->program->arena, plan));
    if (plan->why) text_add(out, ": "), markup_escape(out, plan->why);
    text_add(out, "</li>\n");
  }
  if (any) text_add(out, "</ul>\n");
}

static void add_measured(const struct page_kernel *k, struct text *out)
{
  struct arena *arena = k->program->arena;
  struct bars bars = {{0}};
  for (unsigned i = 0; i < k->program->measured_count; i++) {
    const struct measured_time *time = &k->program->measured[i];
    if (words_is_measured(k->program, k->kernel, time) && time->milliseconds > 0)
      *ARENA_PUSH(arena, &bars.items) =
          (struct bar){time->plan, time->where, time->milliseconds, false, false};
  }
  if (!bars.items.count) return;
  text_add(out, "<h3>Measured</h3>\n");
  add_bars(arena, &bars, "plan", "a launch", out);
}

static void add_plans(const struct page_kernel *k, struct text *out)
{
  if (!k->kernel->found.plans.count) return;
  text_add(out, "<h3>Plans</h3>\n");
  add_predicted(k, out);
  add_unpredicted(k, out);
}

/* ---- the kernel ---- */

static void add_result(const struct page_kernel *k, struct text *out)
{
  struct words result = {0};
  words_result(k->program->arena, k->kernel->variant, &result);
  text_add(out, "<h3>What it becomes</h3>\n");
  if (k->kernel->tuned)
    markup_element(out, "p",
                   arena_format(k->program->arena, "The plan was chosen by measurement: %s",
                                k->kernel->tuned));
  text_add(out, "<ul>\n");
  for (unsigned i = 0; i < result.lines.count; i++) {
    markup_element(out, "li", result.lines.items[i]);
    text_add(out, "\n");
  }
  text_add(out, "</ul>\n");
  if (k->kernel->reject)
    markup_element(
        out, "p class=\"no\"",
        arena_format(k->program->arena, "Its accesses are not understood: %s", k->kernel->reject));
}

void page_add_kernel(const struct page_kernel *k, struct text *out)
{
  const struct explained_kernel *kernel = k->kernel;
  text_format(out, "<section class=\"part kernel\" id=\"kernel-%u\">\n<h2><code>", k->number);
  markup_escape(out, page_kernel_name(kernel));
  text_add(out, "</code> ");
  markup_element(out, "span class=\"badge\"", page_kernel_shape(k->program, kernel));
  text_add(out, "</h2>\n<p class=\"soft\">");
  for (unsigned i = 0; i < kernel->launches.count; i++) {
    text_add(out, i ? ", " : "launched at ");
    page_place(k->program, &kernel->launches.items[i]->launch->place, out);
  }
  text_add(out, "</p>\n");
  add_result(k, out);
  add_plans(k, out);
  add_measured(k, out);
  page_add_array_buttons(k, out);
  page_add_array_cards(k, out);
  page_add_kernel_code(k, out);
  add_decisions(k, out);
  text_add(out, "</section>\n");
}

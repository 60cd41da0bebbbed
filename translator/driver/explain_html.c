/* SPDX-License-Identifier: MIT */
/* explain_html.c - the explanation as one self-contained HTML page: no scripts, no other files,
 * well-formed as XML.
 *
 *     overview       a row a kernel
 *     kernel         its source, each line with the accesses made there;
 *         beside it what it becomes, arrays, decisions, plans
 *     ...
 *     the main file  with links to the kernels
 *
 * Requires: source text as the parser has seen it, which keeps the lines of the file.
 */
#include "translator/driver/explain_html.h"

#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta "
    "charset=\"utf-8\"/>\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
static const char style[] =
    "<style>\n"
    "body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5em; color: #1c2330; background: "
    "#fff; }\n"
    "h1 { font-size: 1.4em; } h2 { font-size: 1.2em; margin-top: 2em; border-top: 1px solid #ccd; "
    "padding-top: .8em; } h3 { font-size: 1em; }\n"
    "table { border-collapse: collapse; } th { text-align: left; font-weight: 600; }\n"
    "td, th { padding: .15em .6em; vertical-align: top; } .list td, .list th { border-bottom: 1px "
    "solid #dde; }\n"
    ".beside { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1.5em; }\n"
    "@media (max-width: 70em) { .beside { grid-template-columns: minmax(0, 1fr); } }\n"
    ".source { overflow-x: auto; } .source td { padding: 0 .5em; } code, .source { font: 13px/1.5 "
    "ui-monospace, monospace; }\n"
    ".source code { white-space: pre; } .line { text-align: right; color: #889; } .note { color: "
    "#345; font-size: 12px; }\n"
    ".used { background: #eef5ff; } .yes { color: #06632b; } .no { color: #8a3a00; } .taken { "
    "font-weight: 600; }\n"
    "@media (prefers-color-scheme: dark) { body { color: #dde3ee; background: #14181f; } .used { "
    "background: #1d2a3d; }\n"
    "  .note { color: #a9bdd6; } .yes { color: #7bd69b; } .no { color: #f0a671; } a { color: "
    "#8ab4ff; } }\n"
    "</style>\n";

/* ---- text ---- */

static void escape(const struct explained_program *p, struct text *out, const char *text)
{
  for (const char *at = words_clean(p->arena, text); *at; at++) {
    const char *as = *at == '&'    ? "&amp;"
                     : *at == '<'  ? "&lt;"
                     : *at == '>'  ? "&gt;"
                     : *at == '"'  ? "&quot;"
                     : *at == '\'' ? "&#39;"
                                   : NULL;
    if (as)
      text_add(out, as);
    else
      text_add_bytes(out, at, 1);
  }
}

static void element(const struct explained_program *p, struct text *out, const char *tag,
                    const char *text)
{
  text_format(out, "<%s>", tag);
  escape(p, out, text);
  text_format(out, "</%.*s>", (int)strcspn(tag, " "), tag);
}

static const char *name_of(const struct explained_kernel *kernel)
{
  const char *name =
      kernel->kernel ? kernel->kernel->name : kernel->launches.items[0]->launch->callee_text;
  return name ? name : "?";
}

static const char *shape_of(const struct explained_program *p,
                            const struct explained_kernel *kernel)
{
  return kernel->has_facts ? explain_shape(p->arena, &kernel->facts) : "not analysed";
}

/* ---- source ---- */

struct source {
  const struct unit_file *file;
  unsigned number;      /* of the file */
  unsigned first, last; /* lines */
};

/* The text that the user wrote: of the main file, without expanded macros. */
static const char *text_of(const struct explained_program *p, const struct source *source)
{
  const struct unit *unit = p->explanation->unit;
  return source->file->is_main ? unit->original.text : source->file->text;
}

static unsigned line_of(const char *text, unsigned offset)
{
  unsigned line = 1;
  for (unsigned i = 0; i < offset && text[i]; i++) line += text[i] == '\n';
  return line;
}

static bool on_line(const struct source *source, const struct ir_place *place, unsigned line)
{
  return place->file == source->number && place->line == line;
}

static void add_notes(const struct explained_program *p, const struct source *source,
                      const struct explained_kernel *kernel, unsigned line, struct text *out)
{
  bool first = true;
  for (unsigned i = 0; i < kernel->array_count; i++)
    for (unsigned k = 0; k < kernel->arrays[i].access_count; k++) {
      const struct explained_access *access = &kernel->arrays[i].accesses[k];
      if (!on_line(source, &access->place, line)) continue;
      if (!first) text_add(out, "<br/>");
      first = false;
      element(p, out, "code", access->text);
      escape(p, out,
             arena_format(p->arena, " %s, %s%g time%s a thread, warp: %s", words_access(access),
                          access->must ? "" : "at most ", access->count,
                          access->count == 1 ? "" : "s", pattern_name(access->pattern)));
    }
  for (unsigned i = 0; i < kernel->found.decisions.count; i++) {
    const struct decision *d = &kernel->found.decisions.items[i];
    if (!d->taken || !on_line(source, &d->place, line) || line == kernel->kernel->name_place.line)
      continue;
    text_add(out, first ? "<span class=\"yes\">" : "<br/><span class=\"yes\">");
    first = false;
    escape(p, out,
           arena_format(p->arena, "%s%s%s: %s", decision_name(d->kind), d->array ? " " : "",
                        d->array ? d->array : "", d->what ? d->what : "yes"));
    text_add(out, "</span>");
  }
}

static bool is_used(const struct source *source, const struct explained_kernel *kernel,
                    unsigned line)
{
  for (unsigned i = 0; i < kernel->array_count; i++)
    for (unsigned k = 0; k < kernel->arrays[i].access_count; k++)
      if (on_line(source, &kernel->arrays[i].accesses[k].place, line)) return true;
  return false;
}

/* The lines, with what the kernel does in each; NULL: with links to the kernels. */
static void add_source(const struct explained_program *p, const struct source *source,
                       const struct explained_kernel *kernel, struct text *out)
{
  const char *at = text_of(p, source);
  text_add(out, "<table class=\"source\">\n");
  for (unsigned line = 1; line <= source->last && *at; line++) {
    size_t length = strcspn(at, "\n"),
           shown = length && at[length - 1] == '\r' ? length - 1 : length;
    if (line >= source->first) {
      text_format(out, "<tr%s><td class=\"line\">%u</td><td><code>",
                  kernel && is_used(source, kernel, line) ? " class=\"used\"" : "", line);
      escape(p, out, arena_copy(p->arena, at, shown));
      text_add(out, "</code></td><td class=\"note\">");
      if (kernel) add_notes(p, source, kernel, line, out);
      for (unsigned i = 0; !kernel && i < p->explanation->kernels.count; i++) {
        const struct explained_kernel *other = p->explanation->kernels.items[i];
        if (!other->kernel || !on_line(source, &other->kernel->name_place, line)) continue;
        text_format(out, "<a href=\"#kernel-%u\">", i + 1);
        escape(p, out, arena_format(p->arena, "%s, %s", name_of(other), shape_of(p, other)));
        text_add(out, "</a> ");
      }
      text_add(out, "</td></tr>\n");
    }
    at += length + (at[length] == '\n');
  }
  text_add(out, "</table>\n");
}

static void add_kernel_source(const struct explained_program *p,
                              const struct explained_kernel *kernel, struct text *out)
{
  const struct ir_place *place = &kernel->kernel->place;
  const struct unit *unit = p->explanation->unit;
  if (!place->line || place->file >= unit->files.count) return;
  struct source source = {&unit->files.items[place->file], place->file, place->line, 0};
  source.last = line_of(source.file->text, place->end);
  text_add(out, "<div class=\"source\">\n");
  add_source(p, &source, kernel, out);
  text_add(out, "</div>\n");
}

/* ---- plans ---- */

static void add_decision(const struct explained_program *p, const struct decision *d,
                         struct text *out)
{
  text_format(out, "<tr><td class=\"%s\">%s</td>", d->taken ? "yes" : "no",
              d->taken ? "chosen" : "declined");
  element(p, out, "td", decision_title(d->kind));
  element(p, out, "td", d->array ? d->array : "");
  const char *text = d->what && d->why ? arena_format(p->arena, "%s: %s", d->what, d->why)
                     : d->what         ? d->what
                     : d->why          ? d->why
                                       : "";
  element(p, out, "td",
          d->gain > 0 ? arena_format(p->arena, "%s; predicted gain %.2f", text, d->gain) : text);
  element(p, out, "td", words_place(p, &d->place));
  text_add(out, "</tr>\n");
}

static void add_decisions(const struct explained_program *p, const struct explained_kernel *kernel,
                          struct text *out)
{
  text_add(out, "<h3>Decisions</h3>\n<table "
                "class=\"list\">\n<tr><th></th><th>about</th><th>array</th><th>what and "
                "why</th><th>at</th></tr>\n");
  for (int taken = 1; taken >= 0; taken--)
    for (unsigned i = 0; i < kernel->found.decisions.count; i++)
      if (kernel->found.decisions.items[i].taken == (taken != 0))
        add_decision(p, &kernel->found.decisions.items[i], out);
  for (unsigned i = 0; i < kernel->launches.count; i++)
    for (unsigned k = 0; k < kernel->launches.items[i]->decisions.count; k++)
      add_decision(p, &kernel->launches.items[i]->decisions.items[k], out);
  text_add(out, "</table>\n");
}

static void add_arrays(const struct explained_program *p, const struct explained_kernel *kernel,
                       struct text *out)
{
  text_add(
      out,
      "<h3>Arrays</h3>\n<table "
      "class=\"list\">\n<tr><th>array</th><th>element</th><th>use</th><th>accesses by a thread</th>"
      "<th>a block uses</th><th>bytes</th><th>uses of an element</th></tr>\n");
  for (unsigned i = 0; i < kernel->array_count; i++) {
    const struct explained_array *array = &kernel->arrays[i];
    text_add(out, "<tr>");
    element(p, out, "td", array->var->name);
    element(p, out, "td", array->element->spelling);
    element(p, out, "td", words_use(array->read, array->written));
    element(p, out, "td", arena_format(p->arena, "%g", array->count));
    if (array->range)
      element(p, out, "td", array->range);
    else
      element(p, out, "td", arena_format(p->arena, "not known: %s", array->no_range));
    element(p, out, "td",
            array->bytes ? arena_format(p->arena, "%llu", (unsigned long long)array->bytes) : "");
    element(p, out, "td", array->reuse > 0 ? arena_format(p->arena, "%.4g", array->reuse) : "");
    text_add(out, "</tr>\n");
  }
  text_add(out, "</table>\n");
}

static void add_plans(const struct explained_program *p, const struct explained_kernel *kernel,
                      struct text *out)
{
  if (!kernel->found.plans.count) return;
  text_add(
      out,
      "<details open=\"open\"><summary>Plans that were compared</summary>\n<table class=\"list\">\n"
      "<tr><th>plan</th><th>elements</th><th>predicted</th><th>as written</th><th>bound "
      "by</th><th>registers</th><th>resident</th><th></th></tr>\n");
  for (unsigned i = 0; i < kernel->found.plans.count; i++) {
    const struct ranked_plan *plan = &kernel->found.plans.items[i];
    bool predicted = plan->milliseconds > 0;
    text_add(out, plan->taken ? "<tr class=\"taken\">" : "<tr>");
    element(p, out, "td", words_plan(p->arena, plan));
    element(p, out, "td",
            predicted ? arena_format(p->arena, "%lld x %lld", (long long)plan->totals[0],
                                     (long long)plan->totals[1])
                      : "");
    element(p, out, "td", predicted ? words_milliseconds(p->arena, plan->milliseconds) : "");
    element(p, out, "td",
            predicted
                ? arena_format(p->arena, "%s, %s", words_milliseconds(p->arena, plan->written),
                               bound_name(plan->written_bound))
                : "");
    element(p, out, "td", predicted ? bound_name(plan->bound) : "");
    element(p, out, "td", plan->registers ? arena_format(p->arena, "%u", plan->registers) : "");
    element(p, out, "td", plan->resident ? arena_format(p->arena, "%u", plan->resident) : "");
    element(p, out, "td", plan->taken ? "chosen" : plan->why ? plan->why : "");
    text_add(out, "</tr>\n");
  }
  text_add(out, "</table>\n</details>\n");
}

static void add_measured(const struct explained_program *p, const struct explained_kernel *kernel,
                         struct text *out)
{
  bool any = false;
  for (unsigned i = 0; i < p->measured_count; i++) {
    const struct measured_time *time = &p->measured[i];
    if (!words_is_measured(p, kernel, time)) continue;
    text_add(out, any ? ""
                      : "<h3>Measured</h3>\n<table class=\"list\">\n<tr><th>plan</th><th>a "
                        "launch</th><th>on</th></tr>\n");
    any = true;
    text_add(out, "<tr>");
    element(p, out, "td", time->plan);
    element(p, out, "td", words_milliseconds(p->arena, time->milliseconds));
    element(p, out, "td", time->where);
    text_add(out, "</tr>\n");
  }
  if (any) text_add(out, "</table>\n");
}

static void add_result(const struct explained_program *p, const struct explained_kernel *kernel,
                       struct text *out)
{
  struct words result = {0};
  words_result(p->arena, kernel->variant, &result);
  text_add(out, "<h3>What it becomes</h3>\n");
  if (kernel->tuned)
    element(p, out, "p",
            arena_format(p->arena, "The plan was chosen by measurement: %s", kernel->tuned));
  text_add(out, "<ul>\n");
  for (unsigned i = 0; i < result.lines.count; i++) {
    element(p, out, "li", result.lines.items[i]);
    text_add(out, "\n");
  }
  text_add(out, "</ul>\n");
  if (kernel->reject)
    element(p, out, "p class=\"no\"",
            arena_format(p->arena, "Its accesses are not understood: %s", kernel->reject));
}

static void add_kernel(const struct explained_program *p, const struct explained_kernel *kernel,
                       unsigned number, struct text *out)
{
  text_format(out, "<section id=\"kernel-%u\">\n", number);
  element(p, out, "h2", arena_format(p->arena, "%s: %s", name_of(kernel), shape_of(p, kernel)));
  text_add(out, "<p>");
  for (unsigned i = 0; i < kernel->launches.count; i++)
    escape(p, out,
           arena_format(p->arena, "%s%s", i ? ", " : "Launched at ",
                        words_place(p, &kernel->launches.items[i]->launch->place)));
  text_add(out, "</p>\n<div class=\"beside\">\n<div>\n");
  if (kernel->kernel) add_kernel_source(p, kernel, out);
  text_add(out, "</div>\n<div>\n");
  add_result(p, kernel, out);
  add_measured(p, kernel, out);
  add_plans(p, kernel, out);
  text_add(out, "</div>\n</div>\n");
  add_arrays(p, kernel, out);
  add_decisions(p, kernel, out);
  text_add(out, "</section>\n");
}

/* ---- the page ---- */

static void add_overview(const struct explained_program *p, struct text *out)
{
  text_add(
      out,
      "<table class=\"list\">\n<tr><th>kernel</th><th>launched with</th><th>becomes</th></tr>\n");
  for (unsigned i = 0; i < p->explanation->kernels.count; i++) {
    const struct explained_kernel *kernel = p->explanation->kernels.items[i];
    struct words result = {0};
    words_result(p->arena, kernel->variant, &result);
    text_format(out, "<tr><td><a href=\"#kernel-%u\">", i + 1);
    escape(p, out, name_of(kernel));
    text_add(out, "</a></td>");
    element(p, out, "td", shape_of(p, kernel));
    text_add(out, "<td>");
    for (unsigned k = 0; k < result.lines.count; k++) {
      text_add(out, k ? "<br/>" : "");
      escape(p, out, result.lines.items[k]);
    }
    text_add(out, "</td></tr>\n");
  }
  text_add(out, "</table>\n");
}

static void add_variables(const struct explained_program *p, struct text *out)
{
  const struct unit *unit = p->explanation->unit;
  if (!unit->vs_vars.count) return;
  text_add(out,
           "<h2>Virtual shared variables</h2>\n<table "
           "class=\"list\">\n<tr><th>variable</th><th>at</th><th>host code's uses</th></tr>\n");
  for (unsigned i = 0; i < unit->vs_vars.count; i++) {
    const struct vs_var *vs = unit->vs_vars.items[i];
    const struct vs_plan *plan = &p->plan->host.vs[vs->id];
    if (!vs->is_definition) continue;
    text_add(out, "<tr>");
    element(p, out, "td", vs->qualified);
    element(p, out, "td", words_place(p, &vs->name_place));
    element(p, out, "td",
            plan->guarded ? arena_format(p->arena, "found by page protection%s%s",
                                         plan->guard_reason ? ": " : "",
                                         plan->guard_reason ? plan->guard_reason : "")
                          : "announced");
    text_add(out, "</tr>\n");
  }
  text_add(out, "</table>\n");
}

void explain_html(const struct explained_program *p, struct text *out)
{
  const struct unit *unit = p->explanation->unit;
  struct source whole = {&unit->files.items[0], 0, 1, UINT32_MAX};
  const char *title =
      arena_format(p->arena, "mesicc -O%d: %s", (int)p->explanation->options->level, unit->input);
  text_add(out, head);
  element(p, out, "title", title);
  text_add(out, "\n");
  text_add(out, style);
  text_add(out, "</head>\n<body>\n");
  element(p, out, "h1", title);
  element(p, out, "p",
          arena_format(p->arena,
                       "Predicted times are for sm_%u. A line's accesses are those of one thread; "
                       "\"warp\" says what the 32 threads of a warp access together.",
                       p->explanation->options->tuned_for));
  add_overview(p, out);
  for (unsigned i = 0; i < p->explanation->kernels.count; i++)
    add_kernel(p, p->explanation->kernels.items[i], i + 1, out);
  add_variables(p, out);
  text_add(out, "<h2>Source</h2>\n<div class=\"source\">\n");
  add_source(p, &whole, NULL, out);
  text_add(out, "</div>\n</body>\n</html>\n");
}

/* SPDX-License-Identifier: MIT */
/* explain_html.c - the explanation as one self-contained HTML page: no external parts, well-formed
 * as XML, complete without its script.
 *
 *     index          kernels, their arrays, variables; the script adds a search
 *     kernel         its results, plans as bars, arrays with pictures, source | emitted, decisions
 *     ...
 *     variables
 *     the main file  with links to the kernels, beside the emitted text
 *
 * Requires: source text as the parser saw it, with the lines of the file.
 */
#include "translator/driver/explain_html.h"

#include <string.h>

#include "translator/driver/explain_page.h"
#include "translator/driver/explain_style.h"
#include "translator/driver/page.h"
#include "translator/plot/markup.h"

const char *page_kernel_name(const struct explained_kernel *kernel)
{
  const char *name =
      kernel->kernel ? kernel->kernel->name : kernel->launches.items[0]->launch->callee_text;
  return name ? name : "?";
}

const char *page_kernel_shape(const struct explained_program *p,
                              const struct explained_kernel *kernel)
{
  return kernel->has_facts ? explain_shape(p->arena, &kernel->facts) : "not analysed";
}

void page_place(const struct explained_program *p, const struct ir_place *place, struct text *out)
{
  const struct unit *unit = p->explanation->unit;
  bool linked =
      place->line && place->file < unit->files.count && unit->files.items[place->file].is_main;
  if (linked)
    text_format(out, "<a href=\"#line-%u\">line %u</a>", place->line, place->line);
  else
    markup_escape(out, words_place(p, place));
}

/* ---- the index ---- */

/* Among the lines about the kernel's versions, the one for most of its launches. */
static const char *main_result(const struct words *result)
{
  unsigned i = result->lines.count - 1;
  while (i && !strncmp(result->lines.items[i], "launches ", strlen("launches "))) i--;
  return result->lines.items[i];
}

static void add_index_kernel(const struct explained_program *p, unsigned number, struct text *out)
{
  const struct explained_kernel *kernel = p->explanation->kernels.items[number - 1];
  struct words result = {0};
  words_result(p->arena, kernel->variant, &result);
  text_format(out, "<li><a href=\"#kernel-%u\">", number);
  markup_escape(out, page_kernel_name(kernel));
  text_add(out, "</a> ");
  markup_element(out, "span class=\"soft\"", page_kernel_shape(p, kernel));
  text_add(out, "<br/>");
  markup_escape(out, main_result(&result));
  if (kernel->array_count) text_add(out, "<br/>");
  for (unsigned i = 0; i < kernel->array_count; i++) {
    text_format(out, "%s<a href=\"#array-%u-%u\">", i ? ", " : "", number, i);
    markup_escape(out, kernel->arrays[i].var->name);
    text_add(out, "</a>");
  }
  text_add(out, "</li>\n");
}

static bool is_explained(const struct explanation *e, const struct ir_function *kernel)
{
  for (unsigned i = 0; i < e->kernels.count; i++) {
    const struct ir_function *other = e->kernels.items[i]->kernel;
    if (other && (other == kernel || other->instance_of == kernel)) return true;
  }
  return false;
}

static void add_index_rest(const struct explained_program *p, struct text *out)
{
  const struct unit *unit = p->explanation->unit;
  for (unsigned i = 0; i < unit->functions.count; i++) {
    const struct ir_function *f = unit->functions.items[i];
    if (!f->is_kernel || !f->has_definition || f->instance_of || is_explained(p->explanation, f))
      continue;
    text_add(out, "<li>");
    markup_escape(out, f->name);
    text_add(out, " <span class=\"soft\">is not launched here, ");
    page_place(p, &f->name_place, out);
    text_add(out, "</span></li>\n");
  }
  for (unsigned i = 0; i < unit->vs_vars.count; i++) {
    if (!unit->vs_vars.items[i]->is_definition) continue;
    text_format(out, "<li><a href=\"#variable-%u\">", i);
    markup_escape(out, unit->vs_vars.items[i]->qualified);
    text_add(out, "</a> <span class=\"soft\">variable</span></li>\n");
  }
  text_add(out, "<li><a href=\"#source\">Source and emitted text</a></li>\n");
}

static void add_index(const struct explained_program *p, struct text *out)
{
  text_add(out, "<nav class=\"index\" aria-label=\"index\">\n<h2>Index</h2>\n<ul id=\"index\">\n");
  for (unsigned i = 0; i < p->explanation->kernels.count; i++) add_index_kernel(p, i + 1, out);
  add_index_rest(p, out);
  text_add(out, "</ul>\n</nav>\n");
}

/* ---- the page ---- */

static void add_variable(const struct explained_program *p, unsigned number, struct text *out)
{
  const struct vs_var *vs = p->explanation->unit->vs_vars.items[number];
  const struct vs_plan *plan = &p->plan->host.vs[vs->id];
  if (!vs->is_definition) return;
  text_format(out, "<tr id=\"variable-%u\"><td><code>", number);
  markup_escape(out, vs->qualified);
  text_add(out, "</code></td><td>");
  page_place(p, &vs->name_place, out);
  text_add(out, "</td>");
  markup_element(out, "td",
                 plan->guarded ? arena_format(p->arena, "found by page protection%s%s",
                                              plan->guard_reason ? ": " : "",
                                              plan->guard_reason ? plan->guard_reason : "")
                               : "announced");
  text_add(out, "</tr>\n");
}

static void add_variables(const struct explained_program *p, struct text *out)
{
  const struct unit *unit = p->explanation->unit;
  if (!unit->vs_vars.count) return;
  text_add(out, "<section class=\"part\">\n<h2>Virtual shared variables</h2>\n"
                "<table class=\"list\">\n"
                "<tr><th>variable</th><th>at</th><th>host code's uses</th></tr>\n");
  for (unsigned i = 0; i < unit->vs_vars.count; i++) add_variable(p, i, out);
  text_add(out, "</table>\n</section>\n");
}

static unsigned most_arrays(const struct explanation *e)
{
  unsigned most = 0;
  for (unsigned i = 0; i < e->kernels.count; i++)
    if (e->kernels.items[i]->array_count > most) most = e->kernels.items[i]->array_count;
  return most;
}

static void add_header(const struct explained_program *p, const char *title, struct text *out)
{
  unsigned kernels = p->explanation->kernels.count;
  text_add(out, "<header>\n");
  markup_element(out, "h1", title);
  markup_element(
      out, "p class=\"soft\"",
      kernels ? arena_format(p->arena,
                             "%u kernel%s, by the shape of launches. Predicted times are for "
                             "sm_%u. Choose an array of a kernel: the lines that use it light up.",
                             kernels, kernels > 1 ? "s" : "", p->explanation->options->tuned_for)
              : "No kernel is launched in this file: there is nothing to plan.");
  text_add(out, "</header>\n");
}

void explain_html(const struct explained_program *p, struct text *out)
{
  const char *title = arena_format(p->arena, "mesicc -O%d: %s", (int)p->explanation->options->level,
                                   p->explanation->unit->input);
  struct text style = {0};
  text_add(&style, explain_style);
  page_add_array_style(most_arrays(p->explanation), &style);
  page_begin(out, title, text_string(&style));
  text_finish(&style);
  add_header(p, title, out);
  text_add(out, "<div class=\"page\">\n");
  add_index(p, out);
  text_add(out, "<main>\n");
  for (unsigned i = 0; i < p->explanation->kernels.count; i++)
    page_add_kernel(&(struct page_kernel){p, p->explanation->kernels.items[i], i + 1}, out);
  add_variables(p, out);
  page_add_whole_code(p, out);
  text_add(out, "</main>\n</div>\n");
  page_add_search(out, "index");
  page_end(out);
}

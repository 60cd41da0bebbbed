/* SPDX-License-Identifier: MIT */
/* explain_arrays.c - the arrays of a kernel on its page: a button and a card each.
 *
 *     ( ) all   (o) a   ( ) b
 *     +--------------------------+
 *     | a  int, read             |
 *     | picture                  |
 *     | a block uses [...]       |
 *     | line 35: a[...][k] read  |
 *     | + tiles: ...             |
 *     +--------------------------+
 */
#include <string.h>

#include "translator/driver/explain_page.h"
#include "translator/plot/markup.h"

/* Button 0 is for all arrays. For CSS, the buttons come before the lines that they highlight. */
void page_add_array_buttons(const struct page_kernel *k, struct text *out)
{
  unsigned count = k->kernel->array_count;
  for (unsigned i = 0; i <= count && count; i++)
    text_format(out,
                "<input class=\"pick p%u\" type=\"radio\" name=\"pick-%u\" id=\"pick-%u-%u\"%s/>\n",
                i, k->number, k->number, i, i ? "" : " checked=\"checked\"");
  if (!count) return;
  text_add(out, "<h3>Arrays</h3>\n<div class=\"chips\">\n");
  for (unsigned i = 0; i <= count; i++) {
    text_format(out, "<label class=\"l%u\" for=\"pick-%u-%u\">", i, k->number, i);
    markup_escape(out, i ? k->kernel->arrays[i - 1].var->name : "all arrays");
    text_add(out, "</label>\n");
  }
  text_add(out, "</div>\n");
}

void page_add_array_style(unsigned arrays, struct text *out)
{
  for (unsigned i = 0; i <= arrays; i++)
    text_format(out,
                ".p%u:checked ~ .chips .l%u { background: var(--one); color: var(--paper); }\n"
                ".p%u:focus-visible ~ .chips .l%u { outline: 2px solid var(--ink); }\n",
                i, i, i, i);
  for (unsigned i = 1; i <= arrays; i++)
    text_format(out,
                ".p%u:checked ~ .cards .card:not(.c%u) { display: none; }\n"
                ".p%u:checked ~ .beside .a%u { background: var(--lit); }\n",
                i, i, i, i);
}

static void add_accesses(const struct page_kernel *k, const struct explained_array *array,
                         struct text *out)
{
  struct arena *arena = k->program->arena;
  if (!array->access_count) return;
  text_add(out, "<ul>\n");
  for (unsigned i = 0; i < array->access_count; i++) {
    const struct explained_access *access = &array->accesses[i];
    text_add(out, "<li>");
    page_place(k->program, &access->place, out);
    text_add(out, ": ");
    markup_element(out, "code", access->text);
    markup_escape(out,
                  arena_format(arena, " %s, %s%g time%s a thread; a warp: %s", words_access(access),
                               access->must ? "" : "at most ", access->count,
                               access->count == 1 ? "" : "s", pattern_name(access->pattern)));
    text_add(out, "</li>\n");
  }
  text_add(out, "</ul>\n");
}

static void add_range(const struct page_kernel *k, const struct explained_array *array,
                      struct text *out)
{
  struct arena *arena = k->program->arena;
  text_add(out, array->range ? "<p>A block uses <code>" : "<p class=\"no\">");
  markup_escape(out, array->range ? array->range
                                  : arena_format(arena, "What a block uses is not known: %s",
                                                 array->no_range));
  text_add(out, array->range ? "</code>" : "");
  if (array->bytes)
    text_format(out, ", <span data-is=\"bytes\">%llu</span> bytes",
                (unsigned long long)array->bytes);
  if (array->reuse > 0)
    text_format(out, ", an element %.4g time%s", array->reuse, array->reuse == 1 ? "" : "s");
  text_add(out, "</p>\n");
}

static bool concerns(const struct decision *d, const char *array)
{
  return d->array && !strcmp(d->array, array);
}

static void add_decisions(const struct page_kernel *k, const char *array, struct text *out)
{
  const struct remarks *found = &k->kernel->found;
  text_add(out, "<ul class=\"decisions\">\n");
  for (int taken = 1; taken >= 0; taken--)
    for (unsigned i = 0; i < found->decisions.count; i++)
      if (found->decisions.items[i].taken == (taken != 0) &&
          concerns(&found->decisions.items[i], array))
        page_add_decision(k->program, &found->decisions.items[i], false, out);
  text_add(out, "</ul>\n");
}

static bool has_decisions(const struct page_kernel *k, const char *array)
{
  const struct remarks *found = &k->kernel->found;
  for (unsigned i = 0; i < found->decisions.count; i++)
    if (concerns(&found->decisions.items[i], array)) return true;
  return false;
}

static void add_card(const struct page_kernel *k, unsigned number, struct text *out)
{
  const struct explained_array *array = &k->kernel->arrays[number];
  text_format(out, "<div class=\"card c%u\" id=\"array-%u-%u\">\n<h4><code>", number + 1, k->number,
              number);
  markup_escape(out, array->var->name);
  text_add(out, "</code> ");
  markup_element(out, "span class=\"badge\"",
                 arena_format(k->program->arena, "%s, %s, %g access%s a thread",
                              array->element->spelling, words_use(array->read, array->written),
                              array->count, array->count == 1 ? "" : "es"));
  text_add(out, "</h4>\n");
  page_add_picture(k, number, out);
  add_range(k, array, out);
  add_accesses(k, array, out);
  if (has_decisions(k, array->var->name)) add_decisions(k, array->var->name, out);
  text_add(out, "</div>\n");
}

void page_add_array_cards(const struct page_kernel *k, struct text *out)
{
  if (!k->kernel->array_count) return;
  text_add(out, "<div class=\"cards\">\n");
  for (unsigned i = 0; i < k->kernel->array_count; i++) add_card(k, i, out);
  text_add(out, "</div>\n");
}

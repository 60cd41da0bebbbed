/* SPDX-License-Identifier: MIT */
/* explain_code.c - source and emitted text side by side on the page of --explain=html.
 *
 * A line of a kernel has class aN where it accesses the kernel's N-th array, and in emitted text
 * where it names the array or its copy. Emitted text is shown without its #line directives.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "translator/driver/explain_page.h"
#include "translator/plot/markup.h"

struct lines { /* the lines of a text, one after another */
  const char *at;
  size_t length; /* of the line that begins at `at`, without its end */
};

static bool next_line(const char **text, struct lines *ret)
{
  if (!**text) return false;
  size_t length = strcspn(*text, "\n");
  *ret = (struct lines){*text, length && (*text)[length - 1] == '\r' ? length - 1 : length};
  *text += length + ((*text)[length] == '\n');
  return true;
}

/* The text of the user: of the main file, without expanded macros. */
static const char *text_of(const struct explained_program *p, const struct unit_file *file)
{
  return file->is_main ? p->explanation->unit->original.text : file->text;
}

static unsigned line_of(const char *text, unsigned offset)
{
  unsigned line = 1;
  for (unsigned i = 0; i < offset && text[i]; i++) line += text[i] == '\n';
  return line;
}

static void begin_pane(struct text *out, const char *title, const char *label, bool numbered)
{
  text_add(out, "<div class=\"pane\">\n");
  markup_element(out, "h4", title);
  text_format(out,
              "\n<div class=\"code%s\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><ol>\n",
              numbered ? "" : " plain", label);
}

static void end_pane(struct text *out) { text_add(out, "</ol></div>\n</div>\n"); }

static void add_line(struct arena *arena, const struct lines *line, unsigned number, const char *id,
                     const char *classes, const char *more, struct text *out)
{
  text_add(out, "<li");
  if (id) text_format(out, " id=\"%s\"", id);
  if (*classes) text_format(out, " class=\"%s\"", classes);
  if (number) text_format(out, " data-line=\"%u\"", number);
  text_add(out, ">");
  markup_escape(out, arena_copy(arena, line->at, line->length));
  text_format(out, "%s</li>\n", more);
}

/* ---- a kernel ---- */

static bool is_at(const struct ir_place *place, unsigned file, unsigned line)
{
  return place->file == file && place->line == line;
}

static const char *classes_of_source(const struct page_kernel *k, unsigned file, unsigned line)
{
  const char *classes = "";
  for (unsigned i = 0; i < k->kernel->array_count; i++)
    for (unsigned n = 0; n < k->kernel->arrays[i].access_count; n++)
      if (is_at(&k->kernel->arrays[i].accesses[n].place, file, line)) {
        classes =
            arena_format(k->program->arena, "%s%sa%u", classes, *classes ? " " : "used ", i + 1);
        break;
      }
  return classes;
}

static void add_kernel_source(const struct page_kernel *k, struct text *out)
{
  const struct ir_place *place = &k->kernel->kernel->place;
  const struct unit_file *file = &k->program->explanation->unit->files.items[place->file];
  const char *text = text_of(k->program, file);
  unsigned last = line_of(file->text, place->end), number = 0;
  struct lines line;
  begin_pane(out, arena_format(k->program->arena, "Source: %s", file->path), "source", true);
  while (next_line(&text, &line) && ++number <= last)
    if (number >= place->line)
      add_line(k->program->arena, &line, number, NULL, classes_of_source(k, place->file, number),
               "", out);
  end_pane(out);
}

/* Is it the array's name, or that of its copy? */
static bool names_array(const char *word, size_t length, const char *array)
{
  static const char copy[] = "_s_";
  size_t prefix = length > strlen(copy) && !strncmp(word, copy, strlen(copy)) ? strlen(copy) : 0;
  return length - prefix == strlen(array) && !strncmp(word + prefix, array, length - prefix);
}

static bool has_array(const struct lines *line, const char *array)
{
  const char *end = line->at + line->length;
  for (const char *at = line->at; at < end;) {
    const char *word = at;
    while (at < end && (isalnum((unsigned char)*at) || *at == '_')) at++;
    if (at > word && names_array(word, (size_t)(at - word), array)) return true;
    at += at == word;
  }
  return false;
}

static const char *classes_of_emitted(const struct page_kernel *k, const struct lines *line)
{
  const char *classes = "";
  for (unsigned i = 0; i < k->kernel->array_count; i++)
    if (has_array(line, k->kernel->arrays[i].var->name))
      classes = arena_format(k->program->arena, "%s%sa%u", classes, *classes ? " " : "", i + 1);
  return classes;
}

static bool is_directive(const struct lines *line) { return !strncmp(line->at, "#line ", 6); }

static bool is_wanted(const struct page_kernel *k, const struct printed_text *printed)
{
  return printed->kernel == k->kernel->kernel &&
         (!printed->variant || printed->variant == k->kernel->variant);
}

static bool add_emitted(const struct page_kernel *k, const struct printed_text *printed, bool first,
                        struct text *out)
{
  const char *text = printed->text;
  struct lines line;
  if (!is_wanted(k, printed)) return false;
  text += strspn(text, "\n");
  if (first) begin_pane(out, "Emitted behind it", "emitted text", false);
  while (next_line(&text, &line))
    if (!is_directive(&line))
      add_line(k->program->arena, &line, 0, NULL, classes_of_emitted(k, &line), "", out);
  return true;
}

void page_add_kernel_code(const struct page_kernel *k, struct text *out)
{
  const struct printed_texts *printed = k->program->printed;
  const struct unit *unit = k->program->explanation->unit;
  bool any = false;
  if (!k->kernel->kernel || !k->kernel->kernel->place.line ||
      k->kernel->kernel->place.file >= unit->files.count)
    return;
  text_add(out, "<div class=\"beside\">\n");
  add_kernel_source(k, out);
  for (unsigned i = 0; i < printed->items.count; i++)
    any |= add_emitted(k, &printed->items.items[i], !any, out);
  if (any)
    end_pane(out);
  else
    text_add(out, "<div class=\"pane\"><h4>Emitted</h4><p>The kernel as written.</p></div>\n");
  text_add(out, "</div>\n");
}

/* ---- the whole file ---- */

static const char *links_of(const struct explained_program *p, unsigned line)
{
  struct text links = {0};
  for (unsigned i = 0; i < p->explanation->kernels.count; i++) {
    const struct explained_kernel *kernel = p->explanation->kernels.items[i];
    if (!kernel->kernel || !is_at(&kernel->kernel->name_place, 0, line)) continue;
    text_format(&links, "<a href=\"#kernel-%u\">", i + 1);
    markup_escape(&links, page_kernel_shape(p, kernel));
    text_add(&links, "</a>");
  }
  const char *copy = arena_string(p->arena, text_string(&links));
  text_finish(&links);
  return copy;
}

/* Sorts lines of the source, to find the lines of the output that are new. */
static int by_text(const void *a, const void *b)
{
  const struct lines *x = a, *y = b;
  size_t shorter = x->length < y->length ? x->length : y->length;
  int order = memcmp(x->at, y->at, shorter);
  return order ? order : (x->length > y->length) - (x->length < y->length);
}

static void add_whole_emitted(const struct explained_program *p, struct text *out)
{
  struct {
    LIST_OF(struct lines) items;
  } known = {{0}};
  const char *source = p->explanation->unit->original.text, *text = p->emitted;
  struct lines line;
  unsigned number = 0;
  while (next_line(&source, &line)) *ARENA_PUSH(p->arena, &known.items) = line;
  if (known.items.count)
    qsort(known.items.items, known.items.count, sizeof *known.items.items, by_text);
  begin_pane(out, "Emitted text", "emitted text", true);
  while (next_line(&text, &line)) {
    bool old = known.items.count && bsearch(&line, known.items.items, known.items.count,
                                            sizeof *known.items.items, by_text);
    number++;
    if (!is_directive(&line)) add_line(p->arena, &line, number, NULL, old ? "" : "made", "", out);
  }
  end_pane(out);
}

void page_add_whole_code(const struct explained_program *p, struct text *out)
{
  const struct unit *unit = p->explanation->unit;
  const char *text = unit->original.text;
  struct lines line;
  unsigned number = 0;
  text_add(out, "<section class=\"part\" id=\"source\">\n<h2>Source and emitted text</h2>\n"
                "<p class=\"soft\">Lines that the source does not have are marked.</p>\n"
                "<div class=\"beside\">\n");
  begin_pane(out, arena_format(p->arena, "Source: %s", unit->input), "source", true);
  while (text && next_line(&text, &line)) {
    const char *id = arena_format(p->arena, "line-%u", ++number);
    add_line(p->arena, &line, number, id, "", links_of(p, number), out);
  }
  end_pane(out);
  if (p->emitted) add_whole_emitted(p, out);
  text_add(out, "</div>\n</section>\n");
}

/* SPDX-License-Identifier: MIT */
/* help.c - what mesicc says of itself. */
#include <string.h>

#include "translator/driver/commit.h"
#include "translator/driver/option_table.h"
#include "translator/driver/paths.h"
#include "translator/frontend/frontend.h"

enum { COLUMN = 32 };

/* "run, compare: ..." belongs to these verbs; another text to all. */
static bool concerns(const char *text, const char *verb)
{
  size_t length = strcspn(text, ":");
  bool named = false;
  for (unsigned i = 1; i < verb_row_count && text[length]; i++) {
    const char *name = verb_rows[i].name, *found = strstr(text, name);
    if (!found || found >= text + length || strspn(text, "abcdefghijklmnopqrstuvwxyz, ") < length)
      continue;
    if (!strcmp(name, verb)) return true;
    named = true;
  }
  return !named;
}

static void print_row(FILE *out, const struct option_row *row)
{
  bool both = strcmp(row->spellings[0], row->spellings[1]) != 0;
  int width = fprintf(out, "  %s", row->spellings[both]);
  bool space = option_has_value(row) && row->form != JOINED;
  width += fprintf(out, "%s%s", space ? " " : "", row->argument);
  if (both && row->spellings[0][1] == '-') width += fprintf(out, ", %s", row->spellings[0]);
  fprintf(out, "%*s%s\n", width < COLUMN ? COLUMN - width : 1, "", row->text);
}

static void print_rows(FILE *out, const char *verb, bool of_nvcc)
{
  for (unsigned i = 0; i < option_row_count; i++) {
    const struct option_row *row = &option_rows[i];
    bool phase = row->form == PHASE && !*verb;
    if ((row->fate == FATE_OWN || phase) && (row->id >= OPTION_OF_NVCC) == of_nvcc &&
        concerns(row->text, verb))
      print_row(out, row);
  }
}

static void print_usage(FILE *out, const struct verb_row *verb)
{
  fprintf(out, "mesicc %s%s%s\n    %s\n", verb->name, *verb->name ? " " : "", verb->usage,
          verb->text);
}

void options_help(FILE *out, const struct options *options)
{
  const struct verb_row *verb = &verb_rows[options->verb];
  if (*verb->name) print_usage(out, verb);
  for (unsigned i = 0; i < verb_row_count && !*verb->name; i++) print_usage(out, &verb_rows[i]);
  fputs("\nOptions:\n", out);
  print_rows(out, verb->name, false);
  fputs("\nOptions as nvcc spells them:\n", out);
  print_rows(out, verb->name, true);
  fputs(
      "  All others of nvcc's go to nvcc where it is called, or are refused with the reason: "
      "docs/nvcc-options.md.\n\n"
      "Exit status: 0 fine, 1 usage or I/O, 2 errors in the source, 3 internal error or a limit "
      "reached;\n"
      "run ends with the program's own status, run --check with 4 where something was reported, "
      "compare with 4\n"
      "where results differ. prove ends with 0 where they are equal, 4 different, 5 not decided.\n",
      out);
}

void options_version(struct arena *arena, FILE *out, const struct options *options,
                     struct diag *diag)
{
  struct paths paths;
  paths_find(arena, options, diag, &paths);
  bool commit = strcmp(MESI_COMMIT, "none") != 0;
  fprintf(out, "mesicc %s%s%s\n", MESI_VERSION, commit ? ", commit " : "",
          commit ? MESI_COMMIT : "");
  fprintf(out, "libclang: %s\n", frontend_parser(arena));
  fprintf(out, "CUDA toolkit: %s%s\n", paths.toolkit ? paths.toolkit : "none",
          paths.toolkit && !paths.nvcc ? " (without nvcc)" : "");
}

/* SPDX-License-Identifier: MIT */
/* help.c - the texts of --help and --version. */
#include <string.h>
#include <sys/ioctl.h>

#include "translator/driver/commit.h"
#include "translator/driver/option_table.h"
#include "translator/driver/paths.h"
#include "translator/frontend/frontend.h"

enum { COLUMN = 32, WIDEST = 100, NARROWEST = 60 };

/* The terminal's width, within limits for readable lines. */
static int width_of(FILE *out)
{
  struct winsize size;
  if (ioctl(fileno(out), TIOCGWINSZ, &size) || size.ws_col > WIDEST || !size.ws_col) return WIDEST;
  return size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
}

/* Prints lines that begin at `column`; the first one has come to `at`. */
static void print_wrapped(FILE *out, const char *text, int column, int at)
{
  int width = width_of(out);
  if (at >= column) at = fprintf(out, "\n%*s", column, "") - 1;
  if (at < column) at += fprintf(out, "%*s", column - at, "");
  for (size_t length; *text; text += length + strspn(text + length, " ")) {
    length = strcspn(text, " ");
    if (at > column && at + 1 + (int)length > width)
      at = fprintf(out, "\n%*s", column, "") - 1;
    else if (at > column)
      at += fprintf(out, " ");
    at += fprintf(out, "%.*s", (int)length, text);
  }
  fputc('\n', out);
}

/* "run, compare: ..." is for these verbs; another text for all verbs. */
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
  print_wrapped(out, row->text, COLUMN, width);
}

/* Is the option one of the verb's? plot and nvcc have few options; the other verbs translate. */
static bool belongs(const struct option_row *row, const struct options *options)
{
  enum option_id id = row->id;
  const char *verb = verb_rows[options->verb].name;
  bool phase = row->form == PHASE && !*verb;
  if (options->verb == VERB_PLOT) return id == OPTION_OUTPUT || id == OPTION_HELP;
  if (options->verb == VERB_NVCC) return id == OPTION_REMARKS || id == OPTION_REMARKS_OF;
  return (row->fate == FATE_OWN || phase) && concerns(row->text, verb);
}

static void print_rows(FILE *out, const struct options *options, const char *title, bool of_nvcc)
{
  bool begun = false;
  for (unsigned i = 0; i < option_row_count; i++) {
    const struct option_row *row = &option_rows[i];
    if ((row->id >= OPTION_OF_NVCC) != of_nvcc || !belongs(row, options)) continue;
    if (!begun) fprintf(out, "\n%s:\n", title);
    begun = true;
    print_row(out, row);
  }
}

static void print_usage(FILE *out, const struct verb_row *verb)
{
  fprintf(out, "mesicc %s%s%s\n", verb->name, *verb->name ? " " : "", verb->usage);
  print_wrapped(out, verb->text, 4, 0);
}

void options_help(FILE *out, const struct options *options)
{
  const struct verb_row *verb = &verb_rows[options->verb];
  if (*verb->name) print_usage(out, verb);
  for (unsigned i = 0; i < verb_row_count && !*verb->name; i++) print_usage(out, &verb_rows[i]);
  print_rows(out, options, "Options", false);
  print_rows(out, options, options->verb == VERB_PLOT ? "Options" : "Options as nvcc spells them",
             true);
  if (options->verb == VERB_PLOT) return;
  print_wrapped(out,
                options->verb == VERB_NVCC
                    ? "All other words are nvcc's: 'nvcc --help' lists them."
                    : "All others of nvcc's go to nvcc where it is called, or are refused with the "
                      "reason: docs/nvcc-options.md.",
                2, 0);
  if (options->verb == VERB_NVCC) return;
  fputc('\n', out);
  print_wrapped(
      out,
      "Exit status: 0 fine, 1 usage or I/O, 2 errors in the source, 3 internal error or a "
      "limit reached; run ends with the program's own status, run --check with 4 where "
      "something was reported, compare with 4 where results differ. prove ends with 0 "
      "where they are equal, 4 different, 5 not decided.",
      0, 0);
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

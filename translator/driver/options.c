/* SPDX-License-Identifier: MIT */
/* options.c - parses the command line, option files included. */
#include "translator/driver/options.h"

#include <stdlib.h>
#include <string.h>

#include "translator/base/file.h"
#include "translator/driver/option_reader.h"
#include "translator/driver/parts.h"
#include "translator/driver/sample.h"
#include "translator/driver/tune_file.h"

#define NESTED_FILES 16u
#define OPTION_FILES 1000u /* in all: files that include each other twice would go on for ever */

int option_refuse(struct reader *r, const char *format, const char *word)
{
  diag_report(r->diag, DIAG_USAGE, NULL, format, word);
  return -1;
}

void option_push(struct reader *r, struct string_list *list, const char *word)
{
  *ARENA_PUSH(r->arena, list) = word;
}

/* ---- option files ---- */

static int add_words(struct reader *r, const char *word, unsigned depth);

/* Words as a shell splits them: blanks separate, quotes and backslashes protect. */
static int add_file(struct reader *r, const char *path, unsigned depth)
{
  const char *text;
  size_t length;
  if (depth >= NESTED_FILES)
    return option_refuse(r, "option files are nested too deeply at '%s'", path);
  if (r->files++ >= OPTION_FILES)
    return option_refuse(r, "there are too many option files at '%s'", path);
  enum file_status status = file_read(r->arena, path, &text, &length);
  if (status != FILE_OK) {
    diag_report(r->diag, DIAG_INPUT, &(struct diag_place){.file = path},
                "the option file cannot be taken: %s", file_status_text(status));
    return -1;
  }
  struct text word = {0};
  bool open = false;
  for (const char *c = text;; c++) {
    bool blank = !*c || *c == ' ' || *c == '\t' || *c == '\n' || *c == '\r';
    if (blank && open) {
      int result = add_words(r, arena_copy(r->arena, text_string(&word), word.length), depth + 1);
      word.length = 0;
      open = false;
      if (result) return text_finish(&word), -1;
    }
    if (!*c) break;
    if (blank) continue;
    open = true;
    if (*c == '"' || *c == '\'') {
      for (char quote = *c++; *c && *c != quote; c++) {
        if (*c == '\\' && quote == '"' && c[1]) c++;
        text_add_bytes(&word, c, 1);
      }
      if (!*c) break;
    } else {
      if (*c == '\\' && c[1]) c++;
      text_add_bytes(&word, c, 1);
    }
  }
  text_finish(&word);
  return 0;
}

static int add_words(struct reader *r, const char *word, unsigned depth)
{
  if (word[0] == '@' && word[1]) return add_file(r, word + 1, depth);
  option_push(r, &r->words, word);
  return 0;
}

/* ---- the effects of options ---- */

static int pass_on(struct reader *r, const char *spelling, const char *text)
{
  option_push(r, &r->options->clang_args, spelling);
  option_push(r, &r->options->clang_args, text);
  option_push(r, &r->options->build_args, spelling);
  option_push(r, &r->options->build_args, text);
  return 0;
}

static int add_library(struct reader *r, const char *spelling, const char *text)
{
  option_push(r, &r->options->link_args, arena_format(r->arena, "%s%s", spelling, text));
  return 0;
}

static int add_host_arg(struct reader *r, const char *word)
{
  option_host_args(r, arena_format(r->arena, "%s", word));
  return 0;
}

/* The last phase counts; a step that makes an object of its own goes with -c. */
static int set_phase(struct reader *r, const struct option_row *row)
{
  struct options *o = r->options;
  if (o->phase && strcmp(o->phase, row->spellings[0]) && strcmp(o->phase, "--compile") &&
      strcmp(row->spellings[0], "--compile"))
    return option_refuse(r, "'%s' stands beside another phase: mesicc does one at a time",
                         row->spellings[0]);
  if (!o->phase || !strcmp(o->phase, "--compile")) o->phase = row->spellings[0];
  return 0;
}

static int forward(struct reader *r, const struct option_row *row, const char *value)
{
  if (row->form == PHASE) return set_phase(r, row);
  if (row->form == SWITCH && strcmp(value, "true") && strcmp(value, "false"))
    return option_refuse(r, "'%s' is neither true nor false", value);
  option_push(r, &r->options->nvcc_args,
              value ? arena_format(r->arena, "%s=%s", row->spellings[0], value)
                    : row->spellings[0]);
  return 0;
}

/* Options of nvcc that have a meaning here. */
static int apply_of_nvcc(struct reader *r, enum option_id id, const char *value)
{
  struct options *o = r->options;
  switch (id) {
  case OPTION_DEPENDENCIES: o->dependencies_only = o->depfile = true; return 0;
  case OPTION_DEP_MD: o->depfile = true; return 0;
  case OPTION_DEP_MF: o->dep_file = value; return 0;
  case OPTION_DEP_MP: o->dep_phony = true; return 0;
  case OPTION_DEP_MT:
  case OPTION_DEP_MT_QUOTED:
    o->dep_target = value;
    o->dep_quoted = id == OPTION_DEP_MT_QUOTED;
    return 0;
  case OPTION_LINK: o->link = true; return 0;
  case OPTION_OUTPUT: o->output = value; return 0;
  case OPTION_OUTPUT_DIR: o->output_dir = value; return 0;
  case OPTION_INCLUDE_FILE: return option_list(r, "-include", value, pass_on);
  case OPTION_INCLUDE_DIR: return option_list(r, "-I", value, pass_on);
  case OPTION_SYSTEM_DIR: return option_list(r, "-isystem", value, pass_on);
  case OPTION_QUOTE_DIR: return pass_on(r, "-iquote", value);
  case OPTION_DEFINE: return option_list(r, "-D", value, option_macro);
  case OPTION_UNDEFINE: return option_list(r, "-U", value, option_macro);
  case OPTION_LIBRARY: return option_list(r, "-l", value, add_library);
  case OPTION_LIBRARY_DIR: return option_list(r, "-L", value, add_library);
  case OPTION_BINDIR: o->host_compiler = value; return 0;
  case OPTION_LEVEL: return option_level(r, value);
  case OPTION_LANGUAGE: o->any_name = true; return option_language(r, value);
  case OPTION_STANDARD: return option_standard(r, value);
  case OPTION_MACHINE:
    return strcmp(value, "64") ? option_refuse(r, "'-m%s' is refused: 64 bits only", value) : 0;
  case OPTION_XCOMPILER: option_host_args(r, value); return 0;
  case OPTION_UNKNOWN_TO_HOST: r->unknown_to_host = true; return 0;
  case OPTION_UNKNOWN_TO_LINKER: r->unknown_to_linker = true; return 0;
  case OPTION_UNKNOWN_TO_BOTH: r->unknown_to_host = r->unknown_to_linker = true; return 0;
  case OPTION_VERBOSE: o->verbose = true; return 0;
  case OPTION_ARCH: return option_arch(r, value);
  case OPTION_CODE: return option_code(r, value);
  case OPTION_GENCODE: return option_gencode(r, value);
  case OPTION_FAST_MATH:
    o->fast_math = true;
    option_push(r, &o->nvcc_args, "--use_fast_math");
    return 0;
  case OPTION_NO_WARNINGS:
    option_push(r, &o->warning_words, "-w");
    option_push(r, &o->nvcc_args, "--disable-warnings");
    return 0;
  case OPTION_WARNING: return option_warning(r, value);
  case OPTION_DEFAULT_STREAM: return option_stream(r, value);
  case OPTION_HELP: o->help = true; return 0;
  case OPTION_VERSION: o->version = true; return 0;
  default: return 0; /* OPTIONS_FILE: expanded before */
  }
}

/* mesicc's own options. */
static int apply(struct reader *r, enum option_id id, const char *value)
{
  struct options *o = r->options;
  switch (id) {
  case OPTION_TARGET: return option_target(r, value);
  case OPTION_SHARED_MEMORY:
    return option_number(r, "--shared-memory", value, 232448, &o->shared_memory);
  case OPTION_MAPPING: return option_mapping(r, value);
  case OPTION_EFFORT: return option_effort(r, value);
  case OPTION_SPLIT: return option_split(r, value);
  case OPTION_PRODUCTS: return option_products(r, value);
  case OPTION_PARTS: return option_parts(r, value);
  case OPTION_DEVICES: return option_devices(r, value);
  case OPTION_TEMPORAL: return option_temporal(r, value);
  case OPTION_DEP_MJ: o->fragment = value; return 0;
  case OPTION_DATABASE: o->database = value; return 0;
  case OPTION_LINK_ARG: return add_library(r, "-Wl,", value);
  case OPTION_REMARKS: o->remarks = true; return 0;
  case OPTION_REMARKS_OF:
    o->remarks = true;
    o->remark_filter = value;
    return option_remark_kinds(r, value);
  case OPTION_KEEP_ORDER: o->keep_order = true; return 0;
  case OPTION_COLOR: o->color = 1; return 0;
  case OPTION_NO_COLOR: o->color = -1; return 0;
  case OPTION_MESSAGE_FORM: o->message_form = value; return option_message_form(r, value);
  case OPTION_ERROR_LIMIT: return option_number(r, "-ferror-limit", value, 1000, &o->error_limit);
  case OPTION_VERIFY_EMITTED: o->verify_emitted = true; return 0;
  case OPTION_NO_LINE: o->no_line = true; return 0;
  case OPTION_DUMP_IR: o->dump = DUMP_IR; return 0;
  case OPTION_DUMP_ACCESS: o->dump = DUMP_ACCESS; return 0;
  case OPTION_DUMP_RANGE: o->dump = DUMP_RANGE; return 0;
  case OPTION_DUMP_PLAN: o->dump = DUMP_PLAN; return 0;
  case OPTION_EXPLAIN: o->explain = EXPLAIN_TEXT; return 0;
  case OPTION_EXPLAIN_AS: return option_explain(r, value);
  case OPTION_EXPLAIN_FILE: o->explain_file = value; return 0;
  case OPTION_TOOLKIT: o->toolkit = value; return 0;
  case OPTION_NO_CACHE: o->no_cache = true; return 0;
  case OPTION_WHOLE: o->whole_program = true; return 0;
  case OPTION_HOOK: o->hook_launches = true; return 0;
  case OPTION_TUNED: o->tuned_file = ""; return 0; /* named when the input is known */
  case OPTION_TUNED_FILE: o->tuned_file = value; return 0;
  case OPTION_TUNE_EMIT: o->tune_emit = value; return 0;
  case OPTION_TUNE_READ: o->tune_read = value; return 0;
  case OPTION_CANDIDATES: return option_number(r, "--candidates", value, 64, &o->candidates);
  case OPTION_REPEATS: return option_number(r, "--repeats", value, 1000, &o->repeats);
  case OPTION_LEVELS: return option_levels(r, value);
  case OPTION_CHECK: o->check = true; return 0;
  case OPTION_KEEP: o->keep = value; return 0;
  case OPTION_JSON: o->json = true; return 0;
  case OPTION_PLOT: o->plot = value; return 0;
  default: return apply_of_nvcc(r, id, value);
  }
}

/* The option of mesicc's that a word probably means. A misspelt one must not go to another
 * compiler. */
static const char *meant_by(struct reader *r, const struct option_row *row, const char *word)
{
  bool may_be_ours = !row || (row->form == PREFIX && !strncmp(word, "-fno-a", 6));
  return may_be_ours ? option_near(r->arena, word) : NULL;
}

static int read_unknown(struct reader *r, const char *word)
{
  const char *near = meant_by(r, NULL, word);
  if (near && !r->unknown_to_host && !r->unknown_to_linker)
    return option_refuse(
        r, arena_format(r->arena, "there is no option '%%s'; did you mean '%s'?", near), word);
  if (r->unknown_to_host) option_push(r, &r->options->host_args, word);
  if (r->unknown_to_linker)
    option_push(r, &r->options->link_args, arena_format(r->arena, "-Wl,%s", word));
  if (r->unknown_to_host || r->unknown_to_linker) return 0;
  return option_refuse(r, "there is no option '%s'", word);
}

static int read_option(struct reader *r)
{
  const char *word = r->words.items[r->at++], *value;
  const struct option_row *row = option_find(word, &value);
  const char *next = r->at < r->words.count ? r->words.items[r->at] : NULL;
  if (!row) return read_unknown(r, word);
  const char *meant = meant_by(r, row, word);
  if (meant)
    return option_refuse(
        r, arena_format(r->arena, "there is no option '%%s'; did you mean '%s'?", meant), word);
  if (!strcmp(row->spellings[1], "-Werror") && !option_is_error_kind(value ? value : next))
    return option_warning(r, word);
  if (option_has_value(row) && !value) {
    if (!next) return option_refuse(r, "option '%s' needs an argument", word);
    value = next;
    r->at++;
  }
  switch (row->fate) {
  case FATE_OWN: return apply(r, row->id, row->form == PREFIX ? word : value);
  case FATE_FORWARDED: return forward(r, row, value);
  case FATE_HOST: return add_host_arg(r, word);
  case FATE_NOTHING: return 0;
  case FATE_REFUSED: break;
  }
  return option_refuse(r, arena_format(r->arena, "'%%s' is refused: %s", row->text), word);
}

int option_expand(struct reader *r, int argc, char **argv)
{
  for (int i = 0; i < argc; i++) {
    const char *value = NULL;
    if (!strcmp(argv[i], "--")) {
      while (++i < argc) option_push(r, &r->options->program_args, argv[i]);
      return 0;
    }
    const struct option_row *row = argv[i][0] == '-' ? option_find(argv[i], &value) : NULL;
    bool reads = row && row->id == OPTION_OPTIONS_FILE && (value || i + 1 < argc);
    if (reads ? add_file(r, value ? value : argv[++i], 0) : add_words(r, argv[i], 0)) return -1;
  }
  return 0;
}

/* Checked programs run on the CPU backend. */
static int settle_check(struct reader *r)
{
  struct options *o = r->options;
  bool builds = o->verb == VERB_RUN || o->verb == VERB_COMPARE;
  if (!o->check || o->target == TARGET_CPU) return 0;
  if (o->target == TARGET_CUDA || !builds)
    return option_refuse(r, "%s works on the CPU backend only: it needs --target=cpu", "--check");
  o->target = TARGET_CPU;
  return 0;
}

/* ---- the whole command line ---- */

static bool ends_with(const char *text, const char *end)
{
  size_t length = strlen(text), wanted = strlen(end);
  return length > wanted && !strcmp(text + length - wanted, end);
}

/* Refuses an output whose name a linker would take for an object. */
static int check_output(struct reader *r)
{
  static const char *const endings[] = {".o", ".obj", ".a", ".so", ".ptx", ".cubin", ".fatbin"};
  const struct options *o = r->options;
  if (!o->output || o->phase || o->link) return 0;
  for (unsigned i = 0; i < sizeof endings / sizeof *endings; i++)
    if (ends_with(o->output, endings[i]))
      return option_refuse(
          r, "'%s' would be a file of text with the name of another kind; -c makes an object",
          o->output);
  return 0;
}

static bool is_object(const char *path)
{
  return ends_with(path, ".o") || ends_with(path, ".a") || ends_with(path, ".so");
}

static void add_input(struct reader *r, const char *word)
{
  struct options *o = r->options;
  bool part = o->verb != VERB_TRANSLATE && o->inputs.count && parts_is_source(word) && !o->any_name;
  option_push(r, o->link && is_object(word) ? &o->link_args : part ? &o->parts : &o->inputs, word);
}

/* Replaces a folder that has a sample.json by the words in it. */
static int add_sample(struct reader *r, const char *folder)
{
  struct string_list words = {0};
  if (sample_words(r, folder, &words)) return -1;
  while (r->at < r->words.count) option_push(r, &words, r->words.items[r->at++]);
  r->words = words;
  r->at = 0;
  return 0;
}

static bool takes_samples(const struct options *o)
{
  return o->verb != VERB_SURVEY && o->verb != VERB_PLOT && o->verb != VERB_SETUP;
}

/* Refuses options of other verbs. */
static int check_verb(struct reader *r)
{
  struct options *o = r->options;
  if ((o->tune_read || o->tune_emit) &&
      (o->verb != VERB_TUNE || (o->tune_read && (o->tune_emit || o->inputs.count))))
    return option_refuse(r, "%s",
                         o->verb != VERB_TUNE ? "--emit and --read belong to tune"
                                              : "tune --read takes no file and no --emit");
  if (o->verb != VERB_TRANSLATE && (o->phase || o->link || o->dependencies_only))
    return option_refuse(r, "'%s' belongs to translation, not to a verb",
                         o->phase  ? o->phase
                         : o->link ? "--link"
                                   : "-M");
  if (o->json && o->verb != VERB_SURVEY && (o->verb != VERB_COMPARE || o->check))
    return option_refuse(r, "'%s' belongs to survey and to compare without --check", "--json");
  if (o->device_runs && (o->verb != VERB_COMPARE || o->check))
    return option_refuse(r, "'%s' belongs to compare without --check", "--devices");
  if (o->plot && o->verb != VERB_TUNE && (o->verb != VERB_COMPARE || o->check))
    return option_refuse(r, "--plot '%s' belongs to tune and to compare without --check", o->plot);
  if (o->plot && o->tune_emit) return option_refuse(r, "--emit measures nothing for '%s'", o->plot);
  if (o->phase && o->link)
    return option_refuse(r, "'%s' stands beside --link: mesicc does one at a time", o->phase);
  if (o->program_args.count && o->verb == VERB_TRANSLATE)
    return option_refuse(r, "arguments after -- ('%s') belong to run and compare",
                         o->program_args.items[0]);
  return 0;
}

/* Translation takes several files, each for itself; run, compare and tune take those of one
 * program. */
static int check_inputs(struct reader *r)
{
  struct options *o = r->options;
  const char *last = o->inputs.count ? o->inputs.items[o->inputs.count - 1] : "";
  if (!o->inputs.count && o->verb == VERB_SETUP)
    return option_refuse(r, "setup needs the name of an editor's tool: %s", "clangd");
  if (!o->inputs.count) return option_refuse(r, "there is no input file%s; see mesicc --help", "");
  if (o->verb == VERB_PROVE && o->inputs.count > 2)
    return option_refuse(r, "prove takes one file or two: '%s'", last);
  if (o->inputs.count == 1 || o->verb != VERB_TRANSLATE) return 0;
  for (unsigned i = 0; i < o->inputs.count; i++)
    if (parts_is_source(o->inputs.items[i]) && !o->any_name)
      return option_refuse(r, "'%s' is no CUDA by its name; -x cu takes it as such",
                           o->inputs.items[i]);
  bool one_output = (o->output && !o->link) || o->dep_file || o->fragment || o->explain_file;
  if (one_output || o->database || (o->tuned_file && !*o->tuned_file))
    return option_refuse(r,
                         "there is more than one input file: '%s'; -o, -MF, -MJ, -p, --tuned and "
                         "--explain-file are for one",
                         last);
  return 0;
}

/* Reads the verb. mesicc help VERB is mesicc VERB --help. */
static int read_verb(struct reader *r, int argc, char **argv, int *ret_first)
{
  struct options *o = r->options;
  int at = 1;
  if (argc > 1 && !strcmp(argv[1], "help") && !file_exists("help")) o->help = true, at++;
  *ret_first = at;
  if (at >= argc || argv[at][0] == '-') return 0;
  for (unsigned i = 1; i < verb_row_count; i++)
    if (!strcmp(argv[at], verb_rows[i].name)) return o->verb = (enum verb)i, *ret_first = at + 1, 0;
  if (!o->help && (strpbrk(argv[at], "./@") || file_exists(argv[at]))) return 0;
  const char *near = verb_near(argv[at]);
  if (near)
    return option_refuse(
        r, arena_format(r->arena, "there is no verb '%%s'; did you mean '%s'?", near), argv[at]);
  return o->help ? option_refuse(r, "there is no verb '%s'", argv[at]) : 0;
}

static int settle(struct reader *r)
{
  struct options *o = r->options;
  o->verify_emitted |= getenv("MESI_VERIFY_EMITTED") != NULL;
  if (check_verb(r) || option_settle_archs(r)) return -1;
  if (o->verb == VERB_TUNE && o->tune_read) return 0;
  if (check_inputs(r) || check_output(r)) return -1;
  o->input = o->inputs.items[0];
  if (o->verb == VERB_TUNE && (o->level == PLAN_O0 || o->check))
    return option_refuse(r, "tune needs a level above -O0%s", o->check ? ", and no --check" : "");
  if (o->tuned_file && !*o->tuned_file) o->tuned_file = tune_file_name(r->arena, o->input);
  if (settle_check(r)) return -1;
  if (o->explain_file && o->explain == EXPLAIN_NONE) o->explain = EXPLAIN_TEXT;
  if (!o->levels) o->levels = o->check ? 15 : o->verb == VERB_COMPARE ? 7 : 3;
  return 0;
}

int options_parse(struct arena *arena, int argc, char **argv, struct diag *diag,
                  struct options *ret)
{
  *ret = (struct options){.level = PLAN_O2,
                          .arch = 75,
                          .standard = "gnu++17",
                          .shared_memory = 48 * 1024,
                          .candidates = 8,
                          .repeats = 3,
                          .error_limit = 20};
  struct reader r = {.arena = arena, .diag = diag, .options = ret};
  int first;
  if (read_verb(&r, argc, argv, &first)) return -1;
  if (option_expand(&r, argc - first, argv + first)) return -1;
  while (r.at < r.words.count) {
    const char *word = r.words.items[r.at];
    if (word[0] == '-' && word[1]) {
      if (read_option(&r)) return -1;
    } else {
      r.at++;
      if (!takes_samples(ret) || !sample_is(arena, word))
        add_input(&r, word);
      else if (add_sample(&r, word))
        return -1;
    }
  }
  return ret->help || ret->version ? 0 : settle(&r);
}

/* options.c - parses the command line, option files included. Bad values are found here, before any
 * work. */
#include "translator/driver/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/file.h"
#include "translator/driver/parts.h"
#include "translator/driver/tune_file.h"

#define NESTED_FILES 16u
#define OPTION_FILES 1000u /* in all: files that name files twice each would go on for ever */

enum option_id {
#define OPTION(id, spelling, kind, argument, help) OPTION_##id,
#include "translator/driver/options.def"
#undef OPTION
  OPTION_COUNT
};

enum option_kind { FLAG, JOINED, SEPARATE, EITHER };

static const struct {
  const char *spelling;
  enum option_kind kind;
  const char *argument, *help;
} table[OPTION_COUNT] = {
#define OPTION(id, spelling, kind, argument, help) {spelling, kind, argument, help},
#include "translator/driver/options.def"
#undef OPTION
};

struct reader {
  struct arena *arena;
  struct diag *diag;
  struct options *options;
  struct string_list words;
  unsigned at;
  unsigned files; /* option files read so far */
};

static int usage(struct reader *r, const char *format, const char *word)
{
  diag_report(r->diag, DIAG_USAGE, NULL, format, word);
  return -1;
}

static void push(struct reader *r, struct string_list *list, const char *word)
{
  *ARENA_PUSH(r->arena, list) = word;
}

static int find_option(const char *word)
{
  int found = -1;
  size_t longest = 0;
  for (int i = 0; i < OPTION_COUNT; i++) {
    size_t length = strlen(table[i].spelling);
    bool prefix = table[i].kind == JOINED || table[i].kind == EITHER;
    bool matches =
        prefix ? !strncmp(word, table[i].spelling, length) : !strcmp(word, table[i].spelling);
    if (matches && length > longest) found = i, longest = length;
  }
  return found;
}

/* ---- option files ---- */

static int add_words(struct reader *r, const char *word, unsigned depth);

/* Words as a shell splits them: blanks separate, quotes and backslashes protect. */
static int add_file(struct reader *r, const char *path, unsigned depth)
{
  const char *text;
  size_t length;
  if (depth >= NESTED_FILES) return usage(r, "option files are nested too deeply at '%s'", path);
  if (r->files++ >= OPTION_FILES) return usage(r, "too many option files at '%s'", path);
  enum file_status status = file_read(r->arena, path, &text, &length);
  if (status != FILE_OK) {
    diag_report(r->diag, DIAG_INPUT, &(struct diag_place){.file = path}, "option file %s",
                file_status_text(status));
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
  push(r, &r->words, word);
  return 0;
}

/* ---- values ---- */

static int parse_number(struct reader *r, const char *text, uint64_t largest, uint64_t *ret)
{
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (end != text && (*end == 'K' || *end == 'k')) value *= 1024, end++;
  if (end == text || *end || errno || *text == '-' || value > largest)
    return usage(r, "'%s' is no number in range", text);
  *ret = value;
  return 0;
}

static int parse_mapping(struct reader *r, const char *value)
{
  static const char *const names[] = {"auto", "never", "always", "untiled"};
  for (int i = 0; i < 4; i++)
    if (!strcmp(value, names[i])) return r->options->mapping = (enum plan_mapping)i, 0;
  if (mapping_shape_parse(value, &r->options->mapping_shape))
    return r->options->mapping = MAPPING_BLOCK, 0;
  return usage(r,
               "'--mapping=%s' is none of auto, never, always, untiled, WxH, WxH/UxV, WxH/UxV/K, "
               "WxH/UxV/K/N with U and V dividing W and H",
               value);
}

static int parse_split(struct reader *r, const char *value)
{
  static const char *const names[] = {"auto", "never", "always"};
  char *end;
  for (unsigned i = 0; i < 3; i++)
    if (!strcmp(value, names[i])) return r->options->split = (enum plan_split)i, 0;
  unsigned long count = strtoul(value, &end, 10);
  if (*value < '0' || *value > '9' || *end || count < 2 || count > 256)
    return usage(r, "'--split=%s' is none of auto, never, always, 2 ... 256", value);
  r->options->split = SPLIT_ALWAYS;
  r->options->split_count = (unsigned)count;
  return 0;
}

static int parse_products(struct reader *r, const char *value)
{
  static const char *const names[] = {"auto", "never", "always"};
  for (int i = 0; i < 3; i++)
    if (!strcmp(value, names[i])) return r->options->products = (enum plan_products)i, 0;
  return usage(r, "'--products=%s' is none of auto, never, always", value);
}

static int parse_parts(struct reader *r, const char *value)
{
  static const char *const names[] = {"auto", "never", "always"};
  for (int i = 0; i < 3; i++)
    if (!strcmp(value, names[i])) return r->options->launch_parts = (enum plan_parts)i, 0;
  return usage(r, "'--parts=%s' is none of auto, never, always", value);
}

static int parse_temporal(struct reader *r, const char *value)
{
  static const char *const names[] = {"auto", "never", "always"};
  for (int i = 0; i < 3; i++)
    if (!strcmp(value, names[i])) return r->options->temporal = (enum plan_temporal)i, 0;
  int used = 0;
  struct temporal_wish *wish = &r->options->temporal_wish;
  unsigned *tile = wish->tile, *threads = wish->threads;
  int read = sscanf(value, "%2u%n/%4ux%4ux%4u/%4ux%4ux%4u%n", &wish->depth, &used, &tile[0],
                    &tile[1], &tile[2], &threads[0], &threads[1], &threads[2], &used);
  if (read == 7 && value[used] == 'w') wish->warps = true, used++;
  if (wish->warps && value[used] >= '1' && value[used] <= '8')
    wish->resident = (unsigned)(value[used++] - '0');
  bool fits = wish->depth > 2 && (read == 1 || read == 7) && !value[used];
  for (int axis = 0; axis < 3 && read == 7; axis++)
    fits &= tile[axis] && threads[axis] && (wish->warps || tile[axis] % threads[axis] == 0);
  fits &= read == 1 || threads[0] * threads[1] * threads[2] <= 1024;
  if (fits) return r->options->temporal = TEMPORAL_ALWAYS, 0;
  return usage(r,
               "'--temporal=%s' is none of auto, never, always, N, N/XxYxZ/UxVxW with N from 3 to "
               "99 and U, V, W dividing X, Y, Z",
               value);
}

static int parse_explain(struct reader *r, const char *value)
{
  static const char *const names[] = {"none", "text", "json", "html"};
  for (int i = EXPLAIN_TEXT; i <= EXPLAIN_HTML; i++)
    if (!strcmp(value, names[i])) return r->options->explain = (enum explain_form)i, 0;
  return usage(r, "'--explain=%s' is none of text, json, html", value);
}

static int parse_level(struct reader *r, const char *text)
{
  if (strlen(text) != 1 || *text < '0' || *text > '3')
    return usage(r, "there is no level -O%s; the levels are 0 to 3", text);
  r->options->level = (enum plan_level)(*text - '0');
  r->options->level_given = true;
  return 0;
}

static int parse_levels(struct reader *r, const char *text)
{
  r->options->levels = 0;
  for (const char *c = text; *c; c++) {
    if (*c == ',') continue;
    if (*c < '0' || *c > '3') return usage(r, "'--levels=%s' is no list of levels", text);
    r->options->levels |= 1u << (*c - '0');
  }
  return 0;
}

static int parse_arch(struct reader *r, const char *text)
{
  uint64_t number;
  const char *digits = !strncmp(text, "sm_", 3)        ? text + 3
                       : !strncmp(text, "compute_", 8) ? text + 8
                                                       : NULL;
  if (!strcmp(text, "native")) return r->options->arch_text = text, 0;
  if (!digits) return usage(r, "'%s' is no GPU architecture", text);
  char *trimmed = arena_string(r->arena, digits);
  size_t length = strlen(trimmed);
  if (length && (trimmed[length - 1] == 'a' || trimmed[length - 1] == 'f'))
    trimmed[length - 1] = '\0';
  if (parse_number(r, trimmed, 999, &number)) return -1;
  if (number < 70 || number > 121) return usage(r, "'%s' is outside sm_70 to sm_120", text);
  r->options->arch = (unsigned)number;
  r->options->arch_given = true;
  r->options->arch_text = text;
  return 0;
}

static int parse_target(struct reader *r, const char *text)
{
  if (!strcmp(text, "cuda"))
    r->options->target = TARGET_CUDA;
  else if (!strcmp(text, "cpu"))
    r->options->target = TARGET_CPU;
  else
    return usage(r, "there is no target '%s'; the targets are cuda and cpu", text);
  return 0;
}

static int parse_standard(struct reader *r, const char *text)
{
  static const char *const known[] = {"c++14",   "c++17",   "c++20",   "c++23",
                                      "gnu++14", "gnu++17", "gnu++20", "gnu++23"};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(text, known[i])) return r->options->standard = text, 0;
  return usage(r, "there is no standard '%s'", text);
}

static int parse_macro(struct reader *r, const char *spelling, const char *text)
{
  size_t length = strcspn(text, "=(");
  bool fine = length && !(text[0] >= '0' && text[0] <= '9');
  for (size_t i = 0; i < length; i++)
    fine &= (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'z') ||
            (text[i] >= 'A' && text[i] <= 'Z') || text[i] == '_';
  if (!fine) return usage(r, "'%s' does not begin with a macro name", text);
  if (strpbrk(text, "\n\r")) return usage(r, "the macro '%s' has a newline in it", text);
  const char *word = arena_format(r->arena, "%s%s", spelling, text);
  push(r, &r->options->clang_args, word);
  push(r, &r->options->build_args, word);
  return 0;
}

static void pass_on(struct reader *r, const char *spelling, const char *text)
{
  push(r, &r->options->clang_args, spelling);
  push(r, &r->options->clang_args, text);
  push(r, &r->options->build_args, spelling);
  push(r, &r->options->build_args, text);
}

/* "-O3,-fopenmp" */
static void parse_host_args(struct reader *r, const char *text)
{
  for (size_t length; *text; text += length + (text[length] == ',')) {
    length = strcspn(text, ",");
    const char *word = arena_copy(r->arena, text, length);
    if (*word) push(r, &r->options->host_args, word);
    if (!strncmp(word, "-fopenmp", 8)) push(r, &r->options->clang_args, "-D_OPENMP=201511");
  }
}

/* "arch=compute_90,code=sm_90" */
static int parse_gencode(struct reader *r, const char *text)
{
  const char *name = strstr(text, "sm_");
  if (!name) name = strstr(text, "compute_");
  if (!name) return usage(r, "'-gencode %s' names no GPU architecture", text);
  return parse_arch(r, arena_copy(r->arena, name, strcspn(name, ",]\"'")));
}

static int for_nvcc(struct reader *r, const char *spelling, const char *value)
{
  if (!strcmp(spelling, "-Xptxas")) {
    push(r, &r->options->nvcc_args, spelling);
    spelling = "";
  }
  push(r, &r->options->nvcc_args, arena_format(r->arena, "%s%s", spelling, value ? value : ""));
  return 0;
}

static int apply(struct reader *r, enum option_id id, const char *value)
{
  struct options *o = r->options;
  switch (id) {
  case OPTION_OUTPUT: o->output = value; return 0;
  case OPTION_LEVEL: return parse_level(r, value);
  case OPTION_TARGET: return parse_target(r, value);
  case OPTION_SHARED_MEMORY: return parse_number(r, value, 232448, &o->shared_memory);
  case OPTION_MAPPING: return parse_mapping(r, value);
  case OPTION_SPLIT: return parse_split(r, value);
  case OPTION_PRODUCTS: return parse_products(r, value);
  case OPTION_PARTS: return parse_parts(r, value);
  case OPTION_TEMPORAL: return parse_temporal(r, value);
  case OPTION_INCLUDE_DIR: pass_on(r, "-I", value); return 0;
  case OPTION_SYSTEM_DIR: pass_on(r, "-isystem", value); return 0;
  case OPTION_INCLUDE_FILE: pass_on(r, "-include", value); return 0;
  case OPTION_DEFINE: return parse_macro(r, "-D", value);
  case OPTION_UNDEFINE: return parse_macro(r, "-U", value);
  case OPTION_STD:
  case OPTION_STD_LONG: return parse_standard(r, value);
  case OPTION_ARCH:
  case OPTION_ARCH_LONG: return parse_arch(r, value);
  case OPTION_DEP_MD:
  case OPTION_DEP_MMD: o->depfile = true; return 0;
  case OPTION_DEP_MF: o->dep_file = value; return 0;
  case OPTION_DEP_MT: o->dep_target = value; return 0;
  case OPTION_DEP_MP: o->dep_phony = true; return 0;
  case OPTION_DEP_MJ: o->fragment = value; return 0;
  case OPTION_DATABASE: o->database = value; return 0;
  case OPTION_BINDIR:
  case OPTION_BINDIR_JOINED:
  case OPTION_CCBIN: o->host_compiler = value; return 0;
  case OPTION_XCOMPILER:
  case OPTION_XCOMPILER_JOINED:
  case OPTION_XCOMPILER_LONG: parse_host_args(r, value); return 0;
  case OPTION_LIBRARY:
  case OPTION_LIBRARY_DIR:
    push(r, &o->link_args, arena_format(r->arena, "%s%s", table[id].spelling, value));
    return 0;
  case OPTION_GENCODE:
  case OPTION_GENCODE_JOINED: return parse_gencode(r, value);
  case OPTION_EXTENDED_LAMBDA:
  case OPTION_EXTENDED_LAMBDA_SHORT:
  case OPTION_RELAXED_CONSTEXPR:
  case OPTION_RELAXED_CONSTEXPR_SHORT:
  case OPTION_EXPT_LAMBDA: return 0;
  case OPTION_FAST_MATH:
  case OPTION_FAST_MATH_LONG:
    o->fast_math = true;
    return for_nvcc(r, table[OPTION_FAST_MATH].spelling, NULL);
  case OPTION_XPTXAS:
  case OPTION_LINE_INFO:
  case OPTION_DEVICE_DEBUG:
  case OPTION_HOST_DEBUG:
  case OPTION_NO_WARNINGS:
  case OPTION_RDC: return for_nvcc(r, table[id].spelling, value);
  case OPTION_OPTIONS_FILE:
  case OPTION_OPTIONS_FILE_LONG: return 0; /* expanded before */
  case OPTION_REMARKS: o->remarks = true; return 0;
  case OPTION_REMARKS_OF:
    o->remarks = true;
    o->remark_filter = value;
    return 0;
  case OPTION_KEEP_ORDER: o->keep_order = true; return 0;
  case OPTION_VERIFY_EMITTED: o->verify_emitted = true; return 0;
  case OPTION_NO_LINE: o->no_line = true; return 0;
  case OPTION_DUMP_IR: o->dump = DUMP_IR; return 0;
  case OPTION_DUMP_ACCESS: o->dump = DUMP_ACCESS; return 0;
  case OPTION_DUMP_RANGE: o->dump = DUMP_RANGE; return 0;
  case OPTION_DUMP_PLAN: o->dump = DUMP_PLAN; return 0;
  case OPTION_EXPLAIN: o->explain = EXPLAIN_TEXT; return 0;
  case OPTION_EXPLAIN_AS: return parse_explain(r, value);
  case OPTION_EXPLAIN_FILE: o->explain_file = value; return 0;
  case OPTION_TOOLKIT: o->toolkit = value; return 0;
  case OPTION_NO_CACHE: o->no_cache = true; return 0;
  case OPTION_WHOLE: o->whole_program = true; return 0;
  case OPTION_HOOK: o->hook_launches = true; return 0;
  case OPTION_TUNED: o->tuned_file = ""; return 0; /* named when the input is known */
  case OPTION_TUNED_FILE: o->tuned_file = value; return 0;
  case OPTION_TUNE_EMIT: o->tune_emit = value; return 0;
  case OPTION_TUNE_READ: o->tune_read = value; return 0;
  case OPTION_CANDIDATES: return parse_number(r, value, 64, &o->candidates);
  case OPTION_REPEATS: return parse_number(r, value, 1000, &o->repeats);
  case OPTION_LEVELS: return parse_levels(r, value);
  case OPTION_CHECK: o->check = true; return 0;
  case OPTION_KEEP: o->keep = value; return 0;
  case OPTION_JSON: o->json = true; return 0;
  case OPTION_VERBOSE: o->verbose = true; return 0;
  case OPTION_HELP:
  case OPTION_HELP_SHORT: o->help = true; return 0;
  case OPTION_VERSION: o->version = true; return 0;
  case OPTION_COUNT: break;
  }
  return -1;
}

static int read_option(struct reader *r)
{
  const char *word = r->words.items[r->at++], *value = NULL;
  int id = find_option(word);
  if (id < 0) return usage(r, "unknown option '%s'", word);
  size_t length = strlen(table[id].spelling);
  if (table[id].kind == JOINED || (table[id].kind == EITHER && word[length]))
    value = word + length;
  else if (table[id].kind == SEPARATE || table[id].kind == EITHER) {
    if (r->at >= r->words.count) return usage(r, "option '%s' needs an argument", word);
    value = r->words.items[r->at++];
  }
  return apply(r, (enum option_id)id, value);
}

static int expand_words(struct reader *r, int argc, char **argv)
{
  bool program = false;
  for (int i = 0; i < argc; i++) {
    if (program) {
      push(r, &r->options->program_args, argv[i]);
    } else if (!strcmp(argv[i], "--")) {
      program = true;
    } else if ((!strcmp(argv[i], "-optf") || !strcmp(argv[i], "--options-file")) && i + 1 < argc) {
      if (add_file(r, argv[++i], 0)) return -1;
    } else if (add_words(r, argv[i], 0)) {
      return -1;
    }
  }
  return 0;
}

static enum verb find_verb(const char *word)
{
  if (!strcmp(word, "run")) return VERB_RUN;
  if (!strcmp(word, "compare")) return VERB_COMPARE;
  if (!strcmp(word, "bundle")) return VERB_BUNDLE;
  if (!strcmp(word, "tune")) return VERB_TUNE;
  if (!strcmp(word, "prove")) return VERB_PROVE;
  if (!strcmp(word, "survey")) return VERB_SURVEY;
  return VERB_TRANSLATE;
}

/* Checked programs run on the CPU backend. */
static int settle_check(struct reader *r)
{
  struct options *o = r->options;
  bool builds = o->verb == VERB_RUN || o->verb == VERB_COMPARE;
  if (!o->check || o->target == TARGET_CPU) return 0;
  if (o->target == TARGET_CUDA || !builds)
    return usage(r, "%s works on the CPU backend only: it needs --target=cpu", "--check");
  o->target = TARGET_CPU;
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
                          .repeats = 3};
  struct reader r = {.arena = arena, .diag = diag, .options = ret};
  int first = 1;
  if (argc > 1 && (ret->verb = find_verb(argv[1])) != VERB_TRANSLATE) first = 2;
  if (expand_words(&r, argc - first, argv + first)) return -1;
  while (r.at < r.words.count) {
    const char *word = r.words.items[r.at];
    if (word[0] == '-' && word[1]) {
      if (read_option(&r)) return -1;
      continue;
    }
    r.at++;
    push(&r,
         ret->verb != VERB_TRANSLATE && ret->inputs.count && parts_is_source(word) ? &ret->parts
                                                                                   : &ret->inputs,
         word);
  }
  if (ret->help || ret->version) return 0;
  ret->verify_emitted |= getenv("MESI_VERIFY_EMITTED") != NULL;
  bool reads = ret->verb == VERB_TUNE && ret->tune_read,
       several = ret->verb == VERB_BUNDLE || ret->verb == VERB_SURVEY ||
                 (ret->verb == VERB_TUNE && ret->tune_emit);
  if ((ret->tune_read || ret->tune_emit) &&
      (ret->verb != VERB_TUNE || (ret->tune_read && (ret->tune_emit || ret->inputs.count))))
    return usage(&r, "%s",
                 ret->verb != VERB_TUNE ? "--emit and --read belong to tune"
                                        : "tune --read takes no file and no --emit");
  if (reads) return 0;
  if (!ret->inputs.count) return usage(&r, "no input file%s; see mesicc --help", "");
  if (ret->inputs.count > (ret->verb == VERB_PROVE ? 2u : 1u) && !several)
    return usage(&r, "more than one input file: '%s'", ret->inputs.items[ret->inputs.count - 1]);
  ret->input = ret->inputs.items[0];
  if (ret->verb == VERB_TUNE && (ret->level == PLAN_O0 || ret->check))
    return usage(&r, "tune needs a level above -O0%s", ret->check ? ", and no --check" : "");
  if (ret->tuned_file && !*ret->tuned_file) ret->tuned_file = tune_file_name(arena, ret->input);
  if (settle_check(&r)) return -1;
  if (ret->explain_file && ret->explain == EXPLAIN_NONE) ret->explain = EXPLAIN_TEXT;
  if (!ret->levels) ret->levels = ret->check ? 15 : 3;
  if (ret->program_args.count && ret->verb == VERB_TRANSLATE)
    return usage(&r, "arguments after -- ('%s') belong to run and compare",
                 ret->program_args.items[0]);
  return 0;
}

void options_help(FILE *out)
{
  fputs(
      "mesicc [options] in.mcu                    translate to in.cu\n"
      "mesicc run [options] in.mcu [b.c...] [-- args]  translate, build and run (GPU if there is "
      "one, else CPU)\n"
      "mesicc compare [options] in.mcu [b.c...] [-- args]  build each level, run, compare "
      "results and times\n"
      "mesicc tune [options] in.mcu [b.c...] [-- args]  measure candidate plans, keep the best "
      "in in.tune for --tuned\n"
      "mesicc prove [options] in.mcu [b.c...] [-- args]  does -O3, or the level given, compute "
      "what -O0 computes? without a tolerance\n"
      "mesicc prove [options] a.cu b.cu [-- args]  ... do two files with the same host program?\n"
      "mesicc bundle -o DIR [options] in.mcu... [b.c...] [-- args]  a folder that builds, checks "
      "and times on a machine with nvcc only\n"
      "mesicc survey [options] FILE|FOLDER...     what becomes of the .cu and .mcu files of whole "
      "trees: taken, changed, kept, why\n\n",
      out);
  for (unsigned i = 0; i < OPTION_COUNT; i++) {
    const char *space = table[i].kind == SEPARATE || table[i].kind == EITHER ? " " : "";
    int width = fprintf(out, "  %s%s%s", table[i].spelling, space, table[i].argument);
    fprintf(out, "%*s%s\n", width < 32 ? 32 - width : 1, "", table[i].help);
  }
  fputs(
      "\nExit status: 0 fine, 1 usage or I/O, 2 errors in the source, 3 internal error or a limit "
      "reached;\n"
      "run ends with the program's own status, run --check with 4 where something was reported, "
      "compare with 4\n"
      "where results differ. prove ends with 0 where they are equal, 4 different, 5 not decided. "
      "survey "
      "ends\n"
      "with 0 once all units were looked at.\n",
      out);
}

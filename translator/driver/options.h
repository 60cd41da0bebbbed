/* SPDX-License-Identifier: MIT */
/* options.h - the command line as data. */
#ifndef MESI_DRIVER_OPTIONS_H
#define MESI_DRIVER_OPTIONS_H

#include "analysis/plan/plan.h"
#include "translator/base/diag.h"

enum verb {
#define VERB(id, name, usage, text) VERB_##id,
#include "translator/driver/verbs.def"
#undef VERB
};
/* AUTO: cuda; for run and compare, by the machine's devices */
enum target { TARGET_AUTO, TARGET_CUDA, TARGET_CPU };
enum explain_form { EXPLAIN_NONE, EXPLAIN_TEXT, EXPLAIN_JSON, EXPLAIN_HTML };
enum dump { DUMP_NONE, DUMP_IR, DUMP_ACCESS, DUMP_RANGE, DUMP_PLAN };

struct string_list {
  const char **items;
  unsigned count, capacity;
};

struct measured_time {      /* of a kernel, by tune or compare */
  const char *kernel;       /* qualified */
  const char *shape, *code; /* as in struct tuned_plan; NULL: any */
  const char *place;        /* file:line of its launches; NULL: any */
  const char *plan;         /* key of a plan, or a level: "-O0" */
  double milliseconds;      /* median of a launch */
  const char *where;        /* the device */
};

struct options {
  enum verb verb;
  const char *input; /* path or "-" */
  /* all inputs: of one program for run, compare and tune, otherwise each for itself */
  struct string_list inputs;
  struct string_list parts; /* C and C++ files of the program: run, compare, bundle */
  const char *output;       /* NULL: from the input's name */
  const char *output_dir;   /* -odir; NULL: beside the input */
  /* nvcc's step for the emitted file, by its long name ("--compile"); NULL: none */
  const char *phase;
  bool link;              /* translate, compile and link */
  bool any_name;          /* -x cu: inputs may have any name */
  bool dependencies_only; /* -M */
  enum plan_level level;
  bool level_given;
  enum target target;
  unsigned arch;                /* 70 ... 120 */
  unsigned newest_arch;         /* likewise */
  bool arch_given;              /* -arch=sm_N */
  struct string_list arch_args; /* -arch, -code and -gencode, for nvcc */
  const char *standard;         /* "c++17" */
  uint64_t shared_memory;       /* bytes */
  enum plan_mapping mapping;
  enum block_sharing share;
  unsigned effort;      /* times the usual steps of the analysis; 0: once */
  unsigned share_count; /* SHARE_ALWAYS: so many blocks; 0: the predicted number */
  enum plan_products products;
  enum plan_parts launch_parts;
  enum plan_temporal temporal;
  struct temporal_wish temporal_wish;
  struct mapping_shape mapping_shape; /* MAPPING_BLOCK */
  struct string_list clang_args; /* -I -D -U -include -isystem, in order, joined or as two words */
  struct string_list build_args; /* the words among them for the emitted file's compiler: all */
  /* -Xcompiler, one argument each: for the host compiler of the emitted file and of parts */
  struct string_list host_args;
  struct string_list nvcc_args; /* options that only nvcc knows */
  struct string_list link_args; /* -l and -L, joined */
  /* bundle: folders where the emitted file's compiler finds headers by name */
  struct string_list folders;
  bool depfile, dep_phony, dep_quoted; /* dep_quoted: dep_target as make reads names */
  const char *dep_file, *dep_target, *fragment, *database;
  const char *host_compiler; /* NULL: the default */
  const char *toolkit;       /* NULL: look for one; "": none */
  bool keep_order;           /* of floating-point sums, at -O3 */
  bool fast_math;            /* nvcc gets this option, too */
  bool no_cache, no_line, hook_launches, check, whole_program, verbose, help, version;
  bool verify_emitted;
  bool json;        /* survey, compare: JSON in place of a table */
  const char *plot; /* compare, tune: a file for the picture; NULL: none */
  bool remarks;
  const char *remark_filter;
  struct string_list warning_words; /* -W..., -w and -Werror as given: of clang and our own */
  int color;                        /* of messages: -1 never, 1 always, 0 on a terminal */
  const char *message_form;         /* text, json, sarif; NULL: text */
  uint64_t error_limit;             /* errors of a source that are shown; 0: all */
  /* the file for the types of VS variables (types_file.h); NULL: none */
  const char *types_file;
  enum dump dump;
  const char *tuned_file;         /* --tuned; NULL: none */
  const struct tuned_plan *tuned; /* its plans */
  unsigned tuned_count;
  const struct measured_time *measured; /* for --explain */
  unsigned measured_count;
  const char *tune_emit, *tune_read; /* tune: a folder for or from another machine; NULL */
  uint64_t candidates, repeats; /* tune: the number of plans of a kernel to measure; runs of each */
  enum explain_form explain;
  const char *explain_file; /* NULL: standard error for text, else beside the output */
  /* bit per level; without --levels 0 and 1 for bundle, 0 to 2 for compare, all with --check */
  unsigned levels;
  unsigned devices[8], device_runs; /* compare: numbers of devices; none: as in the environment */
  const char *keep;                 /* NULL: a temporary directory */
  struct string_list program_args;  /* after --: run, compare, bundle */
};

/* 0, or -1 after a diagnostic. Strings live in the arena or in argv. */
int options_parse(struct arena *arena, int argc, char **argv, struct diag *diag,
                  struct options *ret);
/* Adds the options that compile_commands.json in options->database has for the input. */
int options_read_database(struct arena *arena, struct diag *diag, struct options *options);
/* The first of these folders whose compile_commands.json has an entry for the file; NULL: none. */
const char *options_database_of(struct arena *arena, const struct string_list *folders,
                                const char *file);
/* The standard by which text for the CPU backend is read: its headers need C++14. */
const char *option_cpu_standard(const char *standard);
/* Help of the verb, or of all verbs; the versions of mesicc, libclang and the toolkit: help.c */
void options_help(FILE *out, const struct options *);
void options_version(struct arena *, FILE *out, const struct options *, struct diag *);

#endif

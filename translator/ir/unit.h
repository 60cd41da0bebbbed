/* SPDX-License-Identifier: MIT */
/* unit.h - one translation unit, which the frontend hands to the analysis. */
#ifndef MESI_IR_UNIT_H
#define MESI_IR_UNIT_H

#include "translator/base/name_map.h"
#include "translator/ir/ir.h"

/* a file with text that the output contains: the main file and local headers */
struct unit_file {
  const char *path; /* as the user named it or as the include found it */
  /* zero-terminated; after macro flattening, which keeps the line structure */
  const char *text;
  size_t length;
  bool is_main;
  int included_from; /* file index of the first includer; -1 for the main file */
  /* offsets of that #include directive's line in the includer */
  unsigned include_begin, include_end;
  bool has_pragma_once;
  bool is_rewritten; /* the text differs from the disk even without edits: host_text.c */
  /* holds VS variables, kernels to edit, or launches: its text replaces the #include */
  bool needs_inlining;
};

/* one declarator of a __global__ variable; several declarations of one variable share `var` */
struct vs_var {
  unsigned id; /* index into unit.vs_vars */
  struct ir_var *var;
  const char *name;      /* unqualified */
  const char *qualified; /* ns::a */
  const char *scope;     /* "" or "ns::" */
  /* the declarator: begins at the name, ends after its last ] (initialiser excluded) */
  struct ir_place place;
  struct ir_place name_place;
  struct ir_place qualifier; /* the token __global__ */
  struct ir_place init; /* from the = ( or { of the initialiser to its end; begin == end: none */
  unsigned decl_begin;  /* offset of the declaration's first token */
  unsigned decl_end;    /* offset after the ; of the declaration statement */
  /* of an empty first [] where the initialiser gives the size; otherwise 0 */
  unsigned extent_begin, extent_end;
  bool is_static, is_extern, in_namespace, in_anonymous_namespace, is_const;
  bool is_definition;
  bool is_inline;            /* an error */
  bool is_linkage_extern;    /* extern "C" right before it, without braces: already an extern */
  bool has_external_linkage; /* as the parser sees it: false for a type without a name outside
                                extern "C" */
};

struct made_member { /* of a structure that an argument makes */
  int64_t offset;    /* bytes */
  struct ir_expr *value;
};

struct launch_arg {
  struct ir_expr *expr;
  /* a structure that the argument makes from values without effects: its text may be repeated.
   * `made`: the members whose values are known */
  bool is_made;
  LIST_OF(struct made_member) made;
  /* the argument's text; of a pack expansion the text before the dots */
  struct ir_place place;
  bool is_pack; /* f(x)...: as many arguments as the pack's */
  /* for a parameter that is part of another: the text after that at `place`; NULL: the launch's
   * text has the argument */
  const char *part;
  const char *part_before; /* as in struct ir_var */
};

struct launch {
  unsigned id; /* index into unit.launches */
  /* NULL: launched through a pointer, or a template that is not analysed */
  struct ir_function *kernel;
  /* the function around it; NULL inside templates and lambdas that are not lowered */
  struct ir_function *host;
  const char *callee_text; /* e.g. "k" or "ns::k<float, 16>" */
  const char *callee_type; /* function type of the callee, e.g. "void (int *, float)"; NULL when
                              dependent */
  unsigned callee_params;  /* how many parameters that has */
  bool callee_is_template;
  /* it is in a template, which has a specialisation for each use in the unit */
  bool is_general;
  struct ir_place place;       /* the whole call: callee to ) */
  struct ir_place callee;      /* its text before <<< */
  struct ir_place open, close; /* the tokens <<< and >>> */
  struct ir_place paren;       /* the ( after >>> ; the call's text ends with ) */
  /* host expressions; shared and stream NULL when not given */
  struct ir_expr *grid, *block, *shared, *stream;
  struct launch_arg *args;
  unsigned arg_count;
};

struct local_name {
  const char *wanted, *name;
};

/* A name in a namespace, at its first declaration: functions by their parameters, types, variables,
 * constants. A using-directive has the name "". */
struct declared_name {
  const char *name;
  const char *scope; /* "" or "a::b::" */
};

struct unit {
  struct arena *arena;             /* owns everything below; destroyed by unit_destroy's caller */
  const char *input;               /* main file as named by the user */
  LIST_OF(struct unit_file) files; /* [0] is the main file */
  LIST_OF(struct vs_var *) vs_vars;
  LIST_OF(struct ir_function *) functions;
  LIST_OF(struct ir_var *) globals;
  LIST_OF(struct launch *) launches;
  struct name_map identifiers; /* every identifier token of the files: new names avoid them */
  struct name_map macros;      /* the macros that the files define, wherever they are valid */
  LIST_OF(struct declared_name) declared; /* in the order of the text, of the user's files */
  LIST_OF(struct local_name) local_names; /* returned by unit_local_name */
  LIST_OF(const char *) dependencies; /* user headers, for depfiles, in order of first inclusion */
  LIST_OF(const char *) system_dependencies;
  /* calls mesi_malloc or relatives: launches translate pointer arguments */
  bool uses_mesi_api;
  unsigned arch;             /* 70 ... 120 */
  struct unit_file original; /* the main file as read, before macro flattening */
};

/* A name that no identifier of the unit's files has: `wanted`, or `wanted` with a number after it.
 * Registers it. */
const char *unit_fresh_name(struct unit *, const char *wanted);
/* A name for use inside emitted functions: `wanted` unless the user's files have it; the same for
 * the same request. */
const char *unit_local_name(struct unit *, const char *wanted);

/* Has the body of `from` declared a name that means something else at the place of `at`? Both have
 * definitions. */
bool unit_renames(const struct unit *, const struct ir_function *from,
                  const struct ir_function *at);
/* Are they one function, or instances of one template, or that template? */
bool unit_same_source(const struct ir_function *, const struct ir_function *);

/* Do the kernel's name and type determine it? It is then no template, or a known instance of
 * one. */
bool launch_is_pinned(const struct launch *);
/* The parameter of an argument. NULL: the kernel is not known, a pack comes before, or the argument
 * is one. */
const struct ir_var *launch_param(const struct launch *, unsigned arg);
bool launch_has_pack(const struct launch *);
/* Is the kernel known, and has the launch an argument for each parameter? */
bool launch_gives_all(const struct launch *);
/* Arguments in the launch's text; those of parts follow. */
unsigned launch_text_args(const struct launch *);
/* Makes the members that kernels read of structures passed by value parameters of their own, for
 * the analysis (parts.c). */
void unit_part_parameters(struct unit *);
/* Parameters that kernels change become locals, in the IR alone (own_params.c). */
void unit_own_parameters(struct unit *);
/* the defining declarator, otherwise the first */
struct vs_var *unit_vs_definition(struct unit *, const struct ir_var *);

#endif

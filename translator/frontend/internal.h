/* SPDX-License-Identifier: MIT */
/* internal.h - state shared by the files of the frontend. libclang's types stay in this folder. */
#ifndef MESI_FRONTEND_INTERNAL_H
#define MESI_FRONTEND_INTERNAL_H

#include "translator/base/name_map.h"
#include "translator/frontend/frontend.h"
#include "translator/frontend/libclang.h"

struct cursor_entry { /* open addressing, by canonical cursor */
  CXCursor cursor;
  void *value;
  bool used;
};

struct cursor_map {
  struct cursor_entry *entries;
  unsigned count, capacity;
};

/* one expansion, outermost or nested, whose tokens start in a file of the unit */
struct macro_use {
  unsigned file, begin, end;
  CXCursor definition;
};

struct macro_span {          /* the cursors that are the whole of an expansion: expansions.c */
  LIST_OF(CXCursor) cursors; /* the largest first, what is implicit in it behind */
  bool is_broken;            /* several largest ones, or tokens that belong to none */
};

struct macro_edges { /* of one file, by byte offset */
  /* where the outermost expansion that begins here ends; 0: none begins here */
  unsigned *end_at;
  unsigned char *is_end; /* an expansion ends here */
  /* behind its first byte: where the innermost expansion around this byte ends; 0: none */
  unsigned *inside;
  unsigned char *in_use; /* behind the first byte of a use of a macro of the user's */
  /* one more than the index of the outermost use that begins here; 0: none */
  unsigned *use_at;
  unsigned *uses_before;     /* uses that begin before this byte */
  struct macro_span **spans; /* of the outermost use that begins here; NULL: no cursor is it */
};

struct file_lines {
  unsigned file, first, last;
};

struct frontend {
  struct arena *arena;
  struct unit *unit;
  struct diag *diag;
  const struct frontend_options *options;
  CXIndex index;
  CXTranslationUnit tu;
  struct cursor_map vars, functions, launches;
  struct cursor_map instance_functions, instances; /* by definition; instances.c */
  /* by class definition: why a VS variable cannot have it; types.c */
  struct cursor_map copyable;
  struct name_map types;       /* by canonical spelling: chains of struct type_entry */
  LIST_OF(CXFile) clang_files; /* by unit file index */
  LIST_OF(struct macro_use) macros;
  LIST_OF(struct macro_edges) edges; /* by unit file index */
  /* by function id: the definition's cursor, else a declaration's */
  LIST_OF(CXCursor) bodies;
  LIST_OF(CXCursor) launched;          /* by launch id: the kernel as the launch names it */
  LIST_OF(struct unit_file) rewritten; /* headers whose text host_text.c changed */
  /* VS variables that macros name in device code where their plain name does not do */
  struct ir_places named;
  /* of each function template that has specialisations: its file and the lines where it stands */
  LIST_OF(struct file_lines) specialized;
  unsigned specializations; /* made so far */
  enum { SPECIALIZE_ALL, SPECIALIZE_UNCONDITIONAL, SPECIALIZE_NONE } specialize;
  struct view_macros {
    struct name_map names; /* macros that only one view defines, or each in its own way */
    bool known, grown;     /* names are all found; the last round found more */
    bool all;              /* a file is included by one view */
    struct name_map settled[2]; /* by text_kind: macros that mean the same for both */
  } views;                 /* conditional.c */
  bool expanded;           /* a macro was expanded in the text */
  bool warnings_told;        /* clang's, of this unit */
  struct diag_place leading; /* complaints.c: the user's line of the last error in a header */
  struct ir_function *global_function; /* owns the expressions of global initialisers */
};

/* cursor_map.c */
void *cursor_map_get(const struct cursor_map *, CXCursor);
void cursor_map_put(struct arena *, struct cursor_map *, CXCursor, void *value);

/* clang_util.c */
struct children {
  CXCursor *items;
  unsigned count, capacity;
};
struct children children_of(struct frontend *, CXCursor); /* in the arena */
/* Visits what the unit's own text declares at its outermost level, but not the prelude. */
void visit_unit(struct frontend *, CXCursorVisitor, void *data);
const char *spelling_of(struct frontend *, CXCursor);
const char *string_of(struct frontend *, CXString); /* copies and disposes */
const char *qualified_name(struct frontend *, CXCursor);
const char *scope_of(struct frontend *, CXCursor, bool *ret_anonymous); /* "" or "a::b::" */
bool is_system_cursor(CXCursor);
bool is_builtin_cursor(CXCursor);
bool has_mesi_global(struct frontend *, CXCursor); /* qualified with __global__ */
bool has_attribute(struct frontend *, CXCursor, enum CXCursorKind);

/* source.c */
int source_file_index(struct frontend *, CXFile); /* -1: not a file of the unit */
struct ir_place place_of(struct frontend *, CXCursor);
struct ir_place place_of_location(struct frontend *, CXSourceLocation); /* an empty range */
/* The place is that of a macro's expansion of which the cursor is a part only, or begins in an
 * argument and leaves the expansion. */
bool is_widened(struct frontend *, CXCursor, struct ir_place);
const char *text_at(struct frontend *, struct ir_place); /* pointer into the file's text */
const char *text_of(struct frontend *, struct ir_place); /* copy of the range */
bool starts_with_at(struct frontend *, struct ir_place, const char *word);
struct diag_place diag_place_of(struct frontend *, struct ir_place);
/* files, includes, macro uses, identifiers; -1 after an error */
int source_collect(struct frontend *);

/* expansions.c. Once for a parsed unit with its macro uses. */
void expansions_find(struct frontend *);
/* The cursor, whose range is that of the outermost expansion at `begin`, is the whole of it. */
bool expansion_is(struct frontend *, unsigned file, unsigned begin, CXCursor);

/* scan.c: a lexer of its own for the little that is done on text */
unsigned scan_skip_space(const char *text, unsigned at); /* blanks, comments, line splices */
unsigned scan_skip_group(const char *text, unsigned at); /* at a ( [ or {: after its partner */
unsigned scan_skip_token(const char *text, unsigned at); /* after one token */
bool scan_is_identifier_start(char);
bool scan_is_identifier(char);

/* types.c */
const struct ir_type *type_of(struct frontend *, CXType);
/* why a VS variable cannot have it; NULL: it can */
const char *type_not_copyable(struct frontend *, CXType);

/* vars.c */
struct ir_var *var_of(struct frontend *, CXCursor declaration, struct ir_function *owner);
struct ir_function *function_of(struct frontend *, CXCursor declaration);
/* The call operator of a lambda for the device (`[=] __device__ (int i) { ... }`); a null cursor:
 * it is the host's. */
CXCursor device_lambda(struct frontend *, CXCursor lambda);

/* instances.c */
struct instance_argument {
  const char *name, *text;
};
struct instance {       /* of a template of device code */
  CXSourceLocation end; /* of the template: what is used has to be declared before */
  LIST_OF(struct instance_argument) arguments;
};
/* or the template's function, where it gives up */
struct ir_function *instance_of(struct frontend *, CXCursor specialization);
const struct instance *instance_at(const struct frontend *, CXCursor definition);
/* Fills in the arguments: NULL, or why they cannot be written where the template stands. */
const char *instance_arguments(struct frontend *, struct instance *, CXCursor template,
                               CXCursor specialization);
/* Behind the "template <...>" at `at`; 0: there is none. */
unsigned instance_head(const char *text, unsigned at, unsigned end);
/* NULL: the text itself */
const char *instance_text(struct frontend *, const struct instance *, const char *text);
/* why its code cannot call it; NULL: it can */
const char *instance_call_obstacle(const struct instance *, CXCursor target);

/* lowering of one function */
struct lower {
  struct frontend *frontend;
  struct ir_function *function;
  const struct instance *instance; /* NULL: no template */
  bool strict;                     /* a kernel or device function: no opaque forms */
  bool in_lambda;
  const char *failed; /* strict: first construct that has no form */
  struct ir_place failed_place;
  LIST_OF(struct ir_var *) vars;
  LIST_OF(const char *) aliases; /* of types, that the body declares: the IR has what they mean */
};

struct ir_expr *lower_expr(struct lower *, CXCursor);
struct ir_stmt *lower_stmt(struct lower *, CXCursor);
struct ir_stmt *lower_decl(struct lower *, CXCursor declaration, struct ir_place);
/* text_of, with an instance's arguments in place */
const char *lowered_text(struct lower *, struct ir_place);
/* Do template arguments of the text name a local, as in f<decltype(sum)> and f<WIDTH>? It may be
 * another thing, or gone, where the text is printed. */
bool hiding_is_told_by_local(const struct lower *, const char *text);
struct ir_expr *new_expr(struct lower *, enum ir_expr_kind, CXCursor, unsigned operand_count);
struct ir_stmt *new_stmt(struct lower *, enum ir_stmt_kind, CXCursor);
void lower_fail(struct lower *, CXCursor, const char *reason);
struct ir_expr *lower_call(struct lower *, CXCursor);
struct ir_expr *lower_opaque(struct lower *, CXCursor);
/* known_calls.c: NULL: it is not known */
struct ir_expr *lower_known_operator(struct lower *, CXCursor, const char *name, CXCursor left,
                                     CXCursor right);
struct ir_expr *lower_known_method(struct lower *, CXCursor, CXCursor target);
struct ir_expr *lower_known_call(struct lower *, CXCursor, CXCursor target,
                                 const struct children *arguments);
struct ir_function *known_function(struct frontend *, CXCursor target);
struct ir_expr *lower_known_conversion(struct lower *, CXCursor, CXCursor target, CXCursor object);
/* b.group_index() of a cooperative group that is the block: IR_BLOCK_IDX; -1: it is not */
int known_block_member(struct frontend *, CXCursor object);
struct ir_expr *lower_launch(struct lower *, CXCursor, struct launch *);
void loops_canonicalize(struct lower *, struct ir_stmt *body);
void usage_note(struct ir_stmt *body); /* address_taken and write_count of variables */
/* declared.c: of each declaration of the user's files, in their order */
void declared_note(struct frontend *, CXCursor, CXCursor parent);
/* Default arguments of device code may not name VS variables. */
void declared_defaults(struct frontend *, CXCursor function);
/* hiding.c: no local of device code hides a name that the function uses */
void hiding_end(struct lower *, struct ir_stmt *body);

/* vs_vars.c: a declaration with __global__ becomes an entry of the unit, or an error */
void collect_vs(struct frontend *, CXCursor declaration);
/* Reports what is wrong with it: "virtual shared variable 'a' <format><more>". */
void vs_error(struct frontend *, CXCursor, enum diag_id, const char *format, const char *more);

/* collect.c */
int collect_unit(struct frontend *);

/* shared.c: the shared memory that each kernel's call graph reaches. Once for a unit with all its
 * instances. */
void shared_measure(struct frontend *);

/* launches.c */
bool is_launch(struct frontend *, CXCursor call);
struct launch *launch_of(struct frontend *, CXCursor call);
/* When all definitions are known: launches of templates that are defined behind them. */
void launches_settle(struct frontend *);

/* pure_method.c: it reads its object and values, and gives a value */
bool method_only_computes(struct frontend *, CXCursor method);
/* lower_call.c: of CUDA's own functions; NONE where effects.def has no line for it */
enum ir_effect call_effect_of_name(const char *name);

/* macro.c */
struct piece {
  const char *text;
  unsigned length;
};
struct macro { /* a definition */
  struct piece name;
  LIST_OF(struct piece) params; /* __VA_ARGS__ for ... */
  bool is_function, is_variadic;
  const char *body;
};
/* false: not of the user's files */
bool macro_of(struct frontend *, CXCursor definition, struct macro *ret);
/* The body puts the argument that holds the offset into one place and makes no string of it: an
 * edit of the argument is one there. */
bool macro_only_passes(struct frontend *, const struct macro_use *, unsigned at);
/* by one level; false: it cannot be */
bool macro_expand(struct frontend *, const struct macro_use *, struct text *out);

/* flatten.c: 0 nothing to do, 1 texts changed and the unit must be parsed again. `places`: others
 * to be free of macros. */
int flatten_macros(struct frontend *, const struct ir_places *places);

/* conditional.c: why the parser's view of a body with #if may not be the device's; NULL: it is */
const char *conditional_obstacle(struct frontend *, struct ir_place body);

/* specialize.c: templates of host code that launch kernels, with their arguments in place. 1: texts
 * changed and the unit must be parsed again. */
int specialize_hosts(struct frontend *);
/* Marks the launches of templates that have specialisations. */
void specialize_mark(struct frontend *);

/* normalize.c */
/* host_text.c: true where it changed the text */
bool host_text(struct arena *, struct unit_file *);
bool normalize_text(struct arena *, struct unit_file *); /* the same */

/* clang_args.c / pch.c */
struct clang_args {
  LIST_OF(const char *) list;
};
void clang_args_build(struct arena *, const struct frontend_options *, struct clang_args *ret);
const char *pch_file(struct arena *, CXIndex, const struct frontend_options *,
                     const struct clang_args *);

/* resources.c: of clang's own headers; NULL: not found */
const char *resource_directory(struct arena *);

/* complaints.c: tells what clang says of the unit; -1: there was an error */
int complaints_report(struct frontend *);

/* parse.c */
int parse_unit(struct frontend *, const struct clang_args *, const char *pch);

#endif

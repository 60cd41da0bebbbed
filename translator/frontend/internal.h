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
  LIST_OF(CXCursor) cursors; /* the largest first, then the implicit ones in it */
  bool is_broken;            /* several largest ones, or tokens that belong to no cursor */
};

struct macro_edges { /* of one file, by byte offset */
  /* the end of the outermost expansion that begins here; 0: none does */
  unsigned *end_at;
  unsigned char *is_end; /* an expansion ends here */
  /* after the first byte: the end of the innermost expansion around this byte; 0: none */
  unsigned *inside;
  unsigned char *in_use; /* after the first byte of a use of a user's macro */
  /* one more than the index of the outermost use that begins here; 0: none */
  unsigned *use_at;
  unsigned *uses_before;     /* uses that begin before this byte */
  struct macro_span **spans; /* of the outermost use that begins here; NULL: no cursor */
};

struct file_lines {
  unsigned file, first, last;
};

/* a text in which conditions on the architecture are known; arch_view.c */
struct arch_file {
  const char *path;   /* the parser's name for it */
  const char *text;   /* as it is */
  const char *parsed; /* for the parser; of the same length */
  size_t length;
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
  /* by class definition: the reason why a VS variable cannot have it; types.c */
  struct cursor_map copyable;
  struct name_map types; /* by canonical spelling: chains of struct type_entry */
  struct {
    struct name_map declared[2]; /* outside and inside of namespaces without a name */
    bool known;
  } names;                     /* type_names.c; valid once a type in such a namespace was seen */
  LIST_OF(CXFile) clang_files; /* by unit file index */
  LIST_OF(struct macro_use) macros;
  LIST_OF(struct macro_edges) edges; /* by unit file index */
  /* by function id: the definition's cursor, else a declaration's */
  LIST_OF(CXCursor) bodies;
  LIST_OF(CXCursor) launched;          /* by launch id: the kernel's name in the launch */
  LIST_OF(struct unit_file) rewritten; /* headers whose text host_text.c changed */
  /* VS variables that macros name in device code, where the plain name does not suffice */
  struct ir_places named;
  /* of each function template with specialisations: its file and lines */
  LIST_OF(struct file_lines) specialized;
  unsigned specializations; /* made so far */
  enum {
    SPECIALIZE_ALL,
    SPECIALIZE_FUNCTIONS,
    SPECIALIZE_UNCONDITIONAL,
    SPECIALIZE_NONE
  } specialize;
  struct view_macros {
    struct name_map names;       /* macros that only one view defines, or each differently */
    bool known, grown;           /* all names are found; the last round found more */
    bool all;                    /* only one view includes a file */
    struct name_map settled[2];  /* by text_kind: macros that mean the same for both views */
    struct name_map asked;       /* the macros on which the one at hand depends, and itself */
    struct name_map definitions; /* by macro: lists of struct definition */
    unsigned indexed;            /* files whose definitions are there */
  } views;                       /* conditional.c */
  struct {
    LIST_OF(struct arch_file) files; /* texts that the parser gets in place of those of files */
    bool known;                      /* this round's are there */
    bool off;                        /* the parser refused one */
  } arch;                            /* arch_view.c */
  bool expanded;                     /* a macro was expanded in the text */
  bool warnings_told;                /* clang's for this unit */
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
/* The expression whose value the cursor copies where C++17 makes it in its place: before C++17
 * clang has `dim3(4)` as an argument, and what a function returns, below such a copy. */
CXCursor without_elided_copy(CXCursor);
/* In the arena, each without such copies. */
struct children children_of(struct frontend *, CXCursor);
/* Visits the outermost declarations of the unit's own text, but not the prelude. */
void visit_unit(struct frontend *, CXCursorVisitor, void *data);
CXCursor body_of(struct frontend *, CXCursor function); /* collect.c; null: it has none */
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
/* Is the place that of a macro's expansion of which the cursor is only a part, or does it begin in
 * an argument and end outside the expansion? */
bool is_widened(struct frontend *, CXCursor, struct ir_place);
const char *text_at(struct frontend *, struct ir_place); /* pointer into the file's text */
const char *text_of(struct frontend *, struct ir_place); /* copy of the range */
bool starts_with_at(struct frontend *, struct ir_place, const char *word);
struct diag_place diag_place_of(struct frontend *, struct ir_place);
/* files, includes, macro uses, identifiers; -1 after an error */
int source_collect(struct frontend *);

/* expansions.c. Once for a parsed unit with its macro uses. */
void expansions_find(struct frontend *);
/* Is the cursor, with the range of the outermost expansion at `begin`, the whole of it? */
bool expansion_is(struct frontend *, unsigned file, unsigned begin, CXCursor);

/* scan.c: a small lexer for the work on text */
unsigned scan_skip_space(const char *text, unsigned at); /* blanks, comments, line splices */
unsigned scan_skip_group(const char *text, unsigned at); /* at a ( [ or {: after its partner */
unsigned scan_skip_token(const char *text, unsigned at); /* after one token */
bool scan_is_identifier_start(char);
bool scan_is_identifier(char);

/* type_names.c */
const char *type_spelling(struct frontend *, CXType); /* as the unit may write it, where it may */

/* types.c */
const struct ir_type *type_of(struct frontend *, CXType);
bool type_is_copied(CXType class); /* as ir_type.is_copied */
/* The reason why a VS variable cannot have the type; NULL: it can. */
const char *type_not_copyable(struct frontend *, CXType);

/* vars.c */
struct ir_var *var_of(struct frontend *, CXCursor declaration, struct ir_function *owner);
struct ir_function *function_of(struct frontend *, CXCursor declaration);
/* The call operator of a lambda for the device (`[=] __device__ (int i) { ... }`); a null cursor:
 * the lambda is the host's. */
CXCursor device_lambda(struct frontend *, CXCursor lambda);

/* instances.c */
struct instance_argument {
  const char *name, *text;
};
struct instance {       /* an instance of a template of device code */
  CXSourceLocation end; /* of the template: names that are used must be declared before */
  LIST_OF(struct instance_argument) arguments;
};
/* The instance as a function, or the template's function where it gives up. */
struct ir_function *instance_of(struct frontend *, CXCursor specialization);
const struct instance *instance_at(const struct frontend *, CXCursor definition);
/* Sets the arguments. NULL, or the reason why they cannot be written at the template's place. */
const char *instance_arguments(struct frontend *, struct instance *, CXCursor template,
                               CXCursor specialization);
/* later.c: a place behind the types among the arguments that are declared behind the template,
 * where text for the instance may stand. False: there are no such types, or no such place. */
struct later {
  CXSourceLocation end; /* names that are used must be declared before */
  struct ir_place at;   /* empty */
};
bool later_place(struct frontend *, CXCursor template, CXCursor specialization, struct later *ret);
/* The offset after the "template <...>" at `at`; 0: there is none. */
unsigned instance_head(const char *text, unsigned at, unsigned end);
/* NULL: for the text unchanged */
const char *instance_text(struct frontend *, const struct instance *, const char *text);
/* The reason why text in front of `end` cannot name the type; NULL: it can. */
const char *instance_type_obstacle(struct frontend *, CXType, CXSourceLocation end);
/* The reason why its code cannot call the target; NULL: it can. */
const char *instance_call_obstacle(const struct instance *, CXCursor target);

/* lowering of one function */
struct fold;

struct lambda {      /* of device code: lambda.c */
  CXCursor variable; /* that it is the value of */
  CXCursor function; /* its call operator */
  const char *name;  /* of the variable */
  struct ir_place place;
  unsigned end;                    /* of the block around it */
  LIST_OF(struct ir_var *) copied; /* captured by value */
};

struct lower {
  struct frontend *frontend;
  struct ir_function *function;
  const struct instance *instance; /* NULL: no template */
  bool strict;                     /* a kernel or device function: without opaque forms */
  bool in_lambda;
  bool is_member;          /* names are spelled with all scopes: method.c */
  struct ir_var *self;     /* of a method: its object; NULL: elsewhere */
  bool in_launch;          /* its shape and its arguments */
  const struct fold *fold; /* accessor.c: the body that is lowered in the place of its call */
  const char *failed;      /* strict: the first construct without a form in the IR */
  struct ir_place failed_place;
  LIST_OF(struct ir_var *) vars;
  struct instance aliases;        /* of types, declared by the body: aliases.c */
  LIST_OF(struct lambda) lambdas; /* declared by the body so far */
  unsigned block_end;             /* the offset behind the block that is lowered */
  CXCursor whole;                 /* the expression that is lowered as a statement */
};

/* lambda.c: notes a local that is a lambda, or fails. False: the declaration has none. */
bool lambda_declare(struct lower *, CXCursor declaration);
const struct lambda *lambda_named(const struct lower *, CXCursor target); /* NULL: none */
bool lambda_is_in_text(const struct lower *, const char *text);
/* Requires ir_note_usage: copies that lambdas have are the variables still. */
void lambdas_end(struct lower *, struct ir_stmt *body);

/* aliases.c: notes a typedef or an alias of the body */
void alias_declare(struct lower *, CXCursor declaration);
bool alias_is_named(const struct lower *, const char *text);
/* The text with the types in the aliases' places; NULL: they cannot stand there. */
const char *alias_text(struct lower *, const char *text);
/* Puts the types into all text of the body that is copied. */
void aliases_end(struct lower *, struct ir_stmt *body);

/* ---- tables.c ---- */

/* Makes a static variable of device code a local, if it is a table of constants. */
bool table_declare(struct ir_var *, const struct ir_expr *init);

/* Behind ir_note_usage: fails where more than the elements of such tables are used. */
void tables_end(struct lower *, struct ir_stmt *body);

struct ir_expr *lower_expr(struct lower *, CXCursor);
struct ir_stmt *lower_stmt(struct lower *, CXCursor);
struct ir_stmt *lower_decl(struct lower *, CXCursor declaration, struct ir_place);
/* A statement without a form in the IR: its parts, or the end of the lowering (lower_fail). */
struct ir_stmt *lower_opaque_stmt(struct lower *, CXCursor, const char *reason);
/* lower_condition.c: with declarations in the condition, too */
struct ir_stmt *lower_if(struct lower *, CXCursor);
struct ir_stmt *lower_while(struct lower *, CXCursor);
struct ir_stmt *lower_switch(struct lower *, CXCursor);
bool switch_has_first(struct frontend *, CXCursor); /* of lower_condition.c */
/* text_of, with an instance's arguments in the parameters' places */
const char *lowered_text(struct lower *, struct ir_place);
/* Do template arguments of the text name a local, as in f<decltype(sum)> and f<WIDTH>? It may be
 * another thing, or gone, where the text is printed. */
bool hiding_is_told_by_local(const struct lower *, const char *text);
/* lower_literal.c: a literal, or sizeof */
struct ir_expr *lower_literal(struct lower *, CXCursor);
/* ... a name that is a constant, as one of a variable template; NULL: it is something else */
struct ir_expr *lower_constant(struct lower *, CXCursor);
/* ... a number as a literal of the type */
const char *lower_int_text(struct lower *, const struct ir_type *, int64_t value);
/* lower_zero.c: T() or {} of a number or a pointer; NULL: it is something else */
struct ir_expr *lower_zero(struct lower *, CXCursor);
struct ir_expr *new_expr(struct lower *, enum ir_expr_kind, CXCursor, unsigned operand_count);
struct ir_stmt *new_stmt(struct lower *, enum ir_stmt_kind, CXCursor);
void lower_fail(struct lower *, CXCursor, const char *reason);
struct ir_expr *lower_call(struct lower *, CXCursor);
struct ir_expr *lower_opaque(struct lower *, CXCursor);
/* known_calls.c: NULL: the operator is not known */
struct ir_expr *lower_known_operator(struct lower *, CXCursor, const char *name, CXCursor left,
                                     CXCursor right);
struct ir_expr *lower_known_method(struct lower *, CXCursor, CXCursor target);
struct ir_expr *lower_known_call(struct lower *, CXCursor, CXCursor target,
                                 const struct children *arguments);
struct ir_function *known_function(struct frontend *, CXCursor target);
struct ir_expr *lower_known_conversion(struct lower *, CXCursor, CXCursor target, CXCursor object);
/* b.group_index() of a cooperative group that is the block: IR_BLOCK_IDX; -1: another member */
bool is_toolkit_cursor(struct frontend *, CXCursor target);
int known_block_member(struct frontend *, CXCursor object);
struct ir_expr *lower_launch(struct lower *, CXCursor, struct launch *);
/* temporaries.c: notes the members of a structure that the argument of a launch makes */
void temporaries_note(struct lower *, CXCursor, struct launch_arg *);
void loops_canonicalize(struct lower *, struct ir_stmt *body);
/* declared.c: called for each declaration of the user's files, in their order */
void declared_note(struct frontend *, CXCursor, CXCursor parent);
/* Refuses VS variables in default arguments of device code, and in initialisers of constructors
 * that are for the device alone. */
void declared_outside(struct frontend *, const struct ir_function *, CXCursor);
/* hiding.c: no local of device code hides a name that the function uses */
void hiding_end(struct lower *, struct ir_stmt *body);

/* vs_vars.c: a declaration with __global__ becomes an entry of the unit, or an error */
void collect_vs(struct frontend *, CXCursor declaration);
/* Reports an error about the variable: "virtual shared variable 'a' <format><more>". */
void vs_error(struct frontend *, CXCursor, enum diag_id, const char *format, const char *more);

/* collect.c */
int collect_unit(struct frontend *);

/* shared.c: measures the shared memory that each kernel's call graph reaches. Called once for a
 * unit with all its instances. */
void shared_measure(struct frontend *);

/* launches.c */
bool is_launch(struct frontend *, CXCursor call);
struct launch *launch_of(struct frontend *, CXCursor call);
/* After all definitions are known: launches of templates that are defined after them. */
void launches_settle(struct frontend *);

/* accessor.c: the body's expression in the place of the call of a function with no more than that.
 * `object`: of a method; null: the one of the code around the call. NULL: it stays a call. */
struct ir_expr *lower_accessor(struct lower *, CXCursor call, CXCursor target, CXCursor object,
                               const struct children *arguments);
/* ... of a lambda's body in the place of its call, or a failure */
struct ir_expr *lower_lambda_call(struct lower *, CXCursor call, CXCursor target,
                                  const struct children *arguments);
/* in such a body: the object; the parameter's argument; the place of all that is in it; NULL:
 * elsewhere */
struct ir_expr *lower_this(struct lower *);
struct ir_expr *lower_bound_parameter(struct lower *, CXCursor target);
/* The value of a local of such a body, at the cursor; NULL: it is no local of it. */
struct ir_expr *lower_bound_local(struct lower *, CXCursor, CXCursor target);
const struct ir_place *fold_place(const struct lower *);
bool is_this(struct frontend *, CXCursor); /* `this`, below implicit conversions */
void lower_note_base(struct lower *, CXCursor, CXCursor field, struct ir_expr *member);
void lower_note_access(struct lower *, CXCursor, CXCursor field, struct ir_expr *member);
/* only_reads.c: may a launch's arguments call the host's function twice? */
bool only_reads(struct frontend *, CXCursor function);
/* method.c: makes method->as_function, where it can */
void method_lower(struct frontend *, struct ir_function *method, CXCursor cursor);
/* The method that is called, as the instance of its class has it. NULL: outside the unit's files */
struct ir_function *method_of(struct frontend *, CXCursor target);
bool method_is_hidden(CXCursor declaration);                  /* may only its class name it? */
const char *method_scope(struct frontend *, CXCursor method); /* "" or "a::b::", no classes */
/* construct.c: refuses the body of a kernel or device function if it makes an object whose
 * constructors or destructor may do more than set its members */
void construct_check(struct lower *, CXCursor body);

/* pure_method.c: does the method only read its object and values, and return a value? */
bool method_only_computes(struct frontend *, CXCursor method);
/* lower_call.c: the effect of CUDA's own functions; NONE: effects.def has no line for it */
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
/* false: the definition is not in the user's files */
bool macro_of(struct frontend *, CXCursor definition, struct macro *ret);
/* Does the body put the argument with the offset into one place, and make no string of it? An edit
 * of the argument is then one there. */
bool macro_only_passes(struct frontend *, const struct macro_use *, unsigned at);
/* Expands the use by one level; false: it cannot be expanded. */
bool macro_expand(struct frontend *, const struct macro_use *, struct text *out);

/* flatten.c: 0: nothing to do; 1: texts changed and the unit must be parsed again. `places`:
 * further places that must be free of macros. */
int flatten_macros(struct frontend *, const struct ir_places *places);

/* conditional.c: the reason why the parser's view of a body with #if may differ from the device's;
 * NULL: it does not. */
const char *conditional_obstacle(struct frontend *, struct ir_place body);

/* arch_view.c: true where there are texts for another parse of this round; the text of a file, by
 * the parser's name for it (NULL: its own); true where the parser refuses them: it is for another
 * parse without them */
bool arch_view_find(struct frontend *);
const struct arch_file *arch_view_of(struct frontend *, const char *path);
bool arch_view_refused(struct frontend *);

/* specialize.c: specialises templates of host code that launch kernels. 1: texts changed and the
 * unit must be parsed again. */
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

/* resources.c: the directory of clang's own headers; NULL: not found */
const char *resource_directory(struct arena *);

/* complaints.c: reports clang's diagnostics about the unit; -1: there was an error */
int complaints_report(struct frontend *);

/* parse.c */
int parse_unit(struct frontend *, const struct clang_args *, const char *pch);

#endif

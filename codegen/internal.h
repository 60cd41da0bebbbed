/* internal.h - state of one codegen_unit call, shared by the emit_*.c files. */
#ifndef MESI_CODEGEN_INTERNAL_H
#define MESI_CODEGEN_INTERNAL_H

#include "codegen/codegen.h"
#include "codegen/edits.h"
#include "codegen/scan.h"

struct vs_names {          /* of one VS variable; kept at the id of its defining declarator */
  struct vs_var *definition; /* or the first declarator when it is defined in another file */
  const char *pointer;     /* _d_a, in the variable's scope */
  const char *store;       /* _vs_a; NULL when it is defined in another file */
  const char *alias;       /* _h_a, a reference to it in its scope; NULL: none is needed */
  bool namesake;           /* something else has the variable's name, or the source qualifies it */
  bool plain;              /* a const variable: storage as the source says, no pages of its own */
  bool declared;           /* the pointer's declaration is in the edits */
  bool stored;             /* the storage is in the edits, with the initialiser; else it goes into the epilogue */
  bool in_table;
  unsigned index;          /* in the table of variables */
};

struct check_state;        /* check.h */

enum { MOST_NUMBERS = 4 }; /* of segments, for which there are kernels */

struct kernel_names {      /* of what is printed for a variant */
  const char *kernel;      /* NULL: not emitted, launches keep the original */
  const char *versions[MOST_VERSIONS]; /* of a mapping; the first is `kernel` */
  const char **choices;    /* of a choice: by the stages they have, a bit each; `kernel` has all */
  unsigned choice_count;   /* one more than there are sets where the last stages some segments of an array only */
  unsigned number_count;   /* numbers of segments, 1 ..., for which there are all of these kernels once more, behind them */
  const char *jammed[1 + MOST_NUMBERS]; /* templates: for any number of segments, for 1 ...; NULL: none */
  bool even;               /* behind all of these, they are there once more for launches that find a table even */
  const char *plain;       /* for launches too small for the mapping; NULL: none */
  const char *fits;        /* checks the condition of exact versions; NULL: none */
  const char *when[MOST_VERSIONS]; /* checks that of one version, or says how many blocks share its sums; NULL: none */
};

struct steps_names {       /* of what is printed for a plan's steps */
  bool tried;
  const char *kernel;      /* NULL: it cannot be printed */
  const char *description; /* the table for the runtime */
};

struct addressed_site {    /* a launch by its kernel's address */
  const char *kernel;      /* as written */
  struct ir_place place;   /* of the call */
};

struct codegen {
  struct unit *unit;
  const struct plan *plan;
  const struct codegen_options *options;
  struct diag *diag;
  struct arena *arena;      /* the unit's */
  struct edits *edits;      /* by file */
  struct vs_names *vs;      /* by VS variable id; use vs_names_of */
  struct kernel_names *names; /* by index in plan.variants */
  const char **parts;       /* by index in plan.parts: the kernel's name, "" where it has none; NULL: not emitted yet */
  struct steps_names *steps; /* by index in plan.steps */
  unsigned *sites;          /* by launch id: index in the table of launch sites */
  unsigned site_count, var_count;
  struct waits *waits;      /* emit_waits.c; NULL: no loop waits */
  const char *table;        /* _mesi_1f00ab */
  LIST_OF(struct addressed_site) addressed; /* launches by address, in the order of their sites, which follow the others */
  LIST_OF(const struct ir_type *) allocated; /* element types of typed allocations, by number of their map */
  bool needs_select;        /* mesi_select is used */
  struct check_state *check; /* NULL: device code is not instrumented */
  bool failed;              /* an error was reported */
};

/* codegen.c */
void codegen_error(struct codegen *, enum diag_id, const struct ir_place *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
const char *source_text(const struct codegen *, const struct ir_place *); /* a copy of the range */
/* Is the first position before the second in the output? Files stand where they are first included. */
bool position_before(const struct unit *, unsigned file, unsigned at, unsigned other_file, unsigned other_at);
const char *access_name(unsigned access); /* MESI_READ ... */
const char *line_directive(struct codegen *, unsigned file, unsigned line); /* with \n; "" with --no-line */
const char *quoted(struct arena *, const char *text); /* a C string literal */

/* inline.c: the text of all files with the edits; -1 after an error */
int emit_files(struct codegen *, struct text *out);
bool any_edits(const struct codegen *);

/* emit_vs.c */
void emit_vs_names(struct codegen *);
void emit_vs_declarations(struct codegen *);
struct vs_names *vs_names_of(struct codegen *, const struct ir_var *);
bool vs_is_local(const struct vs_var *); /* internal linkage */

const char *ascii_name(struct arena *, const char *name);
/* vs_name.c */
void find_namesakes(struct codegen *, struct vs_names *);
/* The name that host code has for it where no local hides it, and its type by that. */
const char *vs_global_name(struct codegen *, const struct vs_var *);
const char *vs_type_text(struct codegen *, const struct vs_var *);

/* emit_use.c: VS variables in kernels and device functions */
void emit_vs_uses(struct codegen *);
/* How `function` reaches the device copy of a variable: _d_a, ns::_d_a. */
const char *vs_pointer_in(struct codegen *, const struct ir_function *, struct vs_names *);
/* A parameter or local of the function's outermost block hides the variable's name there. */
bool vs_name_hidden(const struct ir_function *, const struct vs_var *);
/* The function uses another VS variable of the same name, and the plain name is that one's. */
bool vs_loses_name(const struct ir_function *, const struct vs_var *);

/* The name that the printed body of `function` has for a VS variable: a, or (*_d_a). */
const char *vs_printed_name(struct codegen *, const struct ir_function *, const struct ir_var *);
/* Prints the references that such names need, "auto &a = *_d_a;", a line each. */
struct printer;
void print_vs_references(struct codegen *, const struct ir_function *, struct printer *);

/* emit_stage.c */
void emit_variants(struct codegen *);
const char *variant_name(const struct codegen *, const struct kernel_variant *);
const struct kernel_names *names_of(const struct codegen *, const struct kernel_variant *);
const char *variant_prototype(struct codegen *, const struct kernel_variant *); /* with ;, one line; NULL: cannot be written */

/* The kernel's head as written, with another name and one parameter more. */
const char *kernel_head_with(struct codegen *, const struct ir_function *kernel, const char *name, const char *parameter);
/* Puts text behind the kernel, and restores the line of what follows; changes `text`. */
void insert_behind(struct codegen *, const struct ir_function *kernel, struct text *);

/* emit_part.c: the name of the kernel, which is emitted at the first call; NULL: it cannot be */
const char *parts_name(struct codegen *, const struct kernel_parts *);

/* emit_steps.c: emitted at the first call; NULL: it cannot be */
const struct steps_names *steps_names(struct codegen *, const struct kernel_steps *);

/* emit_launch.c */
void emit_launches(struct codegen *);
bool launch_repeated(const struct codegen *, const struct launch *);
bool kernel_is_overloaded(const struct codegen *, const struct ir_function *);
/* emit_address.c */
void emit_launches_by_address(struct codegen *);
void emit_known_kernels(struct codegen *, struct text *out);
/* pragmas.c */
enum pragma_kind {
  PRAGMA_NONE,
  PRAGMA_GOVERNS,  /* it belongs to the statement, which cannot be parted from it */
  PRAGMA_SECTION   /* nothing may come between it and what is in front of it: #pragma omp section */
};
/* Of the pragmas in front of the statement at `at`; GOVERNS: ret_begin is where the line of the first begins. */
enum pragma_kind pragma_before(const char *text, unsigned at, unsigned *ret_begin);
/* emit_host.c */
void emit_host_edits(struct codegen *);
/* emit_malloc.c */
void emit_typed_allocations(struct codegen *);
void emit_allocation_maps(struct codegen *, struct text *out);
/* emit_cpu.c */
void emit_dynamic_shared(struct codegen *);
/* emit_waits.c */
void find_waits(struct codegen *); /* before anything is printed */
void emit_waits(struct codegen *);
bool waits_for_others(const struct codegen *, const struct ir_function *); /* has loops that may: for the CPU */
/* The declaration of a dynamic shared array at namespace scope as a reference for a function's body; NULL: not understood. */
const char *dynamic_shared_reference(struct codegen *, const struct ir_var *);

/* emit_range.c: "read begin, read end, write begin, write end, access" for argument `number` of a launch, or for a VS variable
 * that its kernel names. NULL: has no text. */
const char *argument_text(struct codegen *, const struct launch *, unsigned number); /* as written; NULL: it cannot stand elsewhere */
const char *range_arguments(struct codegen *, const struct launch *, const struct use_range *, unsigned number);
/* The same with what the launch's parts use behind it. */
const char *part_arguments(struct codegen *, const struct launch *, const struct use_range *, unsigned number);

/* The same for use `number` of the launch's plan; NULL: the whole variable. `parted`: the launch may go out in parts. */
const char *use_range_text(struct codegen *, const struct launch *, unsigned number, bool parted);

/* An expression of the plan over what the launch is given, as text; NULL: has none. */
const char *launch_value(struct codegen *, const struct launch *, const struct ir_expr *);
/* The same where `segment` stands for the number of one of a copy's segments; names of that number and of table i's bounds in it. */
const char *segment_value(struct codegen *, const struct launch *, const struct ir_expr *, const struct ir_var *segment);
const char *segment_name(struct codegen *);
const char *bounds_name(struct codegen *, unsigned table);
const char *launch_shape_text(struct codegen *, const struct launch *launch, const struct ir_expr *shape); /* grid or block; NULL: has no text that can stand elsewhere */

/* emit_tables.c */
void emit_pointer_map(struct text *out, const struct ir_type *, const char *name); /* where objects of the type hold pointers */
void plan_tables(struct codegen *);
void emit_head(struct codegen *, struct text *out);
void emit_epilogue(struct codegen *, struct text *out);

#endif

/* SPDX-License-Identifier: MIT */
/* ir.h - the intermediate representation of functions: types, variables, expressions, statements.
 *
 * Built by the frontend, immutable afterwards; results of analyses are side tables by the dense
 * ids. Everything lives in the unit's arena. Kernels, the device functions they call and host
 * functions share one form. A kernel that cannot be lowered has a NULL `body`, and `verbatim` has
 * the reason. In host functions a construct without a form in the IR is IR_EXPR_OPAQUE or
 * IR_STMT_OPAQUE with its parts as operands, so that its variables stay visible.
 */
#ifndef MESI_IR_H
#define MESI_IR_H

#include <stdbool.h>
#include <stdint.h>

#include "translator/base/arena.h"
#include "translator/base/text.h"

struct ir_expr;
struct ir_stmt;
struct ir_function;
struct ir_var;
struct vs_var;

struct ir_place { /* a range of source text */
  unsigned file;  /* index into unit.files */
  /* byte offsets; for tokens from a macro, of the macro's expansion in the file */
  unsigned begin, end;
  unsigned line, column; /* of begin, from 1 */
  /* a token of the range comes from a macro body: the text differs from the parsed text */
  bool in_macro;
  /* the first token does, or is in an argument and the range ends outside the macro's expansion */
  bool begins_in_macro;
  /* the range begins in an argument of a user's macro, whose body may use the text elsewhere,
   * too */
  bool in_argument;
};

struct vs_place { /* a VS variable's name in a body */
  struct ir_place place;
  const struct ir_var *var;
};

struct ir_places {
  LIST_OF(struct ir_place) list;
};

/* ---- types ---- */

enum ir_type_kind {
  IR_TYPE_VOID,
  IR_TYPE_BOOL,
  IR_TYPE_INT,       /* every integer and character type, and enums */
  IR_TYPE_FLOAT,     /* half, float, double */
  IR_TYPE_POINTER,   /* element: pointee */
  IR_TYPE_REFERENCE, /* element: referred type */
  IR_TYPE_ARRAY,     /* element, extent */
  IR_TYPE_RECORD,
  IR_TYPE_OTHER, /* function, dependent, vector ... */
  IR_TYPE_KIND_COUNT
};

struct ir_type {
  enum ir_type_kind kind;
  const char
      *spelling; /* a C++ spelling with typedef names resolved, e.g. "const float", "int[8][4]" */
  int64_t size, align;                     /* bytes; -1 unknown */
  bool is_signed;                          /* INT */
  bool is_const, is_volatile, is_restrict; /* of this level */
  bool is_unnamed;                         /* lambda or unnamed record: has no spelling */
  const struct ir_type *element;
  int64_t extent; /* ARRAY: elements, -1 unknown */
  /* RECORD: byte offsets of all pointers inside (nested records and arrays included), for the
   * runtime's maps */
  const uint64_t *pointer_offsets;
  unsigned pointer_count;
  const char *keyword; /* RECORD: "struct", "class" or "union" */
  bool is_trivial;     /* RECORD: made without a constructor, and = copies its bytes */
  bool is_public; /* RECORD: all fields are public, and it has no base: any code may name them */
  /* RECORD: made with a constructor perhaps, and copied by its bytes; it has no virtual function,
   * and no base but one of such a class, at its beginning, public */
  bool is_copied;
  bool is_bare;           /* RECORD: it can be declared without arguments of a constructor */
  bool too_many_pointers; /* RECORD: more than the frontend lists; pointer_count is 0 */
};

/* ---- variables ---- */

enum ir_var_kind {
  IR_VAR_LOCAL,
  IR_VAR_PARAM,
  IR_VAR_SHARED, /* the user's own __shared__ array, static or dynamic */
  IR_VAR_VS,     /* virtual shared: vs is set */
  IR_VAR_DEVICE, /* __device__, __constant__ or __managed__ variable */
  IR_VAR_HOST,   /* any other variable that is not local to a function */
  /* a number that a launch finds for its plan; made by the analysis, `value` is its position */
  IR_VAR_LAUNCH,
  IR_VAR_KIND_COUNT
};

struct ir_var {
  unsigned id; /* dense: locals and params in their function's vars, others in unit.globals */
  enum ir_var_kind kind;
  const char *name;
  /* DEVICE, SHARED: with namespaces; NULL: has no name at the end of the file */
  const char *qualified;
  const struct ir_type *type;   /* of a parameter: after array decay */
  struct ir_function *function; /* owner of a local or parameter; NULL otherwise */
  struct vs_var *vs;
  struct ir_place place;
  bool is_constant_memory; /* DEVICE: __constant__ */
  bool is_dynamic_shared;  /* SHARED: extern __shared__ */
  int64_t alignment;       /* SHARED, made by a plan: bytes; 0: the type's */
  bool of_thread;          /* LOCAL, made by a plan: one for all elements of a thread */
  bool is_scratch;         /* LOCAL, made by a plan: others like it have its name, elsewhere */
  bool is_static;          /* local static or internal linkage */
  bool is_table;           /* LOCAL, constant: declared as static, which its threads cannot tell */
  /* & was applied, bound to a reference, or captured by reference by a lambda */
  bool address_taken;
  unsigned write_count; /* places that assign to it, its initialiser included */
  /* an integer constant known to the parser (constexpr, const int with initialiser) */
  bool has_value;
  int64_t value;
  struct ir_expr *init; /* initialiser; NULL: none, or not lowered */
  /* PARAM that is a member of another one (unit_part_parameters): that parameter, and the text from
   * its name to the member's end. NULL: the function's head has the parameter */
  const struct ir_var *part_of;
  const char *part;
  const char *part_before; /* of a private member: the text before that parameter's name; or NULL */
};

/* ---- expressions ---- */

enum ir_expr_kind {
  IR_EXPR_INT,     /* value; text: the token as written, or NULL */
  IR_EXPR_LITERAL, /* floating, string, character, nullptr, bool: text as written */
  IR_EXPR_VAR,     /* var */
  IR_EXPR_BUILTIN, /* builtin: threadIdx.x ... */
  IR_EXPR_UNARY,   /* op, operands[0] */
  IR_EXPR_BINARY,  /* op, operands[0..1] */
  IR_EXPR_ASSIGN,  /* op (ASSIGN or compound), operands[0] op operands[1] */
  IR_EXPR_COND,    /* operands[0] ? operands[1] : operands[2] */
  IR_EXPR_INDEX,   /* operands[0][operands[1]]; operands[0] has pointer or array type */
  IR_EXPR_MEMBER,  /* operands[0].text, or -> when is_arrow; field_offset in bytes */
  IR_EXPR_CAST,    /* explicit: (type)operands[0]; text: the type as written */
  IR_EXPR_CONVERT, /* implicit conversion to type, not printed */
  IR_EXPR_PAREN,   /* (operands[0]) */
  /* text: callee as written; callee when it is a function of the unit; operands: arguments */
  IR_EXPR_CALL,
  IR_EXPR_CONSTRUCT, /* T(a, b) or T{a, b}: text is the type as written, operands the arguments */
  IR_EXPR_INIT_LIST, /* { operands } */
  IR_EXPR_SIZEOF,    /* value when constant; text: as written */
  IR_EXPR_LAUNCH,    /* host only: a kernel launch; value: index into unit.launches; operands: grid,
                        block, shared,    stream, then the arguments */
  /* anything else; operands: the lowered parts; callee: the function of the unit that it names */
  IR_EXPR_OPAQUE,
  IR_EXPR_KIND_COUNT
};

enum ir_op {
#define OP(id, spelling, arity, precedence) IR_OP_##id,
#include "translator/ir/ops.def"
#undef OP
  IR_OP_COUNT
};

enum ir_builtin { /* value = 3 * object + axis (0 x, 1 y, 2 z) */
                  IR_THREAD_IDX = 0,
                  IR_BLOCK_IDX = 3,
                  IR_BLOCK_DIM = 6,
                  IR_GRID_DIM = 9,
                  IR_WARP_SIZE = 12,
                  IR_BUILTIN_COUNT = 13
};

enum ir_effect { /* of a call, beyond reading its scalar arguments */
                 /* pure function of its arguments (math functions, min, max, device functions of
                    scalars) */
                 IR_EFFECT_NONE,
                 IR_EFFECT_BARRIER, /* __syncthreads and relatives: all threads of the block */
                 IR_EFFECT_WARP,    /* __syncwarp, shuffles, votes */
                 IR_EFFECT_ATOMIC,  /* atomicXxx: operands[0] is the address */
                 IR_EFFECT_FENCE,   /* __threadfence and relatives */
                 IR_EFFECT_LOAD,    /* __ldg and relatives: reads *operands[0], nothing else */
                 IR_EFFECT_PRINT,   /* printf, assert: reads its arguments and what they point to */
                 IR_EFFECT_CALLEE,  /* callee is lowered: look into it */
                 IR_EFFECT_UNKNOWN, /* may read and write whatever its arguments reach, and global
                                       variables */
                 IR_EFFECT_COUNT
};

struct ir_expr {
  enum ir_expr_kind kind;
  unsigned id; /* dense within the function */
  enum ir_op op;
  enum ir_effect effect; /* CALL */
  const struct ir_type *type;
  struct ir_place place;
  int64_t value; /* INT, SIZEOF, BUILTIN (enum ir_builtin), LAUNCH */
  const char *text;
  struct ir_var *var;
  /* CALL; NULL when not a function of the unit or called through a pointer */
  struct ir_function *callee;
  bool has_value; /* SIZEOF: value is known */
  bool is_arrow;  /* MEMBER */
  bool is_brace;  /* CONSTRUCT with braces */
  bool is_method; /* CALL of a member function: operands[0] is the object */
  /* CALL in a launch's arguments: of a function that only reads, and may be called twice */
  bool only_reads;
  /* CALL, not of a member in host code: bit i: operand i goes to a parameter that is no
   * reference */
  uint32_t by_value;
  int64_t field_offset; /* MEMBER: bytes; -1 unknown */
  bool is_private;      /* MEMBER that only its class may name: printed by its offset; CALL of such
                           a method */
  /* MEMBER that is a bit-field: its place in bits; bit_size 0: it is no bit-field */
  unsigned bit_offset, bit_size;
  struct ir_expr **operands;
  unsigned operand_count;
};

/* ---- statements ---- */

enum ir_stmt_kind {
  IR_STMT_NULL,
  IR_STMT_DECL,  /* var; expr: initialiser or NULL, init_style */
  IR_STMT_DECLS, /* children: DECLs of one declaration statement with several declarators */
  IR_STMT_EXPR,  /* expr */
  IR_STMT_BLOCK, /* children */
  IR_STMT_IF,    /* expr, body, else_body (may be NULL) */
  /* init (DECL, DECLS, EXPR or NULL), expr (may be NULL), increment (may be NULL), body, loop */
  IR_STMT_FOR,
  IR_STMT_WHILE,  /* expr, body */
  IR_STMT_DO,     /* body, expr */
  IR_STMT_SWITCH, /* expr, body: a BLOCK with CASE and DEFAULT statements in it */
  IR_STMT_CASE,   /* expr: a label, without the statement it labels; expr NULL: default */
  IR_STMT_BREAK,
  IR_STMT_CONTINUE,
  IR_STMT_RETURN, /* expr or NULL */
  IR_STMT_GOTO,   /* label; made by plans: to a LABEL of the same function */
  IR_STMT_LABEL,  /* label; made by plans */
  /* host only (lambdas, try, range-for, goto ...): operands by `exprs`, nested statements by
   * children */
  IR_STMT_OPAQUE,
  IR_STMT_KIND_COUNT
};

enum ir_init_style {
  IR_INIT_NONE,
  IR_INIT_ASSIGN,
  IR_INIT_PAREN,
  IR_INIT_BRACE,
  IR_INIT_STYLE_COUNT
};

/* for (iterator = lower; iterator relation bound; iterator += step), iterator not written in the
 * body */
struct ir_loop {
  struct ir_var *iterator;
  struct ir_expr *lower; /* NULL: the value the iterator has before the loop */
  enum ir_op relation;   /* LT, LE, GT, GE, NE */
  struct ir_expr *bound; /* not necessarily loop-invariant: check its variables */
  /* constant, not 0; with step_expr the step is the value of that expression (e.g. a grid
   * stride) */
  int64_t step;
  struct ir_expr *step_expr; /* NULL for a constant step */
  bool declared;             /* the iterator is declared in the for statement */
};

struct ir_stmt {
  enum ir_stmt_kind kind;
  unsigned id; /* dense within the function */
  struct ir_place place;
  struct ir_var *var;
  enum ir_init_style init_style;
  struct ir_expr *expr;
  struct ir_expr *increment;
  struct ir_stmt *init, *body, *else_body;
  struct ir_loop *loop; /* FOR in canonical form; NULL otherwise */
  struct ir_stmt **children;
  unsigned child_count;
  struct ir_expr **exprs; /* OPAQUE */
  unsigned expr_count;
  const char *label; /* GOTO, LABEL */
  /* DECL, DECLS in an instance of a template: the text with the arguments in place; NULL
   * elsewhere */
  const char *written;
  const char *pragma; /* FOR, WHILE, DO: the "#pragma unroll ..." line before it; NULL: none */
};

/* ---- functions ---- */

struct ir_function {
  unsigned id;                        /* index into unit.functions */
  const char *name;                   /* unqualified */
  const char *qualified;              /* with namespaces and classes */
  bool is_kernel, is_device, is_host; /* a __host__ __device__ function is both of the last two */
  bool is_internal;                   /* internal linkage: static, or in an anonymous namespace */
  bool is_template;                   /* a template, not analysed: body NULL */
  bool is_method;
  /* the template of an instance, which has the template's places; NULL: none */
  const struct ir_function *instance_of;
  /* of a device method whose body is known: that function with the object as the last parameter,
   * a reference. No text has it, and it is not in unit.functions. NULL: none */
  struct ir_function *as_function;
  const struct ir_function *method_of; /* of such a function */
  /* of an instance: its head before and after the name; NULL: unknown */
  const char *head_before, *head_behind;
  /* Text for it stands there, behind types that an instance names; line 0: behind its body. */
  struct ir_place text_place;
  /* of the toolkit: a body that has the effects, without text and place */
  bool is_model;
  bool has_definition; /* here, not only a declaration */
  bool calls_itself;   /* directly or through others */
  /* host: it or a function it calls launches a kernel, or calls a function that may do so */
  bool may_launch;
  const struct ir_type *result;
  struct ir_var **params;
  unsigned param_count;
  struct ir_var **vars; /* by id: parameters first, then locals */
  unsigned var_count, expr_count, stmt_count;
  /* of plans, by parameter: nothing writes the memory behind it while the kernel runs, so that it
   * may be printed as __restrict__. NULL: unknown. Parameters added later have no entry */
  const bool *read_only;
  struct ir_stmt *body;  /* BLOCK; NULL: declaration, template, or verbatim */
  const char *verbatim;  /* the reason why a definition has no body; NULL: none */
  unsigned names_before; /* of unit.declared: the number of names declared before the definition's
                            body */
  struct ir_place place; /* whole definition or declaration */
  struct ir_place name_place;
  struct ir_place body_place; /* from { to } */
  /* VS variables that the text of the body names, also when kept verbatim */
  struct vs_var **vs_uses;
  unsigned vs_use_count;
  struct vs_place *vs_places; /* of device code: their names in the body, as the parser saw them */
  unsigned vs_place_count;
  /* offsets in the body of other names that equal a VS variable's */
  unsigned *other_names;
  unsigned other_name_count;
  struct ir_var **dynamic_shared; /* extern __shared__ arrays the body names */
  unsigned dynamic_shared_count;
  /* KERNEL: bytes of the user's own static __shared__ variables that it and its callees name, in
   * multiples of 16 */
  int64_t static_shared_bytes;
  bool reaches_dynamic_shared; /* KERNEL: it or a callee names an extern __shared__ array */
};

/* ---- helpers over the IR (ir.c) ---- */

const char *ir_op_spelling(enum ir_op);
int ir_op_precedence(enum ir_op);
const char *ir_builtin_spelling(enum ir_builtin);

/* The type int, however it is qualified. */
bool ir_type_is_int(const struct ir_type *type);
/* A pointer, a record with pointers inside, or an array of such. NULL: false. */
bool ir_type_holds_pointers(const struct ir_type *type);

/* `expr` without CONVERT and PAREN around it. */
struct ir_expr *ir_strip(struct ir_expr *expr);
/* The kernel's name in a call that launches it by its address, cudaLaunchKernel,
 * cudaLaunchCooperativeKernel or cudaLaunchKernelEx (addressed.c). NULL: the expression is no such
 * call, or does not name the kernel, or stands in a macro. */
const struct ir_expr *ir_addressed_kernel(const struct ir_expr *call);
/* The variable that the expression, or the object of its element or member, names. NULL: memory
 * behind a pointer or a reference. */
const struct ir_var *ir_holder(const struct ir_expr *expr);
/* Is it a local or a parameter of the function itself? Its id is then an index into tables of the
 * function's variables. */
bool ir_owns(const struct ir_function *function, const struct ir_var *var);
/* Parameters in the function's head; its parts of them follow. */
unsigned ir_head_params(const struct ir_function *);
/* The constant value of an integer expression of literals and constants; false: there is none. */
bool ir_constant(const struct ir_expr *expr, int64_t *ret_value);
/* Is it a division or remainder of integers, assignments included, whose divisor is not a positive
 * constant? With divisor 0 it ends the program on a CPU. */
bool ir_may_trap(const struct ir_expr *expr);
/* Called for each expression below and including `expr`, parents first. */
typedef void ir_expr_visitor(struct ir_expr *expr, void *context);
void ir_visit_expr(struct ir_expr *expr, ir_expr_visitor *visit, void *context);
/* Visits each expression of a statement and of the statements in it (initialisers and conditions
 * included). */
void ir_visit_stmt_exprs(struct ir_stmt *stmt, ir_expr_visitor *visit, void *context);
typedef bool ir_stmt_visitor(struct ir_stmt *stmt, void *context); /* false: do not go below */
void ir_visit_stmts(struct ir_stmt *stmt, ir_stmt_visitor *visit, void *context);

/* Sets address_taken and write_count of the variables in a body (ir_usage.c). */
void ir_note_usage(struct ir_stmt *body);
void ir_note_usage_again(struct ir_function *); /* of a body that has changed */

/* Building expressions after the frontend (plans): ids are UINT32_MAX, places empty. */
struct ir_expr *ir_build_int(struct arena *, int64_t value);
struct ir_expr *ir_build_var(struct arena *, struct ir_var *var);
struct ir_expr *ir_build_builtin(struct arena *, enum ir_builtin builtin);
/* An operand from another place may have an implicit conversion around it, which is not printed.
 * binary, unary, cond and converted replace it by a cast where the new place does not make the same
 * conversion. */
struct ir_expr *ir_build_binary(struct arena *, enum ir_op op, struct ir_expr *left,
                                struct ir_expr *right);
struct ir_expr *ir_build_unary(struct arena *, enum ir_op op, struct ir_expr *operand);
/* left && right, where NULL means true. */
struct ir_expr *ir_build_both(struct arena *, struct ir_expr *left, struct ir_expr *right);
struct ir_expr *ir_build_cond(struct arena *, struct ir_expr *condition, struct ir_expr *yes,
                              struct ir_expr *no);
/* The quotient or remainder `plain`, a / b, which never traps: the value for b = -1 is 0 - a, or 0
 * of a remainder; so is the one for b = 0, for which there is none. */
struct ir_expr *ir_build_safe_quotient(struct arena *, struct ir_expr *plain);
/* `value` converted to `type` (NULL: any type that holds it). NULL stays NULL. */
struct ir_expr *ir_build_converted(struct arena *, struct ir_expr *value,
                                   const struct ir_type *type);

/* The text around an object for a private member of it: (*(T *)((char *)&( and ) + 8)). */
const char *ir_private_before(struct arena *, const struct ir_expr *member);
const char *ir_private_behind(struct arena *, int64_t offset);

/* ---- names in printed text (ir_names.c) ---- */

/* Is the name one of the words of the text? NULL: no text. */
bool ir_text_has_name(const char *text, const char *name);
/* Has the expression a text of its own in print: the name of a function, a type or a constant? */
bool ir_has_text(const struct ir_expr *);
/* The name of the type, or of its element or pointee. */
const char *ir_named_type(const struct ir_type *);
/* Does the body use this name for something other than a local or parameter of the function, or
 * `but` (NULL: none)? */
bool ir_names_other(const struct ir_function *, const char *name, const struct ir_var *but);

/* Stable text of a function for --dump-ir and golden tests (ir_print.c). */
void ir_print_function(struct text *, const struct ir_function *);
void ir_print_expr(struct text *, const struct ir_expr *); /* C-like, one line */
/* Checks the invariants of ir.h (ir_verify.c): NULL, or the first violation (in the arena). */
const char *ir_verify_function(struct arena *, const struct ir_function *);

#endif

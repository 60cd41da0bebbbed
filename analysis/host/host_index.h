/* SPDX-License-Identifier: MIT */
/* host_index.h - the place of every expression and statement of a unit, and the uses and writes of
 * each variable. */
#ifndef MESI_ANALYSIS_HOST_INDEX_H
#define MESI_ANALYSIS_HOST_INDEX_H

#include "translator/ir/unit.h"

struct host_node { /* an expression at its place */
  struct ir_expr *expr;
  struct host_node *parent; /* NULL: stands directly in `stmt`, or is the initialiser of a global */
  unsigned slot;            /* operand number in the parent */
  struct ir_stmt *stmt;     /* the innermost statement; NULL in the initialiser of a global */
  struct ir_function *function; /* NULL in the initialiser of a global */
};

enum host_role { HOST_ROLE_TOP, HOST_ROLE_CHILD, HOST_ROLE_INIT, HOST_ROLE_BODY, HOST_ROLE_ELSE };

struct host_stmt {               /* a statement at its place */
  struct ir_stmt *stmt, *parent; /* parent NULL: the body of the function */
  enum host_role role;
  unsigned slot; /* ROLE_CHILD: position in parent->children */
  struct ir_function *function;
  /* host_stmt_may_launch's answer */
  enum { HOST_LAUNCHES_UNASKED, HOST_LAUNCHES_NEVER, HOST_LAUNCHES_MAYBE } launches;
};

/* The use that the code around an lvalue makes of it. */
enum host_context {
  HOST_READS,    /* its value is used */
  HOST_ASSIGNS,  /* = */
  HOST_MODIFIES, /* compound assignment, ++, -- */
  HOST_TAKES_ADDRESS,
  HOST_BINDS,  /* may be bound to a reference that can change it */
  HOST_OBSCURE /* it is part of a construct that the IR has no form for */
};

struct host_write {       /* gives a variable a value */
  struct host_node *node; /* the ASSIGN or UNARY; NULL: the declaration `stmt` */
  struct ir_stmt *stmt;
  /* The assigned value. NULL: unknown, or a declaration without initialiser. */
  struct ir_expr *value;
  int component; /* 0 .. 2: only .x, .y, .z; -1: all of it */
  bool is_plain; /* the value afterwards is `value` (not for += or ++) */
};

struct host_var { /* all uses and writes of a variable in lowered code */
  struct ir_var *var;
  LIST_OF(struct host_node *) uses; /* VAR expressions */
  LIST_OF(struct host_write) writes;
  bool escapes;      /* its address is taken, it is bound, or its use is obscure */
  bool unseen_known; /* `unseen` holds the answer of host_unseen_use */
  const struct ir_place *unseen;
};

struct host_function {
  struct ir_function *function;
  LIST_OF(struct host_node *) calls; /* CALL expressions with this callee */
  /* CALL, LAUNCH and CONSTRUCT expressions and opaque ones in its body. */
  LIST_OF(struct host_node *) inside;
  LIST_OF(struct ir_stmt *) declarations; /* DECL statements in its body */
  bool by_reference;                      /* a template that may have reference parameters */
  /* host_callers_known's answer */
  enum { HOST_CALLERS_UNASKED, HOST_CALLERS_KNOWN, HOST_CALLERS_UNKNOWN } callers;
  bool has_jumps; /* goto, or case labels below the top level of a switch */
};

struct host_index;

struct host_index *host_index_create(struct unit *);
void host_index_destroy(struct host_index *); /* NULL is fine */

struct unit *host_index_unit(const struct host_index *);
struct arena *host_index_arena(const struct host_index *); /* lives as long as the index */
/* Is a part of the unit nested too deeply? It was not read, so missing uses prove nothing. */
bool host_index_truncated(const struct host_index *);

/* NULL: it is not in the unit. */
struct host_node *host_node_of(const struct host_index *, const struct ir_expr *);
struct host_stmt *host_stmt_of(const struct host_index *, const struct ir_stmt *);
/* NULL: it is never mentioned. */
struct host_var *host_var_of(const struct host_index *, const struct ir_var *);
struct host_function *host_function_of(const struct host_index *, const struct ir_function *);
/* NULL: it is not lowered. */
struct host_node *host_launch_node(const struct host_index *, const struct launch *);

/* Is `inner` the statement `outer`, or part of it? */
bool host_stmt_inside(const struct host_index *, const struct ir_stmt *inner,
                      const struct ir_stmt *outer);
/* The largest lvalue around `node` that is still (a part of) the same object, through parentheses,
 * members and array elements. */
struct host_node *host_lvalue_top(struct host_node *node);
enum host_context host_context_of(const struct host_index *, const struct host_node *top);

/* NULL: lowered host code has every use of the variable by name. Else a place in the text that is
 * not understood: a template, a lambda, a macro, a default argument, a part of the file that is
 * switched off. */
const struct ir_place *host_unseen_use(struct host_index *, const struct ir_var *);
/* Has the function internal linkage, and is every mention of its name a call that the index
 * knows? */
bool host_callers_known(struct host_index *, const struct ir_function *);
/* Is the text at the place the word, or does it begin with it? */
bool host_text_starts(const struct host_index *, const struct ir_place *, const char *word);
/* The function of the unit that an expression names (an argument that is called back). NULL: none,
 * or several. */
struct ir_function *host_named_function(const struct host_index *, const struct ir_expr *);

#endif

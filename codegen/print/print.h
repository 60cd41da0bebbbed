/* SPDX-License-Identifier: MIT */
/* print.h - print: IR as C++ text.
 *
 * It takes expressions, statements and types; a printer says what comes out otherwise than it
 * stands there. Explicit casts, parentheses and literals come out as written, implicit conversions
 * do not; expressions that a plan built get the parentheses that their operators need. Requires
 * expressions and statements of device code: hosts' OPAQUE and LAUNCH forms set `failed`. range.h
 * gives what a launch is given, as host expressions.
 */
#ifndef MESI_CODEGEN_PRINT_H
#define MESI_CODEGEN_PRINT_H

#include <stdbool.h>

#include "translator/base/text.h"
#include "translator/ir/ir.h"

struct printer {
  struct arena *arena;
  struct text *out;
  /* Prints something else for `expr` (with the precedence of a primary expression) and returns
   * true; or NULL. */
  bool (*replace)(struct printer *, const struct ir_expr *expr);
  /* Another name for a variable, NULL to keep its own; or NULL. */
  const char *(*rename)(struct printer *, const struct ir_var *var);
  /* Prints what stands before `expr` where a call is put around it and returns what stands behind;
   * NULL: nothing. */
  const char *(*wrap)(struct printer *, const struct ir_expr *expr);
  /* Prints what follows the declaration of a shared variable; or NULL. */
  void (*declared)(struct printer *, const struct ir_var *var);
  void *instrumentation; /* of the two above */
  /* Leaves a statement out; or NULL. */
  bool (*skip)(struct printer *, const struct ir_stmt *stmt);
  /* Prints what comes first in the body of the loop `entered`; or NULL. */
  void (*enter)(struct printer *, const struct ir_stmt *loop);
  const struct ir_stmt *entered;
  const struct ir_stmt
      *unrolled; /* a loop that gets "#pragma unroll 4" where the source says nothing; NULL: none */
  void *context; /* of replace, rename, skip and enter */
  bool failed;   /* something could not be printed */

  /* ---- statements ---- */
  unsigned indent; /* of two spaces */
  unsigned line;   /* source line of the line that is being written; 0: not known */
  /* line of the last statement when the next may stand beside it, else 0 */
  unsigned joined_line;
  const char *file;        /* for #line, as a string literal; NULL: no #line */
  const char *source;      /* text of the function's file */
  const char *return_text; /* in the place of `return;`, e.g. "goto done;"; NULL: as it is */
  bool returned;           /* return_text was used */
  bool target_cpu;         /* extern __shared__ arrays become references */
  bool waits;              /* loops may wait for other threads: emit_waits.c */
};

/* emit_expr.c */
/* as an initialiser or argument: a comma gets parentheses */
void print_expr(struct printer *, const struct ir_expr *);
/* parentheses when it binds less */
void print_expr_at(struct printer *, const struct ir_expr *, int precedence);
void print_var(struct printer *, const struct ir_var *, const char *written);
/* The name, or the member that a part of a parameter is. */
const char *print_var_text(struct arena *, const struct ir_var *);

/* emit_decl.c */
/* "float (*p)[4]" of a type and "p". */
const char *print_declaration(struct arena *, const struct ir_type *, const char *name);
/* Only the declarator, "(*p)[4]"; *ret_base is the type before it. */
const char *print_declarator(struct arena *, const struct ir_type *, const char *name,
                             const struct ir_type **ret_base);
/* The type's spelling without const at the top level. */
const char *print_plain_type(struct arena *, const struct ir_type *);

/* emit_stmt.c */
void print_line(struct printer *); /* a new line with the indentation */
void print_text_line(struct printer *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void print_stmt(struct printer *, const struct ir_stmt *);
/* for the CPU: as a reference */
void print_dynamic_shared(struct printer *, const struct ir_var *);

#endif

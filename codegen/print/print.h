/* SPDX-License-Identifier: MIT */
/* print.h - print: IR as C++ text.
 *
 * The room takes expressions, statements and types; the hooks of a printer change the output.
 * Explicit casts, parentheses and literals are printed as written, implicit conversions are not.
 * Expressions that a plan built get the parentheses that their operators need. Requires expressions
 * and statements of device code: hosts' OPAQUE and LAUNCH forms set `failed`. range.h gives the
 * values of a launch as host expressions.
 */
#ifndef MESI_CODEGEN_PRINT_H
#define MESI_CODEGEN_PRINT_H

#include <stdbool.h>

#include "translator/base/text.h"
#include "translator/ir/ir.h"

struct printer {
  struct arena *arena;
  struct text *out;
  /* Prints a replacement of `expr` (with the precedence of a primary expression) and returns true.
   * May be NULL. */
  bool (*replace)(struct printer *, const struct ir_expr *expr);
  /* Another name for a variable; NULL keeps its own. May be NULL. */
  const char *(*rename)(struct printer *, const struct ir_var *var);
  /* Prints the text before `expr` where a call is put around it, and returns the text after it;
   * NULL: no call. */
  const char *(*wrap)(struct printer *, const struct ir_expr *expr);
  /* Prints the text after the declaration of a shared variable. May be NULL. */
  void (*declared)(struct printer *, const struct ir_var *var);
  void *instrumentation; /* for the two above */
  /* Prints the first text in the body of the loop `entered`. May be NULL. */
  void (*enter)(struct printer *, const struct ir_stmt *loop);
  const struct ir_stmt *entered;
  const struct ir_stmt
      *unrolled; /* a loop that gets "#pragma unroll 4" where the source says nothing; NULL: none */
  void *context; /* for replace, rename and enter */
  bool failed;   /* something could not be printed */

  /* ---- statements ---- */
  unsigned indent; /* of two spaces */
  unsigned line;   /* source line of the line that is being written; 0: unknown */
  /* line of the last statement where the next may be on the same line, otherwise 0 */
  unsigned joined_line;
  const char *file;        /* for #line, as a string literal; NULL: no #line */
  const char *source;      /* text of the function's file */
  const char *return_text; /* replaces `return;`, e.g. "goto done;"; NULL: nothing does */
  bool returned;           /* return_text was used */
  bool target_cpu;         /* extern __shared__ arrays become references */
  bool waits;              /* loops may wait for other threads: emit_waits.c */
};

/* emit_expr.c */
/* as an initialiser or argument: a comma gets parentheses */
void print_expr(struct printer *, const struct ir_expr *);
/* in parentheses where its operator binds less */
void print_expr_at(struct printer *, const struct ir_expr *, int precedence);
void print_var(struct printer *, const struct ir_var *, const char *written);
/* The name, or for a part of a parameter the member. */
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

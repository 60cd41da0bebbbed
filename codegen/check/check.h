/* SPDX-License-Identifier: MIT */
/* check.h - check: instrumentation of device code for --check.
 *
 * The room takes device functions with IR. It gives their bodies as text in which each lvalue that
 * is read or written goes through a call that returns the lvalue:
 *
 *     s[t + 1] = a[i];
 *   => mesi_check::write(s[mesi_check::index(t + 1, 64, X)], X) = mesi_check::read(a[i], X);
 *
 * X is the address of the access's entry in the file's table of sites, which the room gives for the
 * epilogue. The room `kernel` has its printed bodies instrumented by check_printer.
 */
#ifndef MESI_CODEGEN_CHECK_H
#define MESI_CODEGEN_CHECK_H

#include "codegen/print/print.h"
#include "codegen/text/source.h"

enum check_use { /* the use of an lvalue */
                 /* no access: a part of a longer lvalue, discarded, or memory that threads do not
                    share */
                 CHECK_NOTHING,
                 CHECK_READ,
                 CHECK_WRITE,
                 CHECK_UPDATE,
                 CHECK_ADDRESS /* its address is taken, or a reference is bound to it */
};

enum check_call { /* the kind of a call, or of the call that gets the pointer */
                  CHECK_CALL_NONE,
                  CHECK_CALL_ATOMIC,   /* pointer of an atomic function that uses the old value */
                  CHECK_CALL_EXCHANGE, /* of one that does not */
                  CHECK_CALL_LOAD,
                  CHECK_CALL_STORE,
                  CHECK_CALL_COPY_TO, /* pointers of a plan's copy, see mesi_copy_async */
                  CHECK_CALL_COPY_FROM,
                  /* of memory in a plan's helper that loads or stores 16 bytes or elements of them,
                   * see mesi_lane_store */
                  CHECK_CALL_PLACE,
                  CHECK_CALL_FENCE,
                  CHECK_CALL_WAIT,   /* a barrier or a warp operation */
                  CHECK_CALL_UNKNOWN /* of a function whose accesses are not visible */
};

struct check_mark {   /* of an expression */
  unsigned char use;  /* enum check_use; READ, WRITE or UPDATE: wrap it */
  unsigned char call; /* enum check_call */
  /* enum check_use of `member`: a bit-field or packed member, to which no reference can be bound */
  unsigned char part;
  bool relaxed; /* the index may be the extent: the address is taken */
  bool local;   /* the indexed array is a thread's own */
  /* the INDEX expression with a known extent that has this index; NULL: none */
  const struct ir_expr *indexed;
  /* the MEMBER expression whose object (or the pointer to it) this is, see `part` */
  const struct ir_expr *member;
};

struct check_marks { /* of a function */
  struct ir_function *function;
  struct check_mark *items;              /* by expression id */
  bool any;                              /* the function has something to instrument */
  LIST_OF(struct ir_function *) unknown; /* called functions whose accesses are not visible */
};

/* check_mark.c. Requires a function with IR. */
const struct check_marks *mark_accesses(struct arena *, struct ir_function *);
/* The variable at the start of an lvalue, through pointers too; NULL: none. */
const struct ir_var *check_root(const struct ir_expr *);

struct check_site { /* a place in the source */
  const struct ir_place *place;
  const char *text; /* the access as written, one line */
  const char *variable;
  bool shared; /* the lvalue is an element of a shared variable */
};

struct checked_function {
  struct codegen *cg;
  const struct check_marks *marks;
  /* Another name for the accessed object (a staged copy), or NULL to keep it. The hook may be
   * NULL. */
  const char *(*alias)(void *context, const struct ir_expr *expr);
  void *alias_context;
  const char **sites; /* by expression id, added when needed */
};

struct check_state { /* the state of one codegen_unit call; NULL there: without --check */
  const char *table; /* name of the table of sites */
  LIST_OF(struct check_site) sites;
  const struct check_marks **marks; /* by function id; NULL: no IR */
  const char **kept; /* by function id: why it is not instrumented, where that matters; NULL */
};

/* emit_check.c */
void emit_check(struct codegen *);
/* Makes the printer instrument the function's statements. */
void check_printer(struct checked_function *, struct printer *);
/* Adds a site, and returns "&table[5]". */
const char *check_site(struct codegen *, struct check_site);
/* For the CPU, at the head of a printed body: references for the dynamic shared arrays at namespace
 * scope that the function names, and with --check the announcements of other shared variables. */
void print_shared_references(struct codegen *, const struct ir_function *, struct printer *);
/* The text after the declaration of a shared array `name`, " mesi_check::shared(...);". */
const char *check_shared_text(struct codegen *, const char *name);

/* emit_check_tables.c */
void emit_check_head(struct codegen *, struct text *out);
void emit_check_epilogue(struct codegen *, struct text *out);

#endif

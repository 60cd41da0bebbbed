/* SPDX-License-Identifier: MIT */
/* variable.h - variable: the names of virtual shared (VS) variables, and their uses in device code.
 *
 * The room takes the unit's VS variables. It gives each the names of its device pointer and its
 * storage, and the names that host code and printed bodies use. It edits the bodies of kernels and
 * device functions whose text stays, so that they reach the device copy.
 */
#ifndef MESI_CODEGEN_VARIABLE_H
#define MESI_CODEGEN_VARIABLE_H

#include "codegen/print/print.h"
#include "codegen/text/source.h"

struct vs_names { /* the names of one VS variable; kept at the id of its defining declarator */
  struct vs_var *definition; /* or the first declarator when it is defined in another file */
  const char *pointer;       /* _d_a, in the variable's scope */
  const char *store;         /* _vs_a; NULL when it is defined in another file */
  const char *alias;         /* _h_a, a reference to it in its scope; NULL: none is needed */
  bool namesake; /* another entity has the variable's name, or the source qualifies it */
  bool plain;    /* a const variable: storage as in the source, no pages of its own */
  bool declared; /* the pointer's declaration is in the edits */
  /* the storage is in the edits, with the initialiser; otherwise it goes into the epilogue */
  bool stored;
  bool in_table;
  unsigned index; /* in the table of variables */
};

/* names.c */
void emit_vs_names(struct codegen *);
struct vs_names *vs_names_of(struct codegen *, const struct ir_var *);
const char *ascii_name(struct arena *, const char *name);
bool vs_type_is_unnamed(const struct vs_var *); /* it cannot be used outside the file */

/* vs_name.c */
/* The names that a unit gives to entities, and its texts after each "::". */
struct namesakes {
  struct named {
    const char *name;
    const void *object;
  } * named;
  unsigned named_count;
  LIST_OF(const char *) qualified;
};
void collect_namesakes(struct codegen *, struct namesakes *ret); /* in the codegen's arena */
void find_namesakes(struct codegen *, const struct namesakes *, struct vs_names *);
/* The variable's name in host code where no local hides it, and its type by that name. */
const char *vs_global_name(struct codegen *, const struct vs_var *);
const char *vs_type_text(struct codegen *, const struct vs_var *);

/* emit_use.c: VS variables in kernels and device functions */
void emit_vs_uses(struct codegen *);
/* The form in which `function` reaches the device copy of a variable: _d_a, ns::_d_a. */
const char *vs_pointer_in(struct codegen *, const struct ir_function *, struct vs_names *);
/* Does a parameter or local of the function's outermost block hide the variable's name there? */
bool vs_name_hidden(const struct ir_function *, const struct vs_var *);
/* Does the function use another VS variable of the same name, which the plain name means? */
bool vs_loses_name(const struct ir_function *, const struct vs_var *);

/* The name of a VS variable in the printed body of `function`: a, or (*_d_a). */
const char *vs_printed_name(struct codegen *, const struct ir_function *, const struct ir_var *);
/* Prints the references for such names, "auto &a = *_d_a;", a line each. */
void print_vs_references(struct codegen *, const struct ir_function *, struct printer *);

#endif

/* SPDX-License-Identifier: MIT */
/* host_form.h - integer expressions of host code as sums that hold where an announcement stands. */
#ifndef MESI_ANALYSIS_HOST_FORM_H
#define MESI_ANALYSIS_HOST_FORM_H

#include "analysis/host/host_index.h"

enum { FORM_TERMS = 6 };

struct form_term {
  int64_t coefficient;
  /* an integer that can be evaluated in front of the statement; or an iterator */
  const struct ir_expr *leaf;
  const struct ir_stmt *loop; /* the FOR whose iterator it is; NULL: a leaf */
  /* leaf NULL: the bytes from the start of the object to where this pointer points */
  const struct ir_var *pointer;
};

struct form { /* constant + sum of coefficient * value */
  int64_t constant;
  struct form_term terms[FORM_TERMS];
  unsigned count;
};

struct form_place { /* where the value is to hold */
  struct host_index *index;
  const struct ir_stmt *front; /* the form is evaluated in front of this statement */
  const struct host_node *use; /* what is evaluated in it */
};

/* The value of an integer expression; iterators of loops in `front` are terms of their own. false:
 * not known. */
bool form_of(const struct form_place *, const struct ir_expr *, struct form *ret);
/* Bytes from the start of the VS variable that an lvalue or pointer expression leads to. */
bool form_of_lvalue(const struct form_place *, const struct ir_expr *, struct form *ret);
bool form_of_pointer(const struct form_place *, const struct ir_expr *, struct form *ret);
/* Bytes from one pointer to another of the same object, whichever that is. */
bool form_of_distance(const struct form_place *, const struct ir_expr *first,
                      const struct ir_expr *last, struct form *ret);
/* The least or the greatest value over all iterations. */
bool form_extreme(const struct form_place *, const struct form *, bool greatest, struct form *ret);
/* How often the canonical loop runs, when that is constant. */
bool form_trips(const struct ir_stmt *loop, int64_t *ret);
bool form_add(struct form *into, const struct form *, int64_t times); /* false: does not fit */
bool form_same_terms(const struct form *, const struct form *);
/* Takes the bytes to where a pointer points out of a form that has them once; the pointer. NULL: it
 * has not. */
const struct ir_var *form_take_pointer(struct form *);
/* The sum in long long: every leaf is converted first, 64-bit ones limited to what an object's
 * bytes can be. */
struct ir_expr *form_lower(struct arena *, const struct form *, const struct ir_var *object);

#endif

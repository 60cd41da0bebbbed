/* SPDX-License-Identifier: MIT */
/* host_form.h - integer expressions of host code as sums that hold at the place of an
 * announcement. */
#ifndef MESI_ANALYSIS_HOST_FORM_H
#define MESI_ANALYSIS_HOST_FORM_H

#include "analysis/host/host_index.h"

enum { FORM_TERMS = 6 };

struct form_term {
  int64_t coefficient;
  /* An integer that can be evaluated in front of the statement, or an iterator. */
  const struct ir_expr *leaf;
  const struct ir_stmt *loop; /* the FOR with this iterator; NULL: a leaf */
  /* If leaf is NULL: the bytes from the start of the object to the target of this pointer. */
  const struct ir_var *pointer;
};

struct form { /* constant + sum of coefficient * value */
  int64_t constant;
  struct form_term terms[FORM_TERMS];
  unsigned count;
};

struct form_place { /* the place where the value must hold */
  struct host_index *index;
  const struct ir_stmt *front; /* the form is evaluated in front of this statement */
  const struct host_node *use; /* the expression that is evaluated in it */
};

/* The form of an integer expression; iterators of loops in `front` are terms of their own. False:
 * not known. */
bool form_of(const struct form_place *, const struct ir_expr *, struct form *ret);
/* The bytes from the start of the VS variable to the target of an lvalue or pointer expression. */
bool form_of_lvalue(const struct form_place *, const struct ir_expr *, struct form *ret);
bool form_of_pointer(const struct form_place *, const struct ir_expr *, struct form *ret);
/* The bytes from one pointer to another into the same object, whichever object that is. */
bool form_of_distance(const struct form_place *, const struct ir_expr *first,
                      const struct ir_expr *last, struct form *ret);
/* The least or the greatest value over all iterations. */
bool form_extreme(const struct form_place *, const struct form *, bool greatest, struct form *ret);
/* The trip count of the canonical loop, if it is constant. */
bool form_trips(const struct ir_stmt *loop, int64_t *ret);
bool form_add(struct form *into, const struct form *, int64_t times); /* false: no room */
bool form_same_terms(const struct form *, const struct form *);
/* Removes the term of a pointer from a form that has exactly one with coefficient 1, and returns
 * the pointer. NULL: the form has no such term. */
const struct ir_var *form_take_pointer(struct form *);
/* The sum in long long. Every leaf is converted first; 64-bit ones are limited to the possible
 * bytes of an object. */
struct ir_expr *form_lower(struct arena *, const struct form *, const struct ir_var *object);

#endif

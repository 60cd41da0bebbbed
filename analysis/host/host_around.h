/* SPDX-License-Identifier: MIT */
/* host_around.h - the code around a use of a variable in host code, judged by the tree alone. */
#ifndef MESI_ANALYSIS_HOST_AROUND_H
#define MESI_ANALYSIS_HOST_AROUND_H

#include "analysis/host/host_index.h"

bool host_is_scalar(const struct ir_type *);
/* Is the type, or that of its elements, a pointer or a structure with pointers? */
bool host_type_has_pointers(const struct ir_type *);
/* Is it a container of the library that copies the elements of a range of pointers? */
bool host_is_container(const struct ir_type *);

/* `top` as from host_lvalue_top. */
bool host_is_plain_copy(const struct host_node *top);
bool host_outlives_call(const struct host_node *top);
bool host_is_value_of_opaque(const struct host_node *top);

/* Is the parent of `node` a part of it: an element of an array, a member? */
bool host_is_reached_lvalue(const struct host_node *node);
bool host_is_stored_pointer(const struct host_node *node);
/* The other variable of std::swap. NULL: there is none, or it is no variable. */
const struct ir_var *host_swapped_with(const struct host_node *use);

#endif

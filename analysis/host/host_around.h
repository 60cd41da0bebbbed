/* SPDX-License-Identifier: MIT */
/* host_around.h - what stands around a use of a variable in host code, by the tree alone. */
#ifndef MESI_ANALYSIS_HOST_AROUND_H
#define MESI_ANALYSIS_HOST_AROUND_H

#include "analysis/host/host_index.h"

bool host_is_scalar(const struct ir_type *);
/* The type, or that of its elements, is a pointer or a structure with pointers. */
bool host_type_has_pointers(const struct ir_type *);
/* A container of the library that copies what a range of pointers leads to. */
bool host_is_container(const struct ir_type *);

/* `top` as of host_lvalue_top. */
bool host_is_plain_copy(const struct host_node *top);
bool host_outlives_call(const struct host_node *top);
bool host_is_value_of_opaque(const struct host_node *top);

/* The parent of `node` is a part of it: an element of an array, a member. */
bool host_is_reached_lvalue(const struct host_node *node);
bool host_is_stored_pointer(const struct host_node *node);
/* The other variable of std::swap; NULL: it is none, or no variable. */
const struct ir_var *host_swapped_with(const struct host_node *use);

#endif

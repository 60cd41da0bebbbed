/* SPDX-License-Identifier: MIT */
/* host_calls.h - the effects of well-known library functions on the memory that their arguments
 * point to. */
#ifndef MESI_ANALYSIS_HOST_CALLS_H
#define MESI_ANALYSIS_HOST_CALLS_H

#include <stdbool.h>

#include "translator/ir/ir.h"

enum host_result {
  HOST_RESULT_NONE,
  HOST_RESULT_ARG0,
  HOST_RESULT_ARG2,
  HOST_RESULT_FRESH,
  HOST_RESULT_VS
};

struct host_call {
  const char *name;
  /* The origin of the pointer that it returns: unrelated, argument 0 or 2, new memory, a new VS
   * object. */
  enum host_result result;
  /* A letter for each, as in host_calls.def; the last one counts for all that follow. */
  const char *arguments;
};

/* Finds a function by the callee as written, without "std::" and "::" in front. NULL: the table
 * does not have it. */
const struct host_call *host_call_find(const char *callee);
/* The same for a call: only for functions of system headers that are called by name. */
const struct host_call *host_call_of(const struct ir_expr *call);
/* Is it a call through a pointer? Its last operand is the callee. */
bool host_calls_pointer(const struct ir_expr *call);
/* the argument that its result points into; -1: none */
int host_call_returns(const struct host_call *);
char host_call_letter(const struct host_call *, unsigned argument); /* '-' where there is none */
/* The MESI_READ and MESI_WRITE bits for the memory at an argument: accesses in user space or
 * outside it. */
unsigned host_letter_access(char letter);
/* The same only for accesses by the operating system or a driver, which page guards do not
 * catch. */
unsigned host_letter_kernel_access(char letter);
/* Is it a standard library name that touches memory only in user space, starts no kernel and waits
 * for no thread? */
bool host_call_is_standard(const char *callee);
/* Is the type, by its spelling, a class of the standard library for which the same holds? */
bool host_type_is_standard(const struct ir_type *);
bool host_type_is_dim3(const struct ir_type *);

#endif

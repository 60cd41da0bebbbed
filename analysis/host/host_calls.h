/* SPDX-License-Identifier: MIT */
/* host_calls.h - what well-known library functions do with the memory their arguments point to. */
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
  /* the pointer it returns: unrelated, into argument 0 or 2, new memory, a new VS object */
  enum host_result result;
  /* a letter each, as in host_calls.def; the last one stands for all that follow */
  const char *arguments;
};

/* By the callee as written, "std::" and "::" in front ignored; NULL: not a function the table has.
 */
const struct host_call *host_call_find(const char *callee);
/* The same for a call: only for functions of system headers, called by name. */
const struct host_call *host_call_of(const struct ir_expr *call);
/* A call through a pointer: the last operand is what is called. */
bool host_calls_pointer(const struct ir_expr *call);
/* the argument that its result points into; -1: none */
int host_call_returns(const struct host_call *);
char host_call_letter(const struct host_call *, unsigned argument); /* '-' where there is none */
/* MESI_READ and MESI_WRITE bits of what the function does to the memory at an argument, in user
 * space or not. */
unsigned host_letter_access(char letter);
/* The same for what only the operating system or a driver does: page guards do not catch it. */
unsigned host_letter_kernel_access(char letter);
/* A standard library name that touches memory only in user space, and starts no kernel and waits
 * for no thread. */
bool host_call_is_standard(const char *callee);
/* A class of the standard library of which the same holds, by the spelling of a type. */
bool host_type_is_standard(const struct ir_type *);
bool host_type_is_dim3(const struct ir_type *);

#endif

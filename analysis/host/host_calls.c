/* SPDX-License-Identifier: MIT */
/* host_calls.c - look-up in the table of library functions and the rules for standard names. */
#include "analysis/host/host_calls.h"

#include <string.h>

enum { READ = 1, WRITE = 2 }; /* as mesi.h */

static const struct host_call calls[] = {
#define CALL(name, result, arguments) {#name, HOST_RESULT_##result, arguments},
#define ALGORITHM(name, result, arguments)
#include "analysis/host/host_calls.def"
#undef CALL
#undef ALGORITHM
};

static const struct host_call algorithms[] = {
#define CALL(name, result, arguments)
#define ALGORITHM(name, result, arguments) {#name, HOST_RESULT_##result, arguments},
#include "analysis/host/host_calls.def"
#undef CALL
#undef ALGORITHM
};

static const char *after(const char *text, const char *prefix)
{
  size_t length = strlen(prefix);
  return strncmp(text, prefix, length) == 0 ? text + length : text;
}

/* The name of a plain function. NULL: f<int>, x.f, (*f), or a name in another namespace. */
static const char *plain_name(const char *callee)
{
  if (!callee) return NULL;
  const char *name = after(after(callee, "::"), "std::");
  return strpbrk(name, ":.<>-()[]* ") ? NULL : name;
}

static const struct host_call *find_in(const struct host_call *table, size_t count,
                                       const char *name)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp(table[i].name, name) == 0) return &table[i];
  return NULL;
}

const struct host_call *host_call_find(const char *callee)
{
  const char *name = plain_name(callee);
  if (!name) return NULL;
  bool is_std = strncmp(after(callee, "::"), "std::", 5) == 0;
  const struct host_call *algorithm =
      is_std ? find_in(algorithms, sizeof algorithms / sizeof *algorithms, name) : NULL;
  return algorithm ? algorithm : find_in(calls, sizeof calls / sizeof *calls, name);
}

int host_call_returns(const struct host_call *call)
{
  return call->result == HOST_RESULT_ARG0 ? 0 : call->result == HOST_RESULT_ARG2 ? 2 : -1;
}

bool host_calls_pointer(const struct ir_expr *call)
{
  if (call->callee || call->is_method || !call->operand_count) return false;
  const struct ir_expr *last = call->operands[call->operand_count - 1];
  if (last->type->kind == IR_TYPE_OTHER) return true;
  bool pointer = last->type->kind == IR_TYPE_POINTER || last->kind == IR_EXPR_OPAQUE ||
                 last->kind == IR_EXPR_VAR;
  return pointer && last->place.begin == call->place.begin && last->place.end > last->place.begin;
}

const struct host_call *host_call_of(const struct ir_expr *call)
{
  bool named =
      call->kind == IR_EXPR_CALL && !call->is_method && !call->callee && !host_calls_pointer(call);
  return named ? host_call_find(call->text) : NULL;
}

char host_call_letter(const struct host_call *call, unsigned argument)
{
  size_t length = strlen(call->arguments);
  if (length == 0) return '-';
  return call->arguments[argument < length ? argument : length - 1];
}

unsigned host_letter_access(char letter)
{
  switch (letter) {
  case 'r':
  case 'R':
  case 's':
  case 'k':
  case 'v':
  case 'V':
  case 'g':
  case 'G': return READ;
  case 'h':
  case 'H': /* the received lengths */
  /* it may be a part: the rest must be valid */
  case 'w':
  case 'W':
  case 'm':
  case 'M':
  case 'K':
  case 'p': return READ | WRITE;
  default: return 0;
  }
}

unsigned host_letter_kernel_access(char letter)
{
  switch (letter) {
  case 'R':
  case 's':
  case 'v':
  case 'g':
  case 'h': return READ;
  case 'W':
  case 'M':
  case 'K':
  case 'k':
  case 'V':
  case 'G':
  case 'H': return READ | WRITE;
  default: return 0;
  }
}

static bool has_any(const char *text, const char *const *words)
{
  for (; *words; words++)
    if (strstr(text, *words)) return true;
  return false;
}

/* Names of the library with which other threads get to run, or foreign code is called. */
static const char *const waiting[] = {"lock",     "mutex",     "thread",   "async", "future",
                                      "promise",  "condition", "barrier",  "latch", "semaphore",
                                      "atomic",   "function",  "invoke",   "apply", "call_once",
                                      "for_each", "transform", "generate", "task",  NULL};

bool host_call_is_standard(const char *callee)
{
  if (!callee) return false;
  const char *name = after(callee, "::");
  return strncmp(name, "std::", 5) == 0 && !has_any(name, waiting);
}

bool host_type_is_standard(const struct ir_type *type)
{
  if (!type) return false;
  const char *name = after(type->spelling, "const ");
  name = after(after(name, "class "), "struct ");
  return strncmp(name, "std::", 5) == 0 && !has_any(name, waiting) &&
         !strstr(name, "reference_wrapper") && !strpbrk(name, "&");
}

bool host_type_is_dim3(const struct ir_type *type)
{
  if (!type || type->kind != IR_TYPE_RECORD) return false;
  const char *name = after(after(type->spelling, "const "), "struct ");
  return strcmp(name, "dim3") == 0 || strcmp(name, "uint3") == 0;
}

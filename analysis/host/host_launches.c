/* SPDX-License-Identifier: MIT */
/* host_launches.c - the smallest set of functions that is closed under "calls one that may launch".
 *
 *     void step() { k<<<1, 32>>>(); }    may launch
 *     void run()  { step(); }            may launch
 *     void show() { printf("%d", n); }   does not
 *
 * Requires the host index. These may launch: a launch; a call through a pointer; a function without
 * a body here that is no library function; a library function that gets a function which may
 * launch, or that waits for other threads; constructors and destructors of classes with methods
 * that may launch. Iterates to the fixed point.
 */
#include "analysis/host/host_launches.h"

#include <string.h>

#include "analysis/host/host_calls.h"
#include "analysis/host/host_internal.h"
#include "runtime/seeded.h"

static const char *const waiting[] = {"lock",           "mutex",
                                      "thread",         "join",
                                      "wait",           "barrier",
                                      "sem_",           "async",
                                      "future",         "promise",
                                      "cond_",          "latch",
                                      "semaphore",      "LaunchKernel",
                                      "LaunchHostFunc", "StreamAddCallback",
                                      "GraphLaunch",    "invoke",
                                      "signal",         "fork",
                                      "atexit",         NULL};

static bool waits(const char *name)
{
  for (const char *const *word = waiting; *word; word++)
    if (strstr(name, *word)) return true;
  return false;
}

/* ---- classes ---- */

static bool is_method_of(const struct ir_function *function, const char *class_name)
{
  size_t length = strlen(class_name);
  return function->is_method && !strncmp(function->qualified, class_name, length) &&
         !strncmp(function->qualified + length, "::", 2);
}

/* May code of the class launch? Its constructors, destructors and conversions run without a visible
 * call. */
static bool class_may_launch(const struct host_index *index, const struct ir_type *type)
{
  while (type->kind == IR_TYPE_ARRAY) type = type->element;
  if (type->kind != IR_TYPE_RECORD || type->is_unnamed) return false;
  if (host_type_is_dim3(type) || host_type_is_standard(type)) return false;
  const char *name =
      strncmp(type->spelling, "const ", 6) == 0 ? type->spelling + 6 : type->spelling;
  if (strpbrk(name, "<") || !strncmp(name, "std::", 5)) return true;
  const struct unit *unit = host_index_unit(index);
  for (unsigned i = 0; i < unit->functions.count; i++)
    if (is_method_of(unit->functions.items[i], name) && unit->functions.items[i]->may_launch)
      return true;
  return false;
}

/* ---- calls ---- */

static bool method_may_launch(const struct host_index *index, const struct ir_function *callee)
{
  const struct unit *unit = host_index_unit(index);
  for (unsigned i = 0; i < unit->functions.count; i++) {
    const struct ir_function *other = unit->functions.items[i];
    if (!other->is_method || strcmp(other->name, callee->name) != 0) continue;
    if (other->may_launch || host_text_starts(index, &other->place, "virtual")) return true;
  }
  return callee->may_launch;
}

static bool callback_may_launch(const struct host_index *index, const struct ir_expr *call)
{
  for (unsigned i = 0; i < call->operand_count; i++) {
    const struct ir_expr *argument = call->operands[i];
    while (argument->operand_count == 1 &&
           (argument->kind == IR_EXPR_CONVERT || argument->kind == IR_EXPR_PAREN ||
            argument->kind == IR_EXPR_CAST || argument->kind == IR_EXPR_UNARY))
      argument = argument->operands[0];
    const struct ir_type *type = argument->type;
    bool callable = type->kind == IR_TYPE_OTHER ||
                    (type->kind == IR_TYPE_RECORD && type->is_unnamed) ||
                    (type->kind == IR_TYPE_POINTER && type->element->kind == IR_TYPE_OTHER);
    /* a lambda here: its body is visited */
    if (!callable || host_text_starts(index, &argument->place, "[")) continue;
    if (argument->kind == IR_EXPR_OPAQUE && argument->operand_count > 0) continue; /* the same */
    const struct ir_function *named = host_named_function(index, argument);
    if (!named || named->may_launch) return true;
  }
  return false;
}

static bool library_call_may_launch(const struct host_index *index, const struct ir_expr *call)
{
  const char *name = call->text;
  if (call->effect == IR_EFFECT_NONE || call->effect == IR_EFFECT_PRINT) return false;
  if (host_call_of(call)) return callback_may_launch(index, call);
  if (host_calls_pointer(call) || !*name || waits(name) || !strcmp(name, "operator()")) return true;
  if (call->is_method) {
    const struct ir_type *object = call->operand_count ? call->operands[0]->type : NULL;
    if (object && object->kind == IR_TYPE_POINTER) object = object->element;
    if (!host_type_is_standard(object)) return true;
  }
  return callback_may_launch(index, call);
}

static bool call_may_launch(const struct host_index *index, const struct ir_expr *call)
{
  const struct ir_function *callee = call->callee;
  if (!callee) return library_call_may_launch(index, call);
  return callee->is_method ? method_may_launch(index, callee)
                           : callee->may_launch && !SEEDED(LAUNCH_IN_CALLEE_MISSED);
}

bool host_expr_may_launch(const struct host_index *index, const struct host_node *node)
{
  switch (node->expr->kind) {
  case IR_EXPR_LAUNCH: return true;
  case IR_EXPR_CALL: return call_may_launch(index, node->expr);
  case IR_EXPR_CONSTRUCT: return class_may_launch(index, node->expr->type);
  case IR_EXPR_OPAQUE:
    return host_text_starts(index, &node->expr->place, "new") &&
           node->expr->type->kind == IR_TYPE_POINTER &&
           class_may_launch(index, node->expr->type->element);
  default: return false;
  }
}

/* ---- statements ---- */

static bool may_launch_inside(const struct host_index *index, const struct ir_stmt *stmt,
                              const struct ir_function *function)
{
  const struct host_function *entry = host_function_of(index, function);
  for (unsigned i = 0; i < entry->inside.count; i++)
    if (host_stmt_inside(index, entry->inside.items[i]->stmt, stmt) &&
        host_expr_may_launch(index, entry->inside.items[i]))
      return true;
  for (unsigned i = 0; i < entry->declarations.count; i++)
    if (host_stmt_inside(index, entry->declarations.items[i], stmt) &&
        class_may_launch(index, entry->declarations.items[i]->var->type))
      return true;
  return false;
}

bool host_stmt_may_launch(const struct host_index *index, const struct ir_stmt *stmt,
                          const struct ir_function *function)
{
  struct host_stmt *place = index->launches_known ? host_stmt_of(index, stmt) : NULL;

  if (place && place->function != function) place = NULL;
  if (place && place->launches) return place->launches == HOST_LAUNCHES_MAYBE;
  bool may = may_launch_inside(index, stmt, function);
  if (place) place->launches = may ? HOST_LAUNCHES_MAYBE : HOST_LAUNCHES_NEVER;
  return may;
}

/* ---- functions ---- */

static bool starts_unknown(const struct ir_function *function)
{
  if (function->body || (function->is_device && !function->is_host)) return false;
  return true;
}

static bool body_may_launch(const struct host_index *index, const struct ir_function *function)
{
  return function->body && host_stmt_may_launch(index, function->body, function);
}

void host_launches_analyze(struct host_index *index, struct unit *unit)
{
  for (unsigned i = 0; i < unit->functions.count; i++) {
    struct ir_function *function = unit->functions.items[i];
    if (function->is_host && starts_unknown(function)) function->may_launch = true;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < unit->functions.count; i++) {
      struct ir_function *function = unit->functions.items[i];
      if (function->may_launch || !function->is_host || !body_may_launch(index, function)) continue;
      function->may_launch = changed = true;
    }
  }
  index->launches_known = true;
}

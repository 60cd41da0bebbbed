/* SPDX-License-Identifier: MIT */
/* launch_parts.c - decides which launches may go out in parts, each over a run of blocks.
 *
 *     scale<<<n / 256, 256>>>(a, b, n);     block i reads 1 KB of a and writes 1 KB of b: parts
 *         along x
 *
 * A part is a launch of the same code, with blockIdx counted on and the same gridDim. Blocks of a
 * CUDA kernel may run in any order, so one part may run after the other. Kernels that assume more
 * have no parts: those with a grid-wide barrier, with fences and volatile accesses (by which blocks
 * wait for one another), or with an atomic operation whose result is used (a lock, a queue, a
 * ticket). Only the launch knows whether there is enough to move. Where the sizes of the objects
 * are known and small there are no parts at all.
 *
 * Requires: facts and ranges of the launch. Produces: the data from which codegen emits a kernel
 * once for all launches that share it. Gives up with a reason.
 */
#include "analysis/plan/launch/launch_parts.h"

#include <string.h>

enum { LEAST_BYTES = 4 << 20 }; /* as the runtime's: smaller copies move in one piece */
enum { DEPTH = 16 };            /* of calls */
#define MOST_GAIN 3.0           /* the most gain of another mapping that parts may give up */

/* ---- the axis ---- */

struct mention {
  int builtin; /* the first of three */
  bool axes[3];
};

static void note_mention(struct ir_expr *expr, void *context)
{
  struct mention *mention = context;

  if (expr->kind == IR_EXPR_BUILTIN && expr->value >= mention->builtin &&
      expr->value < mention->builtin + 3)
    mention->axes[expr->value - mention->builtin] = true;
}

/* The outermost axis in use: rows before columns. */
int parts_axis(const struct kernel_facts *facts, const struct launch *launch)
{
  struct mention mention = {.builtin = IR_BLOCK_IDX};

  ir_visit_stmt_exprs(launch->kernel->body, note_mention, &mention);
  for (int axis = 2; axis >= 0; axis--)
    if (mention.axes[axis] && facts->grid[axis] != 1) return axis;
  return -1;
}

/* ---- the bytes to move ---- */

static bool constant_size(const struct byte_range *range, int64_t *ret_bytes)
{
  int64_t begin = 0, end = 0;

  if (range->begin && !(ir_constant(range->begin, &begin) && ir_constant(range->end, &end)))
    return false;
  *ret_bytes = end - begin;
  return true;
}

/* An upper bound of the bytes; INT64_MAX: not known. */
static int64_t most_bytes(const struct use_range *range, int64_t object)
{
  int64_t read, written;

  if (!range || (!range->read_part.step && !range->write_part.step)) return 0;
  if (constant_size(&range->read, &read) && constant_size(&range->write, &written))
    return read + written;
  return object < 0 ? INT64_MAX : 2 * object;
}

bool parts_may_pay(const struct kernel_facts *facts, const struct launch_plan *plan, bool always)
{
  int64_t bytes = 0;

  for (unsigned i = 0; i < facts->kernel->param_count && bytes < LEAST_BYTES; i++) {
    const struct pointer_fact *fact = &facts->pointers[i];
    int64_t most = most_bytes(plan->args[i].range, fact->range_known ? fact->high - fact->low : -1);
    bytes = most == INT64_MAX ? most : bytes + most;
  }
  for (unsigned i = 0; i < plan->use_count && bytes < LEAST_BYTES; i++) {
    int64_t most = most_bytes(plan->use_ranges[i], plan->uses[i]->var->type->size);
    bytes = most == INT64_MAX ? most : bytes + most;
  }
  return bytes >= (always ? 1 : LEAST_BYTES);
}

/* ---- obstacles ---- */

struct inspection {
  const char *obstacle;
  unsigned axis;
  unsigned depth;            /* of calls: 0 the kernel itself */
  unsigned atomics, dropped; /* atomic operations, and those whose result is dropped */
  bool loops;
};

static void inspect_function(struct inspection *, const struct ir_function *);

static void inspect_expr(struct ir_expr *expr, void *context)
{
  struct inspection *in = context;
  bool of_block = expr->kind == IR_EXPR_BUILTIN && (expr->value == IR_BLOCK_IDX + (int)in->axis ||
                                                    expr->value == IR_GRID_DIM + (int)in->axis);

  if (expr->kind == IR_EXPR_VAR &&
      (!strcmp(expr->var->name, "blockIdx") || !strcmp(expr->var->name, "gridDim")))
    in->obstacle = "it uses blockIdx or gridDim as a whole";
  if (of_block && in->depth) in->obstacle = "a function that it calls looks at blockIdx or gridDim";
  if (expr->type->is_volatile) in->obstacle = "it has volatile accesses";
  if (expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_ATOMIC) in->atomics++;
  if (expr->kind == IR_EXPR_CALL && expr->callee && expr->callee->body)
    inspect_function(in, expr->callee);
}

static bool inspect_stmt(struct ir_stmt *stmt, void *context)
{
  struct inspection *in = context;
  const struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;

  if (expr && expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_ATOMIC) in->dropped++;
  if (stmt->kind == IR_STMT_DECL && strstr(stmt->var->type->spelling, "cooperative_groups"))
    in->obstacle = "it uses cooperative groups";
  in->loops |= stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  return true;
}

static void inspect_function(struct inspection *in, const struct ir_function *function)
{
  if (in->obstacle) return;
  if (function->calls_itself || in->depth == DEPTH) {
    in->obstacle = "it calls functions too deeply";
    return;
  }
  ir_visit_stmts(function->body, inspect_stmt, in);
  in->depth += function->is_device && !function->is_kernel;
  ir_visit_stmt_exprs(function->body, inspect_expr, in);
  in->depth -= function->is_device && !function->is_kernel;
}

/* Would the kernel lose much without its mapping? Parts are launches of the kernel as written. A
 * streaming kernel waits for the copies with either mapping. With other kernels the computation may
 * take longer than the copies. */
static bool mapping_matters(const struct kernel_mapping *mapping, const struct inspection *in)
{
  for (unsigned i = 0; i < mapping->version_count; i++)
    if (mapping->versions[i].team && !mapping->versions[i].share) return true;
  return (in->loops || in->atomics) && mapping->gain >= MOST_GAIN;
}

static const char *kernel_obstacle(struct effects *effects, struct ir_function *kernel,
                                   unsigned axis)
{
  const struct function_effects *known = effects_of(effects, kernel);
  struct inspection in = {.axis = axis};

  if (known->unknown_call) return "it calls what is not known";
  if (known->fence) return "its blocks may wait for one another: it has a fence";
  inspect_function(&in, kernel);
  if (!in.obstacle && in.atomics != in.dropped)
    return "its blocks may wait for one another: it uses the result of an atomic operation";
  return in.obstacle;
}

static bool is_zero(const struct ir_expr *expr)
{
  int64_t value;

  return !expr || (ir_constant(expr, &value) && !value);
}

const char *parts_obstacle(struct effects *effects, const struct launch *launch,
                           const struct launch_plan *plan, unsigned axis)
{
  struct ir_function *kernel = launch->kernel;

  if (plan->variant && plan->variant->choice) return "what it stages is chosen at the launch";
  if (plan->variant && plan->variant->added.count)
    return "its kernel gets numbers of the launch as parameters";
  if (plan->uses_all || !launch_is_pinned(launch) || !launch_gives_all(launch) || kernel->is_method)
    return "its kernel cannot be named with its arguments";
  if (!is_zero(launch->shared)) return "it asks for dynamic shared memory";
  return kernel_obstacle(effects, kernel, axis);
}

const char *parts_cost(const struct launch *launch, const struct launch_plan *plan)
{
  struct inspection in = {.axis = 0};

  if (plan->batched) return "launches of the loop go out together";
  if (plan->variant && plan->variant->stage_count)
    return "the kernel stages arrays in shared memory";
  if (!plan->variant || !plan->variant->mapping) return NULL;
  inspect_function(&in, launch->kernel);
  return mapping_matters(plan->variant->mapping, &in)
             ? "the kernel gains more from another mapping to threads"
             : NULL;
}

/* ---- */

const struct kernel_parts *parts_of_launch(struct plan *plan, const struct launch *launch,
                                           unsigned axis)
{
  const struct kernel_variant *variant = plan->launches[launch->id].variant;
  struct ir_function *code =
      variant && !variant->mapping && !variant->no_alias_count && !variant->asks ? variant->code
                                                                                 : launch->kernel;
  unsigned number = 1;

  for (unsigned i = 0; i < plan->parts.count; i++) {
    const struct kernel_parts *other = plan->parts.items[i];
    if (other->kernel == launch->kernel && other->code == code && other->axis == axis) return other;
    number += other->kernel == launch->kernel;
  }
  struct kernel_parts *parts = ARENA_NEW(plan->arena, struct kernel_parts);
  *parts = (struct kernel_parts){launch->kernel, code, axis, number};
  *ARENA_PUSH(plan->arena, &plan->parts) = parts;
  return parts;
}

/* SPDX-License-Identifier: MIT */
/* launch_keep.c - launches that keep the kernel as written because of their text.
 *
 *     void later();                          // k is defined behind the launch, with a default
 *     k<<<grid, 128>>>(a);                   // argument: k_cached cannot be called like this
 *
 * Requires the planned variant of the launch. Produces a reason, or none. A kernel that is not
 * declared before the launch gets a declaration in front of the host function, where one can stand.
 */
#include <string.h>

#include "analysis/plan/launch/launch_keep.h"
#include "runtime/seeded.h"
#include "translator/ir/places.h"

/* ---- may the body be written back from? ---- */

struct body_facts {
  bool meets, returns;
};

static void note_meeting(struct ir_expr *expr, void *context)
{
  struct body_facts *facts = context;
  if (expr->kind == IR_EXPR_CALL &&
      (expr->effect == IR_EFFECT_BARRIER || expr->effect == IR_EFFECT_WARP))
    facts->meets = true;
}

static bool note_return(struct ir_stmt *stmt, void *context)
{
  struct body_facts *facts = context;
  if (stmt->kind == IR_STMT_RETURN) facts->returns = true;
  return true;
}

static bool is_plain_return(const struct ir_stmt *stmt)
{
  if (stmt->kind == IR_STMT_BLOCK && stmt->child_count == 1) stmt = stmt->children[0];
  return stmt->kind == IR_STMT_RETURN && !stmt->expr;
}

/* Do all threads reach the copy out? A return becomes a jump to it, and no thread may jump past a
 * barrier of the body. */
static bool all_arrive(const struct kernel_variant *variant)
{
  struct body_facts facts = {0};
  struct ir_stmt *body = variant->code->body;
  bool stores = false;
  for (unsigned i = 0; i < variant->stage_count; i++) stores |= variant->stages[i].store;
  if (!stores) return true;
  ir_visit_stmt_exprs(body, note_meeting, &facts);
  for (unsigned i = 0; i < body->child_count; i++)
    if (i + 1 < body->child_count || !is_plain_return(body->children[i]))
      ir_visit_stmts(body->children[i], note_return, &facts);
  return !facts.meets || !facts.returns;
}

/* ---- can it be declared? ---- */

/* Has the kernel's head one text on one line? Default arguments may stand only once. A head that is
 * printed has none. */
static bool head_repeats(const struct unit *unit, struct arena *arena,
                         const struct ir_function *kernel)
{
  struct ir_place before, behind;
  if (!function_head(unit, kernel, &before, &behind)) return true;
  const char *text = unit->files.items[before.file].text;
  const char *first = scan_one_line(arena, text, before.begin, before.end);
  const char *second = scan_one_line(arena, text, behind.begin, behind.end);
  return first && second && !strchr(second, '=');
}

static bool is_printed_head(const struct kernel_variant *variant) { return variant->mapping; }

/* Can a declaration stand in front of the host function? */
static bool has_room(struct unit *unit, const struct launch *launch,
                     const struct ir_function *kernel)
{
  const struct ir_function *host = launch->host;
  if (!host || host->is_method || host->is_template || function_scope_length(host) ||
      function_scope_length(kernel))
    return false;
  const char *text = unit->files.items[host->place.file].text;
  struct token before = scan_last(text, 0, host->place.begin);
  return before.kind == TOKEN_END || token_is(text, before, "}") || token_is(text, before, ";");
}

static const char *declaration_obstacle(struct unit *unit, const struct launch *launch,
                                        const struct kernel_variant *variant, bool *ret_declared)
{
  if (SEEDED(DECLARATION_UNCHECKED) || function_precedes(unit, variant->kernel, &launch->place))
    return NULL;
  bool fine = has_room(unit, launch, variant->kernel) &&
              (is_printed_head(variant) || head_repeats(unit, unit->arena, variant->kernel));
  *ret_declared = fine;
  return fine ? NULL : "the staged kernel cannot be declared in front of it";
}

/* ---- the launch ---- */

static bool is_zero(const struct ir_expr *expr)
{
  int64_t value;
  return !expr || (ir_constant(expr, &value) && value == 0);
}

static const char *choice_obstacle(struct unit *unit, const struct launch *launch)
{
  if (!is_zero(launch->shared))
    return "the staged copies need dynamic shared memory, and the launch has its own";
  if (!launch_dimensions_are_text(unit, unit->arena, launch) ||
      !launch_arguments_are_text(unit, unit->arena, launch))
    return "what it stages depends on arguments that cannot be evaluated in front of it";
  return NULL;
}

static bool overlap_is_text(struct unit *unit, const struct launch *launch)
{
  return !function_is_overloaded(unit, launch->kernel) &&
         launch_arguments_are_text(unit, unit->arena, launch);
}

static void note_shape(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_BUILTIN;
}

/* Can the launch ask for its own shape, where the condition has parts of it? */
static bool shape_is_text(struct unit *unit, const struct launch *launch, struct ir_expr *asks)
{
  bool shape = false;
  if (asks) ir_visit_expr(asks, note_shape, &shape);
  return !shape || SEEDED(SHAPE_WITHOUT_TEXT) ||
         launch_dimensions_are_text(unit, unit->arena, launch);
}

const char *launch_keeps_kernel(struct unit *unit, const struct plan_options *options,
                                const struct launch *launch, const struct kernel_variant *variant,
                                bool *ret_declared)
{
  *ret_declared = false;
  if (function_is_outside(unit, variant->kernel)) return "it is defined outside of its namespace";
  if (options->checked && variant->kernel->instance_of)
    return "the checker keeps templates as they are";
  if (!all_arrive(variant))
    return "threads that return early would miss the barrier in front of the write-back";
  if (variant->dynamic && !is_zero(launch->shared))
    return "the staged copies need dynamic shared memory, and the launch has its own";
  if (!launch_gives_all(launch) && !SEEDED(DEFAULTS_LOST))
    return "it relies on default arguments, which the staged kernel does not have";
  const char *obstacle = variant->choice ? choice_obstacle(unit, launch) : NULL;
  if (obstacle) return obstacle;
  if ((variant->no_alias_count || variant->asks) && !overlap_is_text(unit, launch))
    return "what its arguments may overlap with cannot be asked for";
  if (!shape_is_text(unit, launch, variant->asks))
    return "its grid and block have no text by which they can be asked for";
  if (variant->added.count && !overlap_is_text(unit, launch))
    return "the numbers by which it divides cannot be computed in front of it";
  if (variant->mapping && variant->mapping->extents && !variant->mapping->extents->permuted &&
      !overlap_is_text(unit, launch))
    return "the elements along its axes cannot be computed in front of it";
  if (variant->mapping && !launch_shape_is_text(unit, unit->arena, launch))
    return "its grid and block cannot be replaced in the text";
  return declaration_obstacle(unit, launch, variant, ret_declared);
}

/* ---- parts and steps ---- */

/* Has the kernel clusters? A part need not be whole clusters. */
static bool has_clusters(const struct unit *unit, const struct ir_function *kernel)
{
  struct ir_place head = kernel->place;
  head.end = kernel->body_place.begin;
  if (head.file != kernel->body_place.file || head.end <= head.begin) return true;
  const char *text = unit->files.items[head.file].text;
  const char *found = strstr(text + head.begin, "__cluster_dims__");
  return found && found < text + head.end;
}

static const char *kernel_refuses(const struct unit *unit, const struct launch *launch,
                                  const struct ir_function *kernel)
{
  if (function_is_overloaded(unit, kernel)) return "other kernels have its kernel's name";
  if (function_is_outside(unit, kernel)) return "its kernel is defined outside of its namespace";
  if (!function_precedes(unit, kernel, &launch->place)) return "its kernel is defined behind it";
  return NULL;
}

const char *launch_refuses_parts(const struct unit *unit, const struct launch *launch)
{
  if (has_clusters(unit, launch->kernel)) return "its blocks may stand in clusters";
  return kernel_refuses(unit, launch, launch->kernel);
}

const char *launch_refuses_steps(struct unit *unit, const struct launch *launch,
                                 const struct kernel_steps *steps)
{
  const char *obstacle = kernel_refuses(unit, launch, steps->kernel);
  if (!obstacle) obstacle = kernel_refuses(unit, launch, steps->other);
  if (obstacle) return obstacle;
  if (steps->kernel->body_place.file != steps->other->body_place.file)
    return "the loop's kernels stand in different files";
  return launch_shape_is_text(unit, unit->arena, launch)
             ? NULL
             : "its grid and block cannot be replaced in the text";
}

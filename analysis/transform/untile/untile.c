/* SPDX-License-Identifier: MIT */
/* untile.c - removes the tiles that a kernel keeps in shared memory by hand. The work can then be
 * mapped anew: with tiles of another size, several elements per thread, wider copies.
 *
 *     for (t = 0; t < (n + 15) / 16; t++) {
 *       a[ty][tx] = row < m && t * 16 + tx < n ? A[row * n + t * 16 + tx] : 0;
 *       b[ty][tx] = ...;                                         if (row < m && col < p) {
 *       __syncthreads();                                   =>      float s = 0;
 *       for (k = 0; k < 16; k++) s += a[ty][k] * b[k][tx];         for (k = 0; k < n; k++)
 *       __syncthreads();                                             s += A[row * n + k] *
 *     }                                                                   B[k * p + col];
 *     if (row < m && col < p) C[row * p + col] = s;                C[row * p + col] = s;
 *                                                                }
 *
 * Each thread computes the same values in the same order; an element comes from the memory that
 * fills the tile. Requires: every shared array is such a tile (untile_find.c, untile_value.c);
 * nothing writes the arrays that fill tiles while the kernel runs; and barriers order nothing else:
 * no atomics, no warp operations, no calls with effects. Produces: code without shared memory,
 * which only another mapping may take (kernel.c). Alone it would be slower than the kernel as
 * written, which stays for launches that are too small for the mapping.
 */
#include "analysis/transform/untile/untile_parts.h"
#include "analysis/code/loop.h"

#include <string.h>

bool untile_fail(struct untiling *u, const char *reason, const struct ir_place *place)
{
  if (u->reason) return false;
  u->reason = reason;
  u->place = *place;
  return false;
}

bool untile_has_tiles(const struct ir_function *kernel)
{
  for (unsigned i = 0; i < kernel->var_count; i++)
    if (kernel->vars[i]->kind == IR_VAR_SHARED) return true;
  return false;
}

struct expr_search {
  const struct ir_expr *wanted;
  bool found;
};

static void note_expr(struct ir_expr *expr, void *context)
{
  struct expr_search *s = context;
  s->found |= expr == s->wanted;
}

/* Are all accesses to the array in front of the first barrier, or all behind the last one? */
static bool is_used_on_one_side(const struct ir_stmt *body, const struct array *array)
{
  unsigned before = 0, behind = 0, between = 0, met = 0, barriers = 0;

  for (unsigned i = 0; i < body->child_count; i++) {
    barriers += untile_meets(body->children[i]);
  }
  for (unsigned i = 0; i < body->child_count; i++) {
    bool meets = untile_meets(body->children[i]);
    for (unsigned k = 0; k < array->accesses.count; k++) {
      struct expr_search s = {array->accesses.items[k].expr, false};
      ir_visit_stmt_exprs(body->children[i], note_expr, &s);
      if (s.found) (meets || (met && met < barriers) ? &between : met ? &behind : &before)[0]++;
    }
    met += meets;
  }
  unsigned all = array->accesses.count;
  return !between && all && (before == all || behind == all);
}

/* Why barriers may order accesses to an array that the kernel writes. NULL: they do not. */
static const char *why_ordered(const struct untiling *u, const struct array *array)
{
  if (!is_used_on_one_side(u->body, array))
    return "barriers may order what it does with an array that it writes";
  return code_written_elsewhere(u->code, array)
             ? "what the kernel writes under another name may overlap it"
             : NULL;
}

/* Do barriers order nothing but the tiles? */
static bool memory_is_quiet(struct untiling *u)
{
  struct code *code = u->code;

  code_scan(code);
  const struct kernel_access *access = &code->access;
  if (access->reject) return untile_fail(u, access->reject, &access->reject_place);
  if (access->atomics.count || access->has_fence)
    return untile_fail(u, "it has atomic operations or fences", &code->kernel->name_place);
  if (access->unknown_read || access->unknown_write)
    return untile_fail(u, "not all of its accesses are followed", &access->unknown_place);
  for (unsigned i = 0; i < access->arrays.count; i++) {
    const struct array *array = access->arrays.items[i];
    const char *why = array->written ? why_ordered(u, array) : code_why_written(code, array);
    if (why) return untile_fail(u, why, array_place(array));
  }
  return true;
}

static bool is_filled_from(const struct untiling *u, const struct ir_var *var)
{
  for (unsigned i = 0; i < u->count; i++)
    if (ir_expr_has_var(u->tiles[i].value, var)) return true;
  return false;
}

/* Checks that the kernel does not write the memory that fills a tile: the reads happen later
 * now. */
static bool sources_stay(struct untiling *u)
{
  for (unsigned i = 0; i < u->code->access.arrays.count; i++) {
    const struct array *array = u->code->access.arrays.items[i];
    if (array->written && is_filled_from(u, array->var))
      return untile_fail(u, "the kernel writes what fills a tile", array_place(array));
  }
  return true;
}

/* Checks that the names in the tiles' values mean no other variable in the kernel. */
struct name_check {
  struct untiling *u;
  const struct ir_function *kernel;
};

static void check_name(struct ir_expr *expr, void *context)
{
  struct name_check *c = context;

  if (expr->kind != IR_EXPR_VAR || !expr->var->name) return;
  for (unsigned i = 0; i < c->kernel->var_count; i++) {
    const struct ir_var *other = c->kernel->vars[i];
    if (other != expr->var && other->name && !strcmp(other->name, expr->var->name))
      untile_fail(c->u, "a name in it stands for two variables", &expr->place);
  }
}

static bool names_are_clear(struct untiling *u)
{
  struct name_check check = {u, u->code->facts.kernel};

  for (unsigned i = 0; i < u->count; i++) ir_visit_expr(u->tiles[i].value, check_name, &check);
  return !u->reason;
}

static struct ir_stmt *untiled(struct untiling *u)
{
  if (!untile_find(u)) return NULL;
  for (unsigned i = 0; i < u->count; i++)
    if (!untile_value(u, &u->tiles[i])) return NULL;
  return names_are_clear(u) && memory_is_quiet(u) && sources_stay(u) ? untile_forward(u) : NULL;
}

static void decline(struct untiling *u)
{
  struct code *code = u->code;

  code_decide(code, (struct decision){.kind = DECISION_FORM, .place = u->place, .why = u->reason});
  code_remark(code, DIAG_TILES_KEPT, &u->place, "'%s' keeps its tiles by hand: %s",
              code->kernel->name, u->reason);
}

static struct ir_stmt *own_body(struct code *code)
{
  struct ir_stmt *body = code->facts.kernel->body;

  return code->facts.within_count ? body->children[body->child_count - 1] : body;
}

static struct ir_stmt *with_body(struct code *code, struct ir_stmt *all, const struct ir_stmt *old,
                                 struct ir_stmt *new)
{
  return all == old ? new : loop_swap(code->arena, all, old, new);
}

bool plan_untile(struct draft *draft)
{
  struct code *code = &draft->code;
  struct ir_function *kernel = code->facts.kernel;

  if (!untile_has_tiles(kernel)) return false;
  struct kernel_facts before = code->facts;
  struct ir_stmt *written = kernel->body;
  unsigned formed = draft->formed.count;
  untile_walk(draft);
  struct ir_stmt *all = kernel->body = untile_count(code, untile_known_block(code, kernel->body));
  struct untiling u = {.code = code, .body = own_body(code)};
  struct ir_stmt *body = untiled(&u);
  code_drop_scan(code);
  if (!body) {
    if (u.reason) decline(&u);
    code->facts = before;
    kernel->body = written;
    draft->formed.count = formed;
    draft->extents = NULL;
    return false;
  }
  kernel->body = with_body(code, all, u.body, body);
  struct ir_stmt *fused = untile_fuse(code, body);
  kernel->body = with_body(code, all, u.body, untile_guard(code, fused));
  kernel->static_shared_bytes = 0;
  untile_forget_multiples(code);
  for (unsigned i = 0; i < u.count; i++)
    *ARENA_PUSH(code->arena, &draft->formed) =
        (struct formed){u.tiles[i].var->place, DIAG_UNTILED, DIAG_TILES_KEPT, u.tiles[i].var->name,
                        arena_format(code->arena, "what fills '%s' in the place of what reads it",
                                     u.tiles[i].var->name)};
  draft_own_body(draft);
  return true;
}

/* SPDX-License-Identifier: MIT */
/* untile_find.c - the tiles of a kernel, and the places that fill and read them.
 *
 *     for (t ...) {
 *       a[ty][tx] = A[...];          segment 0 of the list: fills a
 *       __syncthreads();
 *       for (k ...) s += a[ty][k];   segment 1: reads it
 *       __syncthreads();
 *     }
 *
 * Each shared array is filled in one segment of one list of statements, and read only in later
 * segments of the same list. A barrier stands between them, so a read finds the values that the
 * segment has stored. All barriers stand in such lists.
 */
#include "analysis/transform/untile/untile_parts.h"

bool untile_is_barrier(const struct ir_stmt *stmt)
{
  const struct ir_expr *call = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;

  return call && call->kind == IR_EXPR_CALL && call->effect == IR_EFFECT_BARRIER &&
         !call->operand_count;
}

static bool note_barrier(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= untile_is_barrier(stmt);
  return true;
}

bool untile_meets(struct ir_stmt *stmt)
{
  bool found = false;

  ir_visit_stmts(stmt, note_barrier, &found);
  return found;
}

/* ---- all of the kernel ---- */

struct statement_check {
  struct untiling *u;
  unsigned barriers; /* calls anywhere */
};

static const char *reason_of_call(struct untiling *u, const struct ir_expr *call)
{
  switch (call->effect) {
  case IR_EFFECT_NONE:
  case IR_EFFECT_LOAD:
  case IR_EFFECT_BARRIER: return NULL;
  case IR_EFFECT_CALLEE:
    return effects_none(effects_of(u->code->effects, call->callee))
               ? NULL
               : "it calls a function that uses memory";
  default: return "it has calls that barriers may order";
  }
}

static void check_expr(struct ir_expr *expr, void *context)
{
  struct statement_check *c = context;

  if (expr->kind == IR_EXPR_OPAQUE) untile_fail(c->u, "an expression is not known", &expr->place);
  if (expr->kind != IR_EXPR_CALL) return;
  const char *reason = reason_of_call(c->u, expr);
  if (reason) untile_fail(c->u, reason, &expr->place);
  c->barriers += expr->effect == IR_EFFECT_BARRIER;
}

static bool check_stmt(struct ir_stmt *stmt, void *context)
{
  struct statement_check *c = context;

  switch (stmt->kind) {
  case IR_STMT_NULL:
  case IR_STMT_DECL:
  case IR_STMT_DECLS:
  case IR_STMT_EXPR:
  case IR_STMT_BLOCK:
  case IR_STMT_IF:
  case IR_STMT_FOR: break;
  default: untile_fail(c->u, "it has other statements than loops that count and ifs", &stmt->place);
  }
  return true;
}

/* ---- lists and their segments ---- */

struct list_search {
  struct hand_tile *found;
  unsigned uses; /* in all of the kernel */
};

struct store_search { /* of `tile`, in one statement */
  const struct hand_tile *tile;
  unsigned stores;
  struct ir_expr *store;
};

/* The variable, and the indices of an element of it, outermost first. */
static struct ir_var *element_of(struct ir_expr *expr, struct ir_expr **indices, unsigned *count)
{
  struct ir_expr *at[TILE_DIMS];

  *count = 0;
  for (expr = ir_strip(expr); expr->kind == IR_EXPR_INDEX && *count < TILE_DIMS;
       expr = ir_strip(expr->operands[0]))
    at[(*count)++] = expr->operands[1];
  for (unsigned i = 0; i < *count; i++) indices[i] = at[*count - 1 - i];
  return expr->kind == IR_EXPR_VAR && *count ? expr->var : NULL;
}

struct hand_tile *untile_element(struct untiling *u, struct ir_expr *expr, struct ir_expr **indices)
{
  unsigned count;
  const struct ir_var *var = expr->kind == IR_EXPR_INDEX ? element_of(expr, indices, &count) : NULL;

  for (unsigned i = 0; var && i < u->count; i++)
    if (u->tiles[i].var == var && u->tiles[i].dim_count == count) return &u->tiles[i];
  return NULL;
}

static bool note_store(struct ir_stmt *stmt, void *context)
{
  struct store_search *s = context;
  struct ir_expr *store = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL,
                 *indices[TILE_DIMS];
  unsigned count;

  if (store && store->kind == IR_EXPR_ASSIGN && store->op == IR_OP_ASSIGN &&
      element_of(store->operands[0], indices, &count) == s->tile->var &&
      count == s->tile->dim_count) {
    s->stores++;
    s->store = store;
  }
  return true;
}

/* Has the list one segment that only stores to the array, and does it have all reads in later
 * segments? */
static bool fits(struct list_search *s, struct ir_stmt *list, struct hand_tile *tile)
{
  unsigned segment = 0, seen = 0, stores = 0;
  bool met = false;

  for (unsigned i = 0; i < list->child_count; i++) {
    struct ir_stmt *child = list->children[i];
    struct store_search search = {.tile = tile};
    if (untile_is_barrier(child)) {
      segment++;
      met = true;
      continue;
    }
    unsigned uses = ir_count_var(child, tile->var);
    if (!uses) continue;
    ir_visit_stmts(child, note_store, &search);
    if (search.stores && search.stores != uses) return false;
    if (search.stores && seen > stores) return false; /* behind a read */
    if (search.stores && stores && segment != tile->segment) return false;
    if (!search.stores && (!stores || segment == tile->segment)) return false;
    if (search.stores) {
      tile->segment = segment;
      tile->store = search.store;
    }
    stores += search.stores;
    seen += uses;
  }
  tile->list = list;
  return met && stores && seen > stores && seen == s->uses;
}

static bool note_list(struct ir_stmt *stmt, void *context)
{
  struct list_search *s = context;
  struct hand_tile tile = *s->found;

  if (stmt->kind != IR_STMT_BLOCK || s->found->list) return true;
  if (fits(s, stmt, &tile)) *s->found = tile;
  return true;
}

static unsigned barriers_in(const struct ir_stmt *list)
{
  unsigned count = 0;

  for (unsigned i = 0; i < list->child_count; i++) count += untile_is_barrier(list->children[i]);
  return count;
}

static bool note_barriers(struct ir_stmt *stmt, void *context)
{
  if (stmt->kind == IR_STMT_BLOCK) *(unsigned *)context += barriers_in(stmt);
  return true;
}

static bool find_tile(struct untiling *u, struct ir_var *var)
{
  struct ir_stmt *body = u->body;
  const struct ir_type *type = var->type;

  if (u->count == MOST_TILES) return untile_fail(u, "it has too many shared arrays", &var->place);
  if (var->is_dynamic_shared)
    return untile_fail(u, "the size of its shared memory is the launch's", &var->place);
  struct hand_tile *tile = &u->tiles[u->count++];
  *tile = (struct hand_tile){.var = var};
  for (; type->kind == IR_TYPE_ARRAY; type = type->element) tile->dim_count++;
  tile->element = type;
  if (!tile->dim_count || tile->dim_count > TILE_DIMS || type->is_volatile ||
      (type->kind != IR_TYPE_FLOAT && type->kind != IR_TYPE_INT))
    return untile_fail(u, "a shared variable is no array of numbers", &var->place);
  struct list_search search = {tile, ir_count_var(body, var)};
  ir_visit_stmts(body, note_list, &search);
  return tile->list || untile_fail(u,
                                   "a shared array is not filled, and read behind a barrier, by "
                                   "one list of statements",
                                   &var->place);
}

bool untile_find(struct untiling *u)
{
  struct ir_function *kernel = u->code->facts.kernel;
  struct statement_check check = {.u = u};
  unsigned direct = 0;

  ir_visit_stmts(u->body, check_stmt, &check);
  ir_visit_stmt_exprs(u->body, check_expr, &check);
  ir_visit_stmts(u->body, note_barriers, &direct);
  if (!u->reason && direct != check.barriers)
    untile_fail(u, "a barrier stands under a condition", &kernel->name_place);
  for (unsigned i = 0; i < kernel->var_count && !u->reason; i++)
    if (kernel->vars[i]->kind == IR_VAR_SHARED && ir_stmt_has_var(u->body, kernel->vars[i]))
      find_tile(u, kernel->vars[i]);
  return !u->reason && u->count;
}

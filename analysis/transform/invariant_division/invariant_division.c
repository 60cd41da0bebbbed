/* SPDX-License-Identifier: MIT */
/* invariant_division.c - divisions by numbers of the launch become multiplications.
 *
 *     x = i % w, y = i / w % h;       x = mesi_remainder(i, _by), ...;
 *         k<<<grid, 256>>>(a, w, h) =>    k_divided<<<grid, 256>>>(a, w, h, mesi_divisor<int>(w),
 * ...)
 *
 * A thread needs some 20 instructions for a division. The launch computes a factor and a shift for
 * each divisor, once, and hands them to the kernel: 4 to 7 instructions, with the same quotients
 * (mesi_divide.h). A divisor consists of parameters that the kernel does not change, and of
 * constants. All codes of the kernel are changed, those for another mapping, too. Runs last: the
 * other rows know quotients as they are written. The gain is that of instructions over what is
 * left of them or of memory, whichever takes longer. Gives up: launches whose arguments cannot be
 * evaluated twice; conditions of a launch where nothing is mapped, since
 * the kernel as written has no such parameters; numbers of 64 bits where floating-point numbers are
 * multiplied and added up, as both divisions branch, and nvcc fuses within basic blocks.
 */
#include "analysis/transform/invariant_division/invariant_division.h"

#include <math.h>
#include <string.h>

#include "analysis/code/instructions.h"
#include "runtime/seeded.h"

#define GAIN_NEEDED 1.08

enum { MOST_DIVISORS = 8, MOST_DEPTH = 12 };

struct divisor {
  struct ir_expr *value; /* over parameters of the kernel */
  const struct ir_type *type;
  const struct added_param *param; /* NULL: not named yet */
};

struct dividing {
  struct draft *draft;
  struct code code; /* the code that is looked at */
  bool fuses;       /* one of the codes multiplies and adds up floating-point numbers */
  struct divisor divisors[MOST_DIVISORS];
  unsigned count;
  bool named;                         /* the list is whole: the kernel has a parameter for each */
  struct ir_function *function;       /* gets the parameters; NULL: nothing is changed yet */
  struct ir_var *vars[MOST_DIVISORS]; /* of it; NULL: not added yet */
};

/* ---- divisors ---- */

static bool is_kernel_param(const struct dividing *d, const struct ir_var *var)
{
  const struct ir_function *kernel = d->draft->code.kernel;

  for (unsigned i = 0; i < kernel->param_count; i++)
    if (kernel->params[i] == var) return true;
  return false;
}

static bool is_division(enum ir_op op) { return op == IR_OP_DIV || op == IR_OP_REM; }

/* Is it a number of the launch? `ret_named`: a parameter is in it. */
static bool is_of_launch(const struct dividing *d, const struct ir_expr *expr, unsigned depth,
                         bool *ret_named)
{
  if (depth == MOST_DEPTH || expr->type->kind != IR_TYPE_INT || expr->type->size < 1) return false;
  switch (expr->kind) {
  case IR_EXPR_INT: return true;
  case IR_EXPR_VAR:
    *ret_named = true;
    return is_kernel_param(d, expr->var) &&
           ((!expr->var->write_count && !expr->var->address_taken) || SEEDED(DIVISOR_CHANGED));
  case IR_EXPR_PAREN:
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT: return is_of_launch(d, expr->operands[0], depth + 1, ret_named);
  case IR_EXPR_BINARY:
    return (is_division(expr->op) || expr->op == IR_OP_ADD || expr->op == IR_OP_SUB ||
            expr->op == IR_OP_MUL) &&
           is_of_launch(d, expr->operands[0], depth + 1, ret_named) &&
           is_of_launch(d, expr->operands[1], depth + 1, ret_named);
  default: return false;
  }
}

/* The divisor over parameters. NULL: it is no number of the launch, or a constant. */
static struct ir_expr *launch_number(struct dividing *d, struct ir_expr *divisor)
{
  bool named = false;
  struct ir_expr *value = code_resolve(&d->code, divisor);

  return value && is_of_launch(d, value, 0, &named) && named ? value : NULL;
}

/* ---- host arithmetic ---- */

static const struct ir_type *wide_type(void)
{
  static const struct ir_type wide = {
      .kind = IR_TYPE_INT, .spelling = "unsigned long long", .size = 8, .align = 8, .extent = -1};
  return &wide;
}

static struct ir_expr *cast(struct arena *arena, const struct ir_type *type, struct ir_expr *expr)
{
  return ir_build_cast(arena, ir_plain_type(arena, type), expr);
}

/* The number with 64 bits, of which the lower ones of its type are right: nothing overflows. */
static struct ir_expr *host_number(struct arena *arena, struct ir_expr *expr)
{
  struct ir_expr *parts[2], *number;

  switch (expr->kind) {
  case IR_EXPR_PAREN: return host_number(arena, expr->operands[0]);
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
    number = cast(arena, expr->operands[0]->type, host_number(arena, expr->operands[0]));
    return cast(arena, wide_type(), cast(arena, expr->type, number));
  case IR_EXPR_BINARY:
    for (unsigned i = 0; i < 2; i++) {
      parts[i] = host_number(arena, expr->operands[i]);
      if (is_division(expr->op)) parts[i] = cast(arena, expr->operands[i]->type, parts[i]);
    }
    number = ir_build_binary(arena, expr->op, parts[0], parts[1]);
    number->type = is_division(expr->op) ? expr->type : wide_type();
    if (!is_division(expr->op)) return number;
    return cast(arena, wide_type(), ir_build_safe_quotient(arena, number));
  default: return cast(arena, wide_type(), expr);
  }
}

static struct ir_expr *host_value(struct arena *arena, struct ir_expr *value)
{
  const struct ir_expr *bare = ir_strip(value);

  while (bare->kind == IR_EXPR_CAST && ir_same_type(bare->type, bare->operands[0]->type))
    bare = ir_strip(bare->operands[0]);
  if (bare->kind == IR_EXPR_VAR && ir_same_type(bare->var->type, value->type))
    return ir_build_var(arena, bare->var);
  return cast(arena, value->type, host_number(arena, value));
}

/* ---- the code ---- */

static bool is_handled(const struct dividing *d, const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT && (type->size == 4 || (type->size == 8 && !d->fuses));
}

/* The number of the divisor in the list. -1: the division stays. */
static int divisor_of(struct dividing *d, struct ir_expr *divisor, const struct ir_type *type)
{
  struct ir_expr *value = is_handled(d, type) ? launch_number(d, divisor) : NULL;
  unsigned i = 0;

  if (!value) return -1;
  while (i < d->count &&
         !(ir_same_expr(d->divisors[i].value, value) && ir_same_type(d->divisors[i].type, type)))
    i++;
  if (i == MOST_DIVISORS || (i == d->count && d->named)) return -1;
  if (i == d->count)
    d->divisors[d->count++] = (struct divisor){value, ir_plain_type(d->code.arena, type), NULL};
  return (int)i;
}

/* The division's operands are of its type, and a target of /= is a local of it. */
static int division_by(struct dividing *d, struct ir_expr *expr)
{
  bool updates = expr->kind == IR_EXPR_ASSIGN &&
                 (expr->op == IR_OP_DIV_ASSIGN || expr->op == IR_OP_REM_ASSIGN);
  const struct ir_expr *target = updates ? ir_strip(expr->operands[0]) : NULL;

  if (updates ? target->kind != IR_EXPR_VAR || target->var->kind != IR_VAR_LOCAL
              : expr->kind != IR_EXPR_BINARY || !is_division(expr->op))
    return -1;
  for (unsigned i = 0; i < 2; i++)
    if (!ir_same_type(ir_plain_type(d->code.arena, expr->operands[i]->type),
                      ir_plain_type(d->code.arena, expr->type)))
      return -1;
  return divisor_of(d, expr->operands[1], expr->type);
}

static bool is_cheap(void *context, struct ir_expr *division)
{
  return division_by(context, division) >= 0;
}

static struct ir_var *param_of(struct dividing *d, unsigned number)
{
  struct arena *arena = d->code.arena;
  struct divisor *divisor = &d->divisors[number];
  struct ir_type *type = ARENA_NEW(arena, struct ir_type);

  if (d->vars[number]) return d->vars[number];
  *type = (struct ir_type){.kind = IR_TYPE_RECORD,
                           .spelling = divisor->param->type,
                           .size = 2 * divisor->type->size + 8,
                           .align = divisor->type->size,
                           .keyword = "struct",
                           .is_copied = true,
                           .extent = -1};
  return d->vars[number] = ir_add_param(arena, d->function, divisor->param->name, type);
}

static struct ir_expr *divided(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct dividing *d = r->context;
  int number = division_by(d, expr);
  bool updates = expr->kind == IR_EXPR_ASSIGN, quotient;

  if (number < 0) return NULL;
  quotient =
      (updates ? expr->op == IR_OP_DIV_ASSIGN : expr->op == IR_OP_DIV) != SEEDED(DIVIDED_REMAINDER);
  struct ir_expr *call =
      ir_build_call(r->arena, quotient ? "mesi_quotient" : "mesi_remainder", IR_EFFECT_NONE);
  call->type = ir_plain_type(r->arena, expr->type);
  call->place = expr->place;
  ir_add_argument(r->arena, call, ir_rewrite_expr(r, expr->operands[0]));
  ir_add_argument(r->arena, call, ir_build_var(r->arena, param_of(d, (unsigned)number)));
  if (!updates) return call;
  struct ir_expr *set = ir_build_assign(r->arena, expr->operands[0], call);
  set->place = expr->place;
  return set;
}

static struct ir_function *divided_function(struct dividing *d, struct ir_function *function)
{
  struct ir_rewriter rewriter = {d->code.arena, divided, d};

  if (!function) return NULL;
  d->function = d->code.facts.kernel = ir_copy_function(d->code.arena, function);
  memset(d->vars, 0, sizeof d->vars);
  d->function->body = ir_rewrite_stmt(&rewriter, d->function->body);
  ir_own_body(d->code.arena, d->function);
  return d->function;
}

/* ---- the row ---- */

static void note_floating(struct ir_expr *expr, void *context)
{
  unsigned *found = context;
  bool floating = expr->type && expr->type->kind == IR_TYPE_FLOAT;
  enum ir_op op = expr->op;

  if (expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE) *found |= 3;
  if (!floating || (expr->kind != IR_EXPR_BINARY && expr->kind != IR_EXPR_ASSIGN)) return;
  if (op == IR_OP_MUL || op == IR_OP_MUL_ASSIGN) *found |= 1;
  if (op == IR_OP_ADD || op == IR_OP_SUB || op == IR_OP_ADD_ASSIGN || op == IR_OP_SUB_ASSIGN)
    *found |= 2;
}

static void note_fusing(struct dividing *d, struct ir_function *function)
{
  unsigned floating = 0;

  ir_visit_stmt_exprs(function->body, note_floating, &floating);
  d->fuses |= floating == 3;
}

/* Counts what the code would gain. Lists its divisors. */
static double gain_of(struct dividing *d, struct ir_function *function)
{
  struct numbers numbers = {.code = &d->code, .block = {-1, -1, -1}, .thread = -1};
  struct instructions all = {
      .numbers = &numbers, .is_cheap = is_cheap, .context = d, .around = 1, .unrolled = 1};

  d->code.facts.kernel = function;
  instructions_count(&all, function->body);
  return all.saved ? instructions_gain(&all) : 1;
}

/* The kernel's codes, from 0 on. NULL: there are no more. */
static struct ir_function *code_number(const struct draft *draft, unsigned number)
{
  const struct kernel_mapping *mapping = draft->mapping;
  struct ir_function *all[MOST_VERSIONS + 3];
  unsigned count = 0;

  all[count++] = draft->changed ? draft->changed : draft->code.facts.kernel;
  for (unsigned i = 1; mapping && i < mapping->version_count; i++)
    all[count++] = mapping->versions[i].code;
  if (mapping && mapping->plain) all[count++] = mapping->plain;
  if (mapping && mapping->written) all[count++] = mapping->written;
  return number < count ? all[number] : NULL;
}

/* The most that one of the codes would gain. */
static double most_gain(struct dividing *d)
{
  struct ir_function *function;
  double gain = 1;

  for (unsigned i = 0; (function = code_number(d->draft, i)); i++) note_fusing(d, function);
  for (unsigned i = 0; (function = code_number(d->draft, i)); i++)
    gain = fmax(gain, gain_of(d, function));
  return gain;
}

static void name_divisors(struct dividing *d)
{
  struct arena *arena = d->code.arena;
  struct added_params *added = &d->draft->added;

  added->items = arena_alloc(arena, (d->count + 1) * sizeof *added->items);
  for (unsigned i = 0; i < d->count; i++) {
    struct divisor *divisor = &d->divisors[i];
    const char *wanted = arena_format(arena, i ? "_by_%u" : "_by", i + 1);
    added->items[i] = (struct added_param){
        .name = unit_local_name(d->code.unit, wanted),
        .type = arena_format(arena, "mesi_divisor<%s>", divisor->type->spelling),
        .value = host_value(arena, divisor->value)};
    divisor->param = &added->items[i];
  }
  added->count = d->count;
  d->named = true;
}

static void change_mapping(struct dividing *d)
{
  struct kernel_mapping *mapping = d->draft->mapping;

  for (unsigned i = 0; i < mapping->version_count; i++)
    mapping->versions[i].code = divided_function(d, mapping->versions[i].code);
  mapping->plain = divided_function(d, mapping->plain);
  mapping->written = divided_function(d, mapping->written);
  d->draft->changed = mapping->versions[0].code;
}

static void change_in_place(struct dividing *d)
{
  struct draft *draft = d->draft;
  struct ir_function *now = draft->changed ? draft->changed : draft->code.facts.kernel;

  draft->changed = divided_function(d, now);
  if (draft->suffix) return;
  draft->suffix = "divided";
  draft->note = "with divisions by numbers of the launch as multiplications";
}

bool plan_invariant_division(struct draft *draft)
{
  struct dividing d = {.draft = draft, .code = draft->code};
  const struct kernel_facts *facts = &draft->code.facts;
  bool conditional = draft->no_alias.count || facts->asked || draft->restricted;

  if (!facts->adds_params || (!draft->mapping && conditional)) return false;
  double gain = most_gain(&d);
  if (gain < GAIN_NEEDED) return false;
  name_divisors(&d);
  if (draft->mapping)
    change_mapping(&d);
  else
    change_in_place(&d);
  code_decide(&draft->code, (struct decision){.kind = DECISION_FORM,
                                              .taken = true,
                                              .place = draft->code.kernel->name_place,
                                              .what = "divisions by numbers of the launch as "
                                                      "multiplications",
                                              .gain = gain});
  code_remark(&draft->code, DIAG_DIVIDED, &draft->code.kernel->name_place,
              "'%s' divides by numbers of the launch by multiplications: predicted gain %.2f",
              draft->code.kernel->name, gain);
  return true;
}

/* SPDX-License-Identifier: MIT */
/* walk_call.c - calls in a kernel.
 *
 *     min(i, n - 1)                                            =>  i < n - 1 ? i : n - 1
 *     __device__ int id(int x, int y) { return y * 64 + x; }   =>  substituted
 *
 * A call with unknown effects ends the analysis of the kernel. A device function that gets an array
 * ends the analysis of that array.
 */
#include <string.h>

#include "analysis/access/walk.h"
#include "runtime/seeded.h"

enum { MOST_NESTED = 8 };

static bool ends_with(const char *text, const char *name)
{
  size_t length = strlen(text), wanted = strlen(name);

  if (length < wanted || strcmp(text + length - wanted, name)) return false;
  return length == wanted || text[length - wanted - 1] == ':';
}

static struct value smaller_or_larger(struct walk *w, struct ir_expr *call, bool larger)
{
  struct value a = walk_known(w, walk_value(w, call->operands[0]), call->operands[0]->type);
  struct value b = walk_known(w, walk_value(w, call->operands[1]), call->operands[1]->type);
  bool plain = a.aff && b.aff && !a.term_count && !b.term_count &&
               call->type->kind == IR_TYPE_INT &&
               value_fits(w->symbols, &a, w->domain, call->type) &&
               value_fits(w->symbols, &b, w->domain, call->type);
  struct value result = {0};

  if (plain) {
    isl_pw_aff *first = isl_pw_aff_copy(a.aff), *second = isl_pw_aff_copy(b.aff);
    result = value_take(isl_pw_aff_coalesce(larger ? isl_pw_aff_max(first, second)
                                                   : isl_pw_aff_min(first, second)));
  }
  value_free(&a);
  value_free(&b);
  return result;
}

static struct value absolute(struct walk *w, struct ir_expr *call)
{
  struct value a = walk_value(w, call->operands[0]);

  if (!a.aff || a.term_count || call->type->kind != IR_TYPE_INT || !call->type->is_signed ||
      !value_fits(w->symbols, &a, w->domain, call->type)) {
    value_free(&a);
    return a;
  }
  return value_take(isl_pw_aff_max(a.aff, isl_pw_aff_neg(isl_pw_aff_copy(a.aff))));
}

static void escape_args(struct walk *w, struct ir_expr *call, const char *reason, bool write)
{
  for (unsigned i = 0; i < call->operand_count; i++) {
    struct ir_expr *arg = call->operands[i];
    if (!address_is_pointer_type(arg->type)) {
      walk_effects(w, arg);
      continue;
    }
    struct address address = address_of_pointer(w, arg);
    address_escape(w, &address, arg, reason, true, write);
    address_free(&address);
  }
}

static struct value pure_call(struct walk *w, struct ir_expr *call)
{
  const char *name = call->text;

  if (call->operand_count == 2 && ends_with(name, "min")) return smaller_or_larger(w, call, false);
  if (call->operand_count == 2 && ends_with(name, "max")) return smaller_or_larger(w, call, true);
  if (call->operand_count == 1 && (ends_with(name, "abs") || ends_with(name, "labs")))
    return absolute(w, call);
  escape_args(w, call, "its address is passed to a function", false);
  return (struct value){0};
}

static void load(struct walk *w, struct ir_expr *call)
{
  if (!call->operand_count || !address_is_pointer_type(call->operands[0]->type)) {
    escape_args(w, call, "its address is passed to a function", false);
    return;
  }
  struct address address = address_of_pointer(w, call->operands[0]);
  address.element = address.inside ? NULL : call;
  address_access(w, &address, call, true, false);
  address_free(&address);
  for (unsigned i = 1; i < call->operand_count; i++) walk_effects(w, call->operands[i]);
}

/* Notes a barrier or warp operation: threads that have returned do not reach it. */
static void meet(struct walk *w, const struct ir_expr *call)
{
  if (!w->divergent_return || w->out->tail_reject) return;
  w->out->tail_reject = "threads that return early do not reach a later barrier or warp operation";
  w->out->tail_place = call->place;
}

/* ---- device functions ---- */

static struct ir_expr *only_return(const struct ir_function *function)
{
  const struct ir_stmt *body = function->body;

  while (body && body->kind == IR_STMT_BLOCK && body->child_count == 1) body = body->children[0];
  return body && body->kind == IR_STMT_RETURN ? body->expr : NULL;
}

static struct value substituted(struct walk *w, struct ir_expr *call, struct ir_expr *result)
{
  struct frame frame = walk_frame_create(w, call->callee), *outer = w->frame;

  for (unsigned i = 0; i < call->callee->param_count; i++) {
    struct ir_var *param = call->callee->params[i];
    const struct ir_type *type = call->operands[i]->type;
    struct value value = walk_offset(w, call->operands[i]);
    if (param->type->size < type->size) value = walk_all_bits(w, value, type);
    value = walk_known(w, value, type);
    if (walk_tracked(param))
      frame.values[param->id] = value;
    else
      value_free(&value);
  }
  w->frame = &frame;
  w->depth++;
  struct value value = walk_offset(w, result);
  w->depth--;
  w->frame = outer;
  walk_frame_finish(&frame);
  if (value.modulo) return walk_converted(w, value, result->type, call->callee->result);
  if (value.aff && (call->callee->result->kind != IR_TYPE_INT ||
                    !value_fits(w->symbols, &value, w->domain, call->callee->result)))
    value_free(&value);
  return value;
}

static void use_in_callee(struct walk *w, struct ir_expr *call, const struct effects_use *use)
{
  struct address address = {.base = use->var};

  address_escape(
      w, &address, call,
      arena_format(w->symbols->arena, "it is used in the device function '%s'", call->callee->name),
      true, use->access & EFFECT_WRITE);
}

/* Why nobody knows what the call does, in words that survey_reasons.def has advice for. */
static const char *unknown_effects(struct walk *w, const struct ir_expr *call)
{
  const struct ir_function *callee = call->callee;
  const char *why = "";
  if (call->is_method)
    why = callee && callee->verbatim && callee->has_definition
              ? arena_format(w->symbols->arena, ": it is a member of a class, and %s",
                             callee->verbatim)
              : ": it is a member of a class";
  else if (callee && callee->is_kernel)
    why = ": it is launched from device code";
  else if (callee && callee->calls_itself)
    why = ": it calls itself";
  else if (callee && callee->verbatim)
    why = arena_format(w->symbols->arena, ": %s", callee->verbatim);
  else if (callee && !callee->has_definition)
    why = ": it is not defined in this unit";
  return arena_format(w->symbols->arena, "it calls '%s', whose effects are not known%s", call->text,
                      SEEDED(UNKNOWN_UNTOLD) ? "" : why);
}

static struct value known_call(struct walk *w, struct ir_expr *call)
{
  const struct function_effects *effects = effects_of(w->effects, call->callee);
  struct ir_expr *result = only_return(call->callee);
  bool pointers = false;

  for (unsigned i = 0; i < call->operand_count; i++)
    pointers |= address_is_pointer_type(call->operands[i]->type);
  if (effects->unknown_call) {
    walk_reject(w, unknown_effects(w, call), &call->place);
  } else if (effects_none(effects) && !pointers && result && w->depth < MOST_NESTED &&
             call->operand_count == call->callee->param_count && !call->is_method) {
    return substituted(w, call, result);
  }
  if (effects->barrier || effects->warp) meet(w, call);
  w->out->has_fence |= effects->fence;
  if ((effects->unknown_read && !w->out->unknown_read) ||
      (effects->unknown_write && !w->out->unknown_write))
    w->out->unknown_place = call->place;
  w->out->unknown_read |= effects->unknown_read;
  w->out->unknown_write |= effects->unknown_write;
  for (unsigned i = 0; i < effects->uses.count; i++)
    use_in_callee(w, call, &effects->uses.items[i]);
  unsigned first = call->is_method ? 1 : 0;
  for (unsigned i = 0; i < call->operand_count; i++) {
    struct ir_expr *arg = call->operands[i];
    bool has_param = i >= first && i - first < call->callee->param_count;
    bool reference = has_param && call->callee->params[i - first]->type->kind == IR_TYPE_REFERENCE;
    unsigned access = has_param ? effects->params[i - first] : EFFECT_READ | EFFECT_WRITE;
    if (!address_is_pointer_type(arg->type) && !reference && has_param) {
      walk_effects(w, arg);
      continue;
    }
    bool pointer = address_is_pointer_type(arg->type);
    struct address address =
        pointer ? address_of_pointer(w, arg) : address_of_lvalue(w, ir_strip(arg));
    if (!SEEDED(CALLEE_ARRAY_STAGED))
      address_escape(w, &address, arg,
                     arena_format(w->symbols->arena, "it is passed to the device function '%s'",
                                  call->callee->name),
                     true, access & EFFECT_WRITE);
    address_free(&address);
    walk_forget_expr(w, arg);
  }
  return (struct value){0};
}

static void note_atomic(struct walk *w, const struct address *address, const struct ir_expr *call)
{
  struct atomic_seen *seen = ARENA_PUSH(w->symbols->arena, &w->out->atomics);
  struct access *where = &seen->where;

  *seen = (struct atomic_seen){.call = call, .var = address->local ? NULL : address->base};
  seen->shaped = seen->var && address->shaped && !address->inside;
  where->must = w->must;
  where->has_effects = address->has_effects;
  where->count = w->count;
  where->domain = isl_set_copy(w->domain);
  where->loops = isl_set_copy(w->loops);
  where->dim_count = address->count;
  for (unsigned i = 0; i < address->count; i++) where->index[i] = value_copy(&address->index[i]);
}

static void atomic(struct walk *w, struct ir_expr *call)
{
  if (call->operand_count && address_is_pointer_type(call->operands[0]->type)) {
    struct address address = address_of_pointer(w, call->operands[0]);
    note_atomic(w, &address, call);
    if (!SEEDED(ATOMIC_STAGED))
      address_escape(w, &address, call, "it is the target of an atomic operation", true, true);
    address_free(&address);
    for (unsigned i = 1; i < call->operand_count; i++) walk_effects(w, call->operands[i]);
    return;
  }
  walk_reject(w, "it holds an atomic operation on an unknown target", &call->place);
  escape_args(w, call, "it is the target of an atomic operation", true);
}

struct value walk_call(struct walk *w, struct ir_expr *call)
{
  const struct walk_watch *watch = w->symbols->facts->watch;

  if (watch && watch->call) watch->call(watch->context, w, call);
  w->out->has_fence |= effects_order(call);
  switch (call->effect) {
  case IR_EFFECT_NONE: return pure_call(w, call);
  case IR_EFFECT_LOAD: load(w, call); break;
  case IR_EFFECT_ATOMIC: atomic(w, call); break;
  case IR_EFFECT_PRINT: escape_args(w, call, "its address is printed", false); break;
  case IR_EFFECT_BARRIER:
  case IR_EFFECT_WARP:
    escape_args(w, call, "its address is passed to a function", true);
    meet(w, call);
    break;
  case IR_EFFECT_FENCE: escape_args(w, call, "its address is passed to a function", true); break;
  case IR_EFFECT_CALLEE: return known_call(w, call);
  default:
    walk_reject(w, unknown_effects(w, call), &call->place);
    escape_args(w, call, "its address is passed to a function", true);
    break;
  }
  return (struct value){0};
}

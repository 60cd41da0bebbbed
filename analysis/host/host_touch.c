/* SPDX-License-Identifier: MIT */
/* host_touch.c - wraps pointer arguments of calls into libraries.
 *
 *     write(fd, a, sizeof a);     =>  write(fd, mesi_touch(a, MESI_READ), sizeof a);
 *     writev(fd, vectors, 2);     =>  writev(fd, mesi_vectors(vectors, MESI_READ, 2), 2);
 *     setvbuf(f, a, _IOFBF, 99);  =>  setvbuf(f, mesi_kept(a), _IOFBF, 99);
 *     save(&header);              =>  mesi_touch_all(MESI_READ_WRITE); save(&header);
 *         header holds pointers
 *     write(fd, c, sizeof c);     =>  write(fd, mesi_opened(c, MESI_READ), sizeof c);
 *         c is announced
 *     memcpy(b, a, sizeof a);         unchanged: plain loads and stores,
 *         the page guard catches them
 *     cudaLaunchKernel((void *)k, grid, block, args);
 *         unchanged: a launch, whose arguments mesi_address.h loads and translates
 *
 * Requires the host index and may_launch. A page that is protected while stale makes a system call
 * fail with EFAULT, where a load would be caught. host_calls.def lists the library functions that
 * make system calls. At any other function outside the C++ library, every pointer to data that may
 * point into a VS object is wrapped. If the table knows an argument as a vector or a message, the
 * runtime inspects it and announces the memory that it leads to. For other memory with pointers,
 * everything is announced in front of the statement, or at the argument if the call is made several
 * times. A warning says if not even that can be placed. A variable whose uses are all announced is
 * protected under MESI_VERIFY only, by pages: mesi_opened opens them there, and does nothing
 * otherwise.
 */
#include "analysis/host/host_touch.h"

#include <string.h>

#include "analysis/host/host_calls.h"
#include "analysis/host/host_launches.h"
#include "analysis/host/host_place.h"
#include "analysis/host/host_points.h"
#include "translator/base/diag.h"
#include "runtime/seeded.h"

enum { READ = 1, WRITE = 2 }; /* as mesi.h */

struct touch {
  struct host_index *index;
  struct unit *unit;
  struct host_work *work;
  struct diag *diag;
  bool has_text;               /* VS data may be characters */
  struct ir_places *in_macros; /* only collects these; NULL: adds edits */
};

/* ---- types ---- */

static bool is_data(const struct ir_type *type)
{
  if (type->kind == IR_TYPE_OTHER || type->kind == IR_TYPE_REFERENCE) return false;
  if (type->kind != IR_TYPE_RECORD) return true;
  const char *name = type->spelling;
  return type->size > 0 && !strstr(name, "_IO_FILE") && !host_type_is_standard(type);
}

static bool is_data_pointer(const struct ir_type *type)
{
  return type->kind == IR_TYPE_POINTER && is_data(type->element);
}

/* May memory of this type hold pointers to data? */
static bool holds_pointers(const struct ir_type *type)
{
  while (type->kind == IR_TYPE_ARRAY) type = type->element;
  if (type->kind == IR_TYPE_POINTER) return is_data_pointer(type);
  return type->kind == IR_TYPE_RECORD && is_data(type) && type->pointer_count > 0;
}

static bool is_const(const struct ir_type *type)
{
  while (type->kind == IR_TYPE_ARRAY && !type->is_const) type = type->element;
  return type->is_const;
}

static bool is_character(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT && type->size == 1;
}

static bool may_hold_text(const struct ir_type *type)
{
  while (type->kind == IR_TYPE_ARRAY) type = type->element;
  return is_character(type) || type->kind == IR_TYPE_RECORD;
}

/* ---- edits ---- */

static void mark_for_inlining(struct unit *unit, unsigned file)
{
  while (file < unit->files.count && !unit->files.items[file].is_main) {
    unit->files.items[file].needs_inlining = true;
    file = (unsigned)unit->files.items[file].included_from;
  }
}

static void add_edit(struct touch *t, struct host_edit edit)
{
  for (unsigned i = 0; i < t->work->edits.count; i++) {
    struct host_edit *other = &t->work->edits.items[i];
    if (other->kind != edit.kind || other->vs != edit.vs || other->place.file != edit.place.file ||
        other->place.begin != edit.place.begin || other->place.end != edit.place.end)
      continue;
    other->access |= edit.access;
    return;
  }
  *ARENA_PUSH(t->work->arena, &t->work->edits) = edit;
  mark_for_inlining(t->unit, edit.place.file);
}

static void warn(struct touch *t, const struct host_node *call)
{
  const struct unit_file *file = &t->unit->files.items[call->expr->place.file];
  struct diag_place place = {file->path, call->expr->place.line, call->expr->place.column,
                             file->text};
  diag_report(t->diag, DIAG_SOURCE_WARNING, &place,
              "the call may make system calls on virtual shared memory which cannot be announced "
              "at each call: "
              "move it to a statement of its own");
}

static bool is_pointer(const struct ir_type *type)
{
  return type->kind == IR_TYPE_POINTER || type->kind == IR_TYPE_ARRAY;
}

static bool same_place(const struct ir_place *a, const struct ir_place *b)
{
  return a->begin == b->begin && a->end == b->end;
}

/* Is its text in the source by itself? It is not if a macro stands for the call, or for several
 * arguments. */
static bool has_text(const struct ir_expr *call, const struct ir_expr *argument)
{
  if (argument->place.in_macro || argument->place.end <= argument->place.begin ||
      same_place(&call->place, &argument->place))
    return false;
  for (unsigned i = 0; i < call->operand_count; i++)
    if (call->operands[i] != argument && same_place(&call->operands[i]->place, &argument->place))
      return false;
  return true;
}

static bool can_be_wrapped(const struct ir_expr *call, const struct ir_expr *argument)
{
  return is_pointer(argument->type) && has_text(call, argument);
}

/* For a call that runs several times after one pass of the statement's begin. */
static bool touch_all_at_argument(struct touch *t, const struct host_node *call)
{
  for (unsigned i = 0; i < call->expr->operand_count; i++) {
    const struct ir_expr *argument = call->expr->operands[i];
    if (!can_be_wrapped(call->expr, argument) || (call->expr->is_method && i == 0)) continue;
    add_edit(t, (struct host_edit){
                    .kind = HOST_TOUCH_ALL_ARG, .place = argument->place, .access = READ | WRITE});
    return true;
  }
  return false;
}

/* Adds the edit in front of the call's statement. */
static void touch_before(struct touch *t, const struct host_node *call, struct host_edit edit)
{
  if (t->in_macros) return;
  struct host_spot spot;
  bool again;
  if (!host_spot_innermost(t->index, call, &spot, &again)) {
    warn(t, call);
    return;
  }
  if (again) warn(t, call);
  edit.place = spot.stmt->place;
  edit.needs_braces = spot.needs_braces;
  add_edit(t, edit);
}

static void touch_all(struct touch *t, const struct host_node *call)
{
  if (t->in_macros) return;
  struct host_spot spot;
  bool again = false, placed = host_spot_innermost(t->index, call, &spot, &again);
  if (placed && (!again || !touch_all_at_argument(t, call))) {
    if (again) warn(t, call);
    add_edit(t, (struct host_edit){.kind = HOST_TOUCH_ALL_BEFORE,
                                   .access = READ | WRITE,
                                   .place = spot.stmt->place,
                                   .needs_braces = spot.needs_braces});
  } else if (!placed && !touch_all_at_argument(t, call)) {
    warn(t, call);
  }
}

static bool is_announced(const struct touch *t, const struct ir_expr *argument)
{
  const struct vs_var *vs = host_named_vs(argument);
  return vs && !t->work->vs[vs->id].guarded;
}

static void note_in_macro(struct touch *t, const struct ir_expr *argument)
{
  bool free = !argument->place.in_macro && !argument->place.in_argument;
  if (!free) *ARENA_PUSH(t->unit->arena, &t->in_macros->list) = argument->place;
}

static void touch_argument(struct touch *t, const struct host_node *call,
                           const struct ir_expr *argument, unsigned access)
{
  if (t->in_macros) {
    if (host_may_point(t->index, argument)) note_in_macro(t, argument);
    return;
  }
  bool announced = is_announced(t, argument);
  if (SEEDED(LIBRARY_CALL_MISSED) || !host_may_point(t->index, argument)) return;
  if (has_text(call->expr, argument))
    add_edit(t, (struct host_edit){.kind = announced ? HOST_OPEN_ARG : HOST_TOUCH_ARG,
                                   .place = argument->place,
                                   .access = access});
  else if (!announced)
    touch_all(t, call);
}

/* ---- arguments that lead to other memory, or to memory that the callee keeps ---- */

static enum host_edit_kind special_kind(char letter)
{
  switch (letter) {
  case 'K': return HOST_KEEP_ARG;
  case 'k': return HOST_KEEP_CONTROL_ARG;
  case 'v':
  case 'V': return HOST_TOUCH_VECTORS_ARG;
  case 'g':
  case 'G':
  case 'h':
  case 'H': return HOST_TOUCH_MESSAGES_ARG;
  default: return HOST_TOUCH_ARG;
  }
}

/* The text of a number that may be evaluated twice. */
static const char *count_text(const struct touch *t, const struct ir_expr *call,
                              const struct ir_expr *count)
{
  const struct ir_expr *inner = count;
  while (inner->operand_count == 1 &&
         (inner->kind == IR_EXPR_CONVERT || inner->kind == IR_EXPR_PAREN))
    inner = inner->operands[0];
  bool simple =
      inner->kind == IR_EXPR_INT ||
      (inner->kind == IR_EXPR_VAR && inner->var->kind != IR_VAR_VS && !inner->type->is_volatile);
  if (!simple || !has_text(call, count)) return NULL;
  const char *text = t->unit->files.items[count->place.file].text;
  return arena_copy(t->work->arena, text + count->place.begin,
                    count->place.end - count->place.begin);
}

static void touch_special(struct touch *t, const struct host_node *call, unsigned slot, char letter)
{
  const struct ir_expr *argument = call->expr->operands[slot];
  struct host_edit edit = {.kind = special_kind(letter),
                           .place = argument->place,
                           .access = host_letter_kernel_access(letter)};
  if (edit.kind == HOST_KEEP_ARG && !host_may_point(t->index, argument)) return;
  if (t->in_macros) {
    note_in_macro(t, argument);
    return;
  }
  if (SEEDED(VECTORS_MISSED) && edit.kind != HOST_KEEP_ARG) return;
  if (!can_be_wrapped(call->expr, argument)) {
    touch_all(t, call);
    return;
  }
  if (edit.kind == HOST_TOUCH_MESSAGES_ARG && (letter == 'g' || letter == 'G'))
    edit.count = "MESI_ONE_MESSAGE";
  else if (slot + 1 < call->expr->operand_count)
    edit.count = count_text(t, call->expr, call->expr->operands[slot + 1]);
  add_edit(t, edit);
}

/* ---- calls ---- */

static void touch_listed(struct touch *t, const struct host_node *call,
                         const struct host_call *known)
{
  for (unsigned i = 0; i < call->expr->operand_count; i++) {
    const struct ir_expr *argument = call->expr->operands[i];
    char letter = host_call_letter(known, i);
    const struct ir_type *type = argument->type;
    if (!host_letter_kernel_access(letter)) continue;
    if (special_kind(letter) != HOST_TOUCH_ARG) {
      if (is_pointer(type)) touch_special(t, call, i, letter);
      continue;
    }
    if (letter == 's' &&
        (!t->has_text || type->kind != IR_TYPE_POINTER || !is_character(type->element)))
      continue;
    if (is_pointer(type)) touch_argument(t, call, argument, host_letter_kernel_access(letter));
  }
}

static bool takes_reference(const struct ir_expr *call, unsigned slot)
{
  if (!call->callee || (call->is_method && slot == 0)) return false;
  unsigned number = slot - (call->is_method ? 1 : 0);
  if (number >= call->callee->param_count) return false;
  const struct ir_type *type = call->callee->params[number]->type;
  return type->kind == IR_TYPE_REFERENCE;
}

/* save(a[i]); where save takes a reference, whose address it may pass to the system. */
static void touch_reference(struct touch *t, const struct host_node *call,
                            const struct ir_expr *argument)
{
  struct vs_var *vs = host_named_vs(argument);
  if (vs)
    touch_before(t, call,
                 (struct host_edit){.kind = HOST_USE_BEFORE, .vs = vs, .access = READ | WRITE});
}

static bool is_main_parameter(const struct ir_expr *argument)
{
  while (argument->operand_count == 1 &&
         (argument->kind == IR_EXPR_CONVERT || argument->kind == IR_EXPR_PAREN))
    argument = argument->operands[0];
  return argument->kind == IR_EXPR_VAR && argument->var->kind == IR_VAR_PARAM &&
         argument->var->function && !strcmp(argument->var->function->name, "main");
}

/* Is it a method of containers or strings, which copy with loads and stores? Streams may pass long
 * blocks to the system. */
static bool is_harmless_method(const struct ir_expr *call)
{
  const struct ir_type *object = call->operand_count ? call->operands[0]->type : NULL;
  if (object && object->kind == IR_TYPE_POINTER) object = object->element;
  return host_type_is_standard(object) && !strstr(object->spelling, "stream") &&
         !strstr(object->spelling, "buf");
}

/* Handles out << text. */
static void touch_operator(struct touch *t, const struct host_node *call)
{
  const struct ir_expr *expr = call->expr;
  if (expr->is_method || !t->has_text || strcmp(expr->text, "operator<<") != 0 ||
      expr->operand_count != 2)
    return;
  const struct ir_type *type = expr->operands[1]->type;
  if (type->kind == IR_TYPE_POINTER && is_character(type->element))
    touch_argument(t, call, expr->operands[1], READ);
}

static void touch_unknown(struct touch *t, const struct host_node *call)
{
  const struct ir_expr *expr = call->expr;
  unsigned count = expr->operand_count - (host_calls_pointer(expr) ? 1 : 0);
  bool all = false;
  for (unsigned i = 0; i < count; i++) {
    const struct ir_expr *argument = expr->operands[i];
    const struct ir_type *type = argument->type;
    bool pointer = is_data_pointer(type), reference = takes_reference(expr, i),
         object = expr->is_method && i == 0;
    bool reaches =
        pointer ? holds_pointers(type->element) || (reference && host_may_point(t->index, argument))
                : holds_pointers(type);
    all = all || (reaches && !is_main_parameter(argument));
    if (reference)
      touch_reference(t, call, argument);
    else if (pointer && !object)
      touch_argument(t, call, argument, is_const(type->element) ? READ : READ | WRITE);
  }
  if (all) touch_all(t, call);
}

/* (condition ? f : g), for functions whose own loads and stores are handled */
static bool names_defined(struct ir_expr *callee)
{
  callee = ir_strip(callee);
  if (callee->kind == IR_EXPR_COND)
    return names_defined(callee->operands[1]) && names_defined(callee->operands[2]);
  if (callee->kind == IR_EXPR_UNARY && (callee->op == IR_OP_ADDRESS || callee->op == IR_OP_DEREF))
    return names_defined(callee->operands[0]);
  return callee->kind == IR_EXPR_OPAQUE && callee->callee && callee->callee->has_definition;
}

static void touch_call(struct touch *t, const struct host_node *call)
{
  const struct ir_expr *expr = call->expr;
  if (expr->callee && (expr->callee->has_definition || expr->callee->is_template)) return;
  if (expr->effect == IR_EFFECT_NONE) return;
  if (ir_addressed_kernel(expr) && !SEEDED(ADDRESSED_TOUCHES_ALL)) return;
  if (host_calls_pointer(expr) && names_defined(expr->operands[expr->operand_count - 1])) return;
  bool is_operator = expr->text && !strncmp(expr->text, "operator", 8);
  if (is_operator) {
    touch_operator(t, call);
    return;
  }
  const struct host_call *known = host_call_of(expr);
  if (known) {
    touch_listed(t, call, known);
  } else if (expr->is_method ? !is_harmless_method(expr) : !host_call_is_standard(expr->text)) {
    touch_unknown(t, call);
  }
}

static bool is_edited(const struct touch *t, const struct ir_function *function)
{
  return function->body && function->is_host && !function->is_device && !function->is_kernel &&
         function->place.file < t->unit->files.count;
}

static void touch_calls(struct touch *t)
{
  struct unit *unit = t->unit;
  t->has_text = unit->uses_mesi_api;
  for (unsigned i = 0; i < unit->vs_vars.count; i++)
    t->has_text = t->has_text || may_hold_text(unit->vs_vars.items[i]->var->type);
  for (unsigned i = 0; i < unit->functions.count; i++) {
    const struct host_function *function = host_function_of(t->index, unit->functions.items[i]);
    if (!is_edited(t, function->function)) continue;
    for (unsigned j = 0; j < function->inside.count; j++)
      if (function->inside.items[j]->expr->kind == IR_EXPR_CALL)
        touch_call(t, function->inside.items[j]);
  }
}

static bool has_vs_data(const struct unit *unit)
{
  return unit->vs_vars.count || unit->uses_mesi_api;
}

void host_touch_calls(struct host_index *index, struct unit *unit, struct host_work *work,
                      struct diag *diag)
{
  struct touch t = {.index = index, .unit = unit, .work = work, .diag = diag};
  if (has_vs_data(unit)) touch_calls(&t);
}

void host_touch_in_macros(struct unit *unit, struct ir_places *ret)
{
  if (!has_vs_data(unit)) return;
  struct touch t = {.index = host_index_create(unit), .unit = unit, .in_macros = ret};
  touch_calls(&t);
  host_index_destroy(t.index);
}

/* SPDX-License-Identifier: MIT */
/* emit_range.c - the bytes that a launch may read and write, as host arithmetic over its arguments
 * and shape.
 *
 *     k<<<g, 128>>>(a, b, n)
 *   => k<<<g, 128>>>(mesi_arg_range(a, 0, (long long)n * 4, 0, 0, MESI_READ),
 *                    mesi_arg_range(b, 0, 0, 0, (long long)n * 4, MESI_WRITE | MESI_OVERWRITE), n)
 *
 * Requires a launch whose arguments and shape can be evaluated twice. A parameter is printed as its
 * argument, converted to the parameter's type; blockDim and gridDim as the text between <<< and
 * >>>. Gives up (NULL) where such a text has preprocessor lines; the launch then announces the
 * whole object.
 */
#include <string.h>

#include "codegen/print/print.h"
#include "codegen/print/range.h"
#include "codegen/text/source.h"
#include "runtime/seeded.h"

struct range_printer {
  struct codegen *cg;
  const struct launch *launch;
  const struct ir_var *segment; /* the variable for the number of a segment; NULL: none */
  bool exact;                   /* numbers of 64 bits are not clipped */
  bool mapped;                  /* behind mesi_map, which has the launch's grid and block */
};

const char *elaborated_type(struct arena *arena, const struct ir_type *type)
{
  const struct ir_type *record = type;
  while (record->kind == IR_TYPE_POINTER) record = record->element;
  if (record->kind != IR_TYPE_RECORD) return type->spelling;
  unsigned words =
      (record->is_const ? strlen("const ") : 0) + (record->is_volatile ? strlen("volatile ") : 0);
  return arena_format(arena, "%.*s%s %s", (int)words, type->spelling, record->keyword,
                      type->spelling + words);
}

const char *braced_type(struct codegen *cg, const struct launch *launch, unsigned number)
{
  const struct ir_place *place = &launch->args[number].place;
  const struct ir_var *param = launch_param(launch, number);
  if (cg->unit->files.items[place->file].text[place->begin] != '{' || !param) return NULL;
  return elaborated_type(cg->arena, param->part_of ? param->part_of->type : param->type);
}

/* Does the argument's text name an object, which a conversion of its class makes a number or a
 * pointer? */
static bool is_converted_object(const struct launch_arg *arg)
{
  const struct ir_expr *expr = arg->expr;
  while (expr && (expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_PAREN) &&
         expr->operand_count == 1)
    expr = expr->operands[0];
  return expr && expr->kind == IR_EXPR_CALL && expr->only_reads && expr->is_method && expr->text &&
         !strncmp(expr->text, "operator ", 9);
}

static bool is_name(const char *text)
{
  for (; *text; text++)
    if (!strchr("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *text))
      return false;
  return true;
}

const char *argument_text(struct codegen *cg, const struct launch *launch, unsigned number)
{
  const struct launch_arg *arg = &launch->args[number];
  const char *text = place_one_line(cg->unit, cg->arena, &arg->place);
  const char *braced = text ? braced_type(cg, launch, number) : NULL;
  if (braced && !SEEDED(BRACES_REPEATED))
    text = arena_format(cg->arena, "mesi_value<%s>(%s)", braced, text);
  const struct ir_var *param = launch_param(launch, number);
  if (text && !braced && param && !param->part_of && is_converted_object(arg))
    text = arena_format(cg->arena, "mesi_value<%s>(%s)", elaborated_type(cg->arena, param->type),
                        text);
  if (!text || !arg->part) return text;
  const char *before = arg->part_before ? arg->part_before : "";
  bool may_be_made = arg->part_before && !is_name(text) && !SEEDED(MADE_ADDRESSED);
  return arena_format(cg->arena, "%s%s(%s)%s", before, may_be_made ? "mesi_object" : "", text,
                      arg->part);
}

static unsigned param_number(const struct ir_function *kernel, const struct ir_var *var)
{
  unsigned i = 0;
  while (i < kernel->param_count && kernel->params[i] != var) i++;
  return i;
}

static bool same_type(const struct ir_type *a, const struct ir_type *b)
{
  return a && b && a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed;
}

/* The text of a parameter's argument, with the value of the parameter. */
static const char *argument_value(struct range_printer *r, const struct ir_var *param)
{
  unsigned number = param_number(r->launch->kernel, param);
  const struct ir_expr *expr = r->launch->args[number].expr;
  const char *text = argument_text(r->cg, r->launch, number);
  while (expr->kind == IR_EXPR_CONVERT) expr = expr->operands[0];
  if (!text) return NULL;
  if (!same_type(expr->type, param->type))
    text = arena_format(r->cg->arena, "static_cast<%s>(%s)",
                        print_plain_type(r->cg->arena, param->type), text);
  else if (!is_name(text) && (param->type->size < 8 || r->exact))
    text = arena_format(r->cg->arena, "(%s)", text);
  return param->type->size < 8 || r->exact ? text
                                           : arena_format(r->cg->arena, "mesi_limit(%s)", text);
}

const char *launch_shape_text(struct codegen *cg, const struct launch *launch,
                              const struct ir_expr *shape)
{
  return launch_dimension_text(cg->unit, cg->arena, launch, shape);
}

static const char *shape_value(struct range_printer *r, enum ir_builtin builtin)
{
  bool block = builtin < IR_GRID_DIM;
  const struct ir_expr *shape = block ? r->launch->block : r->launch->grid;
  if (r->mapped && !SEEDED(SHAPE_NOT_OF_MAP))
    return arena_format(r->cg->arena, "%s.%c",
                        member_text(r->cg, "mesi_mapped", block ? "written_block" : "written_grid"),
                        "xyz"[builtin % 3]);
  const char *text = launch_shape_text(r->cg, r->launch, shape);
  return text ? arena_format(r->cg->arena, "dim3(%s).%c", text, "xyz"[builtin % 3]) : NULL;
}

static bool replace(struct printer *p, const struct ir_expr *expr)
{
  struct range_printer *r = p->context;
  if (expr->kind == IR_EXPR_VAR && expr->var == r->segment) {
    text_add(p->out, segment_name(r->cg));
    return true;
  }
  if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LAUNCH &&
      expr->var->value <= TABLE_LOW) {
    text_format(p->out, "%s.%s", bounds_name(r->cg, (unsigned)(TABLE_LOW - expr->var->value) / 2),
                expr->var->name);
    return true;
  }
  if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LAUNCH && expr->var->value < 0) {
    text_format(p->out, "mesi_planned_segments().%s", expr->var->name);
    return true;
  }
  if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LAUNCH) {
    text_format(p->out, "%s[%d]", member_text(r->cg, "mesi_planned", "value"),
                (int)expr->var->value);
    return true;
  }
  if (expr->kind != IR_EXPR_BUILTIN &&
      (expr->kind != IR_EXPR_VAR || expr->var->kind != IR_VAR_PARAM))
    return false;
  const char *text = expr->kind == IR_EXPR_VAR ? argument_value(r, expr->var)
                                               : shape_value(r, (enum ir_builtin)expr->value);
  if (text)
    text_add(p->out, text);
  else
    p->failed = true;
  return true;
}

static const char *print_value(struct range_printer *r, const struct ir_expr *expr,
                               const char *none)
{
  if (!expr) return none;
  struct text out = {0};
  struct printer printer = {.arena = r->cg->arena, .out = &out, .replace = replace, .context = r};
  print_expr(&printer, expr);
  const char *text = printer.failed ? NULL : arena_string(r->cg->arena, text_string(&out));
  text_finish(&out);
  return text;
}

const char *launch_value(struct codegen *cg, const struct launch *launch,
                         const struct ir_expr *expr)
{
  return segment_value(cg, launch, expr, NULL);
}

const char *exact_value(struct codegen *cg, const struct launch *launch, const struct ir_expr *expr)
{
  struct range_printer r = {.cg = cg, .launch = launch, .exact = true};
  return print_value(&r, expr, NULL);
}

const char *mapped_value(struct codegen *cg, const struct launch *launch,
                         const struct ir_expr *expr)
{
  struct range_printer r = {.cg = cg, .launch = launch, .mapped = true};
  return print_value(&r, expr, NULL);
}

const char *segment_value(struct codegen *cg, const struct launch *launch,
                          const struct ir_expr *expr, const struct ir_var *segment)
{
  struct range_printer r = {.cg = cg, .launch = launch, .segment = segment};
  return print_value(&r, expr, NULL);
}

const char *segment_name(struct codegen *cg) { return unit_local_name(cg->unit, "_mesi_g"); }

const char *bounds_name(struct codegen *cg, unsigned table)
{
  return unit_local_name(cg->unit, arena_format(cg->arena, "_mesi_b%u", table));
}

static const char *print_range(struct range_printer *r, const struct byte_range *range)
{
  const char *begin = print_value(r, range->begin, "0"), *end = print_value(r, range->end, "0");
  return begin && end ? arena_format(r->cg->arena, "%s, %s", begin, end) : NULL;
}

/* The condition of the range, and that the ranges of other arguments do not overlap it. */
static const char *print_condition(struct range_printer *r, const struct use_range *range,
                                   const struct launch_plan *plan, const char *written,
                                   unsigned number)
{
  struct arena *arena = r->cg->arena;
  int64_t value = 0;
  bool always = ir_constant(range->overwrites, &value) && value;
  const char *condition = always ? "" : print_value(r, range->overwrites, NULL);
  for (unsigned i = 0; i < range->no_alias_count && condition; i++) {
    const struct use_range *other = plan->args[range->no_alias[i]].range;
    const char *read = other && !other->whole ? print_range(r, &other->read) : NULL;
    const char *own = argument_text(r->cg, r->launch, number);
    const char *text = argument_text(r->cg, r->launch, range->no_alias[i]);
    if (!read || !own || !text) return NULL;
    if (*condition && i == 0) condition = arena_format(arena, "(%s)", condition);
    condition = arena_format(arena, "%s%smesi_no_alias(%s, %s, %s, %s)", condition,
                             *condition ? " && " : "", own, written, text, read);
  }
  return condition;
}

/* The range's access, beside that of the argument or the variable that has the range. */
static unsigned access_of(struct codegen *cg, const struct launch *launch,
                          const struct use_range *range)
{
  const struct launch_plan *plan = &cg->plan->launches[launch->id];
  unsigned access = (range->read.begin ? 1u : 0u) | (range->write.begin ? 2u : 0u);

  for (unsigned i = 0; i < launch_text_args(launch); i++)
    if (plan->args[i].range == range) access |= plan->args[i].access & ~3u;
  for (unsigned i = 0; i < plan->use_count; i++)
    if (plan->use_ranges[i] == range) access |= plan->use_access[i] & ~3u;
  return access;
}

const char *range_arguments(struct codegen *cg, const struct launch *launch,
                            const struct use_range *range, unsigned number)
{
  struct range_printer r = {.cg = cg, .launch = launch};
  const char *read = print_range(&r, &range->read), *written = print_range(&r, &range->write);
  if (!read || !written) return NULL;
  const char *condition = NULL, *bits = access_name(access_of(cg, launch, range));
  if (range->overwrites)
    condition = print_condition(&r, range, &cg->plan->launches[launch->id], written, number);
  if (condition && !*condition)
    bits = arena_format(cg->arena, "%s | MESI_OVERWRITE", bits);
  else if (condition)
    bits = arena_format(cg->arena, "%s | (%s ? MESI_OVERWRITE : 0u)", bits, condition);
  return arena_format(cg->arena, "%s, %s, %s", read, written, bits);
}

static const char *print_part(struct range_printer *r, const struct part_range *part)
{
  if (!part->step) return "{}";
  const char *step = print_value(r, part->step, NULL), *rest = print_range(r, &part->rest);
  return step && rest ? arena_format(r->cg->arena, "{%s, %s}", step, rest) : "{}";
}

const char *part_arguments(struct codegen *cg, const struct launch *launch,
                           const struct use_range *range, unsigned number)
{
  struct range_printer r = {.cg = cg, .launch = launch};
  const char *text = range_arguments(cg, launch, range, number);
  if (!text || (!range->read_part.step && !range->write_part.step)) return text;
  return arena_format(cg->arena, "%s, %s, %s", text, print_part(&r, &range->read_part),
                      print_part(&r, &range->write_part));
}

const char *use_range_text(struct codegen *cg, const struct launch *launch, unsigned number,
                           bool parted)
{
  const struct use_range *range = cg->plan->launches[launch->id].use_ranges[number];
  if (!range || (range->whole && !parted)) return NULL;
  return (parted ? part_arguments : range_arguments)(cg, launch, range, 0);
}

/* SPDX-License-Identifier: MIT */
/* emit_segments.c - a copy of segments whose bases change in a loop.
 *
 *     for (int page = 0; page < pages; page++) {
 *       bool _new_v = page == 0;
 *       for (int _g = 0; _g < _segments.count && !_new_v; _g++)
 *         _new_v =
 *             mesi_element(b, page * n + _g, ...) != mesi_element(b, (page - 1) * n + _g, ...);
 *       if (_new_v) {
 *         __syncthreads();
 *         for (int _g = 0; _g < _segments.count; _g++) {
 *           if (page != 0 && ...the same...) continue;
 *           const long long _o_v = mesi_element(b, page * n + _g, ...) + _segments.low[_g];
 *           ...threads copy _segments.length[_g] elements from there, within the object...
 *         }
 *         __syncthreads();
 *       }
 *       ...v[b[page * n + f] + t[...]] as _s_v[_segments.shift[f] + t[...]]...
 *
 * In kernels for a known number of segments, the present bases stay in registers: each is looked up
 * once an iteration. The kernel does not write tables, so that all threads get the same answer.
 * Requires a loop that all threads execute together.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "codegen/kernel/stage.h"
#include "runtime/seeded.h"

static const char *text_of(struct staged *s, const struct ir_expr *expr, int precedence)
{
  struct text out = {0}, *outer = s->printer.out;
  s->printer.out = &out;
  print_expr_at(&s->printer, expr, precedence);
  s->printer.out = outer;
  const char *text = arena_string(s->cg->arena, text_string(&out));
  text_finish(&out);
  return text;
}

const struct stage *segmented_stage(const struct kernel_variant *variant)
{
  for (unsigned i = 0; i < variant->stage_count; i++)
    if (variant->stages[i].segmentation) return &variant->stages[i];
  return NULL;
}

/* The text of `expr` for the iteration before. */
static const char *before_text(struct staged *s, const struct segmentation *segmentation,
                               const struct ir_expr *expr)
{
  long long step = segmentation->step;
  s->iterator = segmentation->iterator;
  s->iterator_text = arena_format(s->cg->arena, step < 0 ? "(%s + %lld)" : "(%s - %lld)",
                                  segmentation->iterator->name, step < 0 ? -step : step);
  const char *text = text_of(s, expr, 10);
  s->iterator = NULL;
  return text;
}

static const char *at_first(struct staged *s, const struct segmentation *segmentation,
                            const char *relation)
{
  return arena_format(s->cg->arena, "%s %s %s", segmentation->iterator->name, relation,
                      text_of(s, segmentation->from, 10));
}

static void open_segments(struct staged *s, const char *more)
{
  const char *count = s->number ? arena_format(s->cg->arena, "%u", s->number)
                                : arena_format(s->cg->arena, "%s.count", s->segments);
  print_text_line(&s->printer, "for (int %s = 0; %s < %s%s; %s++)%s", s->segment_text,
                  s->segment_text, count, more, s->segment_text, *more ? "" : " {");
  s->printer.indent++;
}

static void copy_segment(struct staged *s, struct staged_array *array)
{
  const struct segmentation *segmentation = array->stage->segmentation;
  struct printer *p = &s->printer;
  const char *first = staged_name(s->cg, arena_format(s->cg->arena, "_o%s", array->name + 2)),
             *at = staged_name(s->cg, "_i0");
  const char *length = arena_format(s->cg->arena, "%s.length[%s]", s->segments, s->segment_text);
  print_text_line(p, "const long long %s = %s + %s.low[%s];", first,
                  text_of(s, segmentation->base, 12), s->segments, s->segment_text);
  print_text_line(p, "for (int %s = %s; %s < %s; %s += %s)", at, s->thread, at, length, at,
                  s->thread_count);
  p->indent++;
  print_text_line(p, "if (%s + %s >= %s && %s + %s < %s)", first, at,
                  text_of(s, segmentation->begin, 11), first, at,
                  text_of(s, segmentation->end, 11));
  p->indent++;
  const char *device = arena_format(s->cg->arena, "%s[%s + %s]", array->access, first, at);
  const char *row = s->rows && !SEEDED(ROWS_COPIED_CLOSE)
                        ? arena_format(s->cg->arena, " + mesi_segment_row(%s, %s.rows[%s])", at,
                                       s->segments, s->segment_text)
                        : "";
  const char *shared = arena_format(s->cg->arena, "%s[%s.at[%s] + %s%s]", array->name, s->segments,
                                    s->segment_text, at, row);
  if (p->wrap)
    print_checked_copy(s, array, device, shared, false);
  else
    print_text_line(p, "%s = %s;", shared, device);
  p->indent -= 2;
}

static void begin(struct staged *s, const struct segmentation *segmentation)
{
  s->segment = segmentation->segment;
  s->segment_text = staged_name(s->cg, "_g");
}

static void end(struct staged *s) { s->segment = NULL; }

void emit_segments(struct staged *s, struct staged_array *array)
{
  begin(s, array->stage->segmentation);
  open_segments(s, "");
  copy_segment(s, array);
  s->printer.indent--;
  print_text_line(&s->printer, "}");
  end(s);
}

/* The part of a base that the loop changes, for a known number of segments: its value at the last
 * fetch of the segment stays in registers. */
static const char *bases_name(struct staged *s, const struct staged_array *array,
                              const char *format)
{
  return staged_name(s->cg, arena_format(s->cg->arena, format, array->name + 2));
}

static const char *base_type(const struct segmentation *segmentation)
{
  const struct ir_type *type = segmentation->changing->type;
  bool is_int = type && type->kind == IR_TYPE_INT && type->size <= 4 && type->is_signed;

  return is_int ? "int" : "long long";
}

void declare_bases(struct staged *s)
{
  for (unsigned i = 0; i < s->variant->stage_count; i++) {
    const struct segmentation *segmentation = s->variant->stages[i].segmentation;
    if (s->number && segmentation && segmentation->loop)
      print_text_line(&s->printer, "%s %s[%u];", base_type(segmentation),
                      bases_name(s, &s->arrays[i], "_b%s"), s->number);
  }
}

/* Declares and sets _new_v. *ret_now, *ret_before: the texts of a segment's present base and of its
 * last one: registers for a known number of segments, otherwise look-ups. */
static void find_new(struct staged *s, struct staged_array *array, const char *anew,
                     const char **ret_now, const char **ret_before)
{
  const struct segmentation *segmentation = array->stage->segmentation;
  struct printer *p = &s->printer;
  const char *now = text_of(s, segmentation->changing, 10),
             *before = before_text(s, segmentation, segmentation->changing);
  const char *staged =
      s->partly ? arena_format(s->cg->arena, "%s.length[%s] != 0 && ", s->segments, s->segment_text)
                : "";
  print_text_line(p, "bool %s = %s;", anew, at_first(s, segmentation, "=="));
  if (s->number) {
    const char *name = bases_name(s, array, "_now%s");
    print_text_line(p, "%s %s[%u];", base_type(segmentation), name, s->number);
    open_segments(s, "");
    *ret_now = arena_format(s->cg->arena, "%s[%s]", name, s->segment_text);
    *ret_before =
        arena_format(s->cg->arena, "%s[%s]", bases_name(s, array, "_b%s"), s->segment_text);
    print_text_line(p, "%s = %s;", *ret_now, now);
    if (!SEEDED(SEGMENT_BASE_STALE))
      print_text_line(p, "%s = %s || (%s%s != %s);", anew, anew, staged, *ret_now, *ret_before);
    p->indent--;
    print_text_line(p, "}");
    return;
  }
  open_segments(s, arena_format(s->cg->arena, " && !%s", anew));
  print_text_line(p, "%s = %s%s != %s;", anew, staged, now, before);
  p->indent--;
  *ret_now = now;
  *ret_before = before;
}

static void segment_segments(struct staged *s, struct staged_array *array)
{
  const struct segmentation *segmentation = array->stage->segmentation;
  struct printer *p = &s->printer;
  const char *anew = bases_name(s, array, "_new%s"), *now, *before;
  const char *kept =
      s->partly ? arena_format(s->cg->arena, "%s.length[%s] == 0 || ", s->segments, s->segment_text)
                : "";
  find_new(s, array, anew, &now, &before);
  print_text_line(p, "if (%s) {", anew);
  p->indent++;
  print_stage_barrier(s);
  open_segments(s, "");
  print_text_line(p, *kept ? "if (%s(%s && %s == %s))" : "if (%s%s && %s == %s)", kept,
                  at_first(s, segmentation, "!="), now, before);
  p->indent++;
  print_text_line(p, "continue;");
  p->indent--;
  if (s->number) print_text_line(p, "%s = %s;", before, now);
  copy_segment(s, array);
  p->indent--;
  print_text_line(p, "}");
  print_stage_barrier(s);
  p->indent--;
  print_text_line(p, "}");
}

/* Prints the head of the body of `loop`, which may be a copy without unused locals. */
static void enter_loop(struct printer *p, const struct ir_stmt *loop)
{
  struct staged *s = p->context;
  for (unsigned i = 0; i < s->variant->stage_count; i++) {
    const struct segmentation *segmentation = s->variant->stages[i].segmentation;
    if (!segmentation || !segmentation->loop || segmentation->loop->loop != loop->loop) continue;
    begin(s, segmentation);
    segment_segments(s, &s->arrays[i]);
    end(s);
  }
}

/* v[base + position]  =>  (_segments.length[f] ? _s_v[...] : v[...]) */
void print_partly_staged(struct staged *s, const struct ir_expr *expr, const char *position)
{
  const struct segmentation *segmentation = segmented_stage(s->variant)->segmentation;
  text_format(s->printer.out, "(%s.length[%s] ? %s : ", s->segments, segmentation->segment->name,
              position);
  s->kept = expr;
  print_expr_at(&s->printer, expr, 3);
  s->kept = NULL;
  text_add(s->printer.out, ")");
}

/* ---- tables that the loops do not read ---- */

static const struct table_part *part_read(const struct segmentation *segmentation,
                                          const struct ir_expr *expr)
{
  for (unsigned i = 0; i < segmentation->table_count; i++)
    for (unsigned k = 0; k < segmentation->tables[i].read_count; k++)
      if (segmentation->tables[i].reads[k] == expr) return &segmentation->tables[i];
  return NULL;
}

/* Do the table's elements fit into registers: one, or one for each of a known number of
 * segments? */
static bool is_kept(const struct staged *s, const struct table_part *table)
{
  return table->kept && table->read_count && (s->number || !table->of_segment);
}

static const char *kept_name(struct staged *s, const struct table_part *table)
{
  return staged_name(s->cg,
                     arena_format(s->cg->arena, "_k%u_%s", (unsigned)(table - s->even->tables),
                                  s->kernel->params[table->param]->name));
}

/* int _k1_t[3]; for (int _g = 0; _g < 3; _g++) _k1_t[_g] = t[_g * blockDim.x + threadIdx.x]; */
void keep_elements(struct staged *s)
{
  for (unsigned i = 0; s->even && i < s->even->table_count; i++) {
    const struct table_part *table = &s->even->tables[i];
    if (!is_kept(s, table)) continue;
    const char *type = print_plain_type(s->cg->arena, table->element), *name = kept_name(s, table);
    const char *array = print_var_text(s->cg->arena, s->kernel->params[table->param]);
    begin(s, s->even);
    const char *index = text_of(s, table->kept, 0);
    if (table->of_segment) {
      print_text_line(&s->printer, "%s %s[%u];", type, name, s->number);
      open_segments(s, "");
      print_text_line(&s->printer, "%s[%s] = %s[%s];", name, s->segment_text, array, index);
      s->printer.indent--;
      print_text_line(&s->printer, "}");
    } else {
      print_text_line(&s->printer, "const %s %s = %s[%s];", type, name, array, index);
    }
    end(s);
  }
}

/* t[s * n + f]  =>  (_segments.first[f] + s * _segments.increment[f]), or _k0_t[f] */
bool print_even(struct staged *s, const struct ir_expr *expr)
{
  const struct table_part *table = s->even ? part_read(s->even, expr) : NULL;
  if (!table || (table != s->even->even && !is_kept(s, table))) return false;
  const char *number = table->of_segment ? s->even->segment->name : "0";
  if (table == s->even->even)
    text_format(s->printer.out, "(%s.first[%s] + %s * %s.increment[%s])", s->segments, number,
                table->counts->name, s->segments, number);
  else
    text_format(s->printer.out, table->of_segment ? "%s[%s]" : "%s", kept_name(s, table), number);
  return true;
}

/* The element of the table that tells a thread's row: from a register, or read. */
static const char *row_element(struct staged *s, const struct table_part *table)
{
  const char *index = text_of(s, table->kept, 0);
  for (unsigned i = 0; s->even && i < s->even->table_count; i++) {
    const struct table_part *other = &s->even->tables[i];
    if (!is_kept(s, other) || other->param != table->param ||
        strcmp(text_of(s, other->kept, 0), index))
      continue;
    const char *segment = s->even->segment ? s->even->segment->name : "0";
    return other->of_segment ? arena_format(s->cg->arena, "%s[%s]", kept_name(s, other), segment)
                             : kept_name(s, other);
  }
  return arena_format(s->cg->arena, "%s[%s]",
                      print_var_text(s->cg->arena, s->kernel->params[table->param]), index);
}

/* _segments.shift[f]  =>  (_segments.shift[f] + mesi_segment_row(t[...] - _segments.row_low[f],
 * _segments.rows[f])), where t tells in which row a thread is */
bool print_rows(struct staged *s, const struct ir_expr *expr)
{
  const struct stage *stage = s->rows ? segmented_stage(s->variant) : NULL;
  const struct ir_expr *base = expr->kind == IR_EXPR_INDEX ? expr->operands[0] : NULL;
  if (!stage || !base || base->kind != IR_EXPR_VAR || base->var->kind != IR_VAR_LAUNCH ||
      base->var->value != SEGMENT_SHIFT)
    return false;
  const struct table_part *table = stage->segmentation->rows;
  const char *segment = stage->segmentation->segment ? stage->segmentation->segment->name : "0";
  const char *low = SEEDED(ROWS_FROM_ZERO)
                        ? "0"
                        : arena_format(s->cg->arena, "%s.row_low[%s]", s->segments, segment);
  text_format(s->printer.out, "(%s.shift[%s] + mesi_segment_row(%s - %s, %s.rows[%s]))",
              s->segments, segment, row_element(s, table), low, s->segments, segment);
  return true;
}

/* Unrolls loops of few segments whose summands are at computed places by four: each cache line is
 * used up before it is replaced, and loads wait less for each other. */
static void unroll_even(struct staged *s)
{
  if (s->even && s->number && !s->several) s->printer.unrolled = s->even->even->loop;
}

void prepare_segments(struct staged *s)
{
  unroll_even(s);
  for (unsigned i = 0; i < s->variant->stage_count; i++) {
    const struct segmentation *segmentation = s->variant->stages[i].segmentation;
    if (!segmentation || !segmentation->loop) continue;
    s->printer.entered = segmentation->loop;
    s->printer.enter = enter_loop;
  }
}

/* ---- the launch ---- */

/* table, 4, true, first, last, step */
static const char *elements_text(struct codegen *cg, const struct launch *launch,
                                 const struct segmentation *segmentation,
                                 const struct table_part *table)
{
  const char *pointer = argument_text(cg, launch, table->param), *bounds[3];
  const struct ir_expr *exprs[3] = {table->first, table->last, table->step};
  for (unsigned k = 0; k < 3; k++)
    bounds[k] = segment_value(cg, launch, exprs[k], segmentation->segment);
  assert(pointer && bounds[0] && bounds[1] && bounds[2]);
  return arena_format(cg->arena, "%s, %lld, %s, %s, %s, %s", pointer,
                      (long long)table->element->size, table->element->is_signed ? "true" : "false",
                      bounds[0], bounds[1], bounds[2]);
}

/* mesi_plan_elements(_mesi_m, 0, table, 4, true, first, last, step) */
static const char *table_text(struct codegen *cg, const struct launch *launch,
                              const struct segmentation *segmentation, unsigned i)
{
  const struct table_part *table = &segmentation->tables[i];
  const char *elements = elements_text(cg, launch, segmentation, table);
  const char *text = arena_format(
      cg->arena, "const mesi_bounds %s = mesi_plan_elements%s(%s, %u, %s); ", bounds_name(cg, i),
      table->wraps ? "_unsigned" : "", unit_local_name(cg->unit, "_mesi_m"), i, elements);
  if (table != segmentation->even || cg->check) return text;
  return arena_format(cg->arena, "%smesi_plan_evenly(%s, %s); ", text,
                      segmentation->segment ? segment_name(cg) : "0", elements);
}

/* All values, besides the contents of tables, on which the segments may depend: integers, pointers,
 * the launch's shape. */
static const char *key_text(struct codegen *cg, const struct launch *launch)
{
  const char *block = launch_shape_text(cg, launch, launch->block),
             *grid = launch_shape_text(cg, launch, launch->grid);
  const char *text = arena_format(cg->arena, "mesi_shape_key(%s), mesi_shape_key(%s)", grid, block);
  for (unsigned i = 0; i < launch->kernel->param_count; i++) {
    enum ir_type_kind kind = launch->kernel->params[i]->type->kind;
    if (kind == IR_TYPE_INT || kind == IR_TYPE_POINTER)
      text = arena_format(cg->arena, "%s, (long long)(%s)", text, argument_text(cg, launch, i));
  }
  return text;
}

/* mesi_plan_grouping(...): finds the bases that iterations share, where there are kernels for
 * that. */
static const char *grouping_text(struct codegen *cg, const struct launch *launch,
                                 const struct kernel_variant *variant,
                                 const struct segmentation *segmentation)
{
  const struct several *several = variant->choice->several;
  bool any = false;
  for (unsigned i = 0; i <= MOST_NUMBERS; i++) any |= variant->choice->kernels.several[i];
  if (!any) return "";
  return arena_format(cg->arena, "mesi_plan_grouping(%s, %u, %s, %s, %u, %u); ",
                      unit_local_name(cg->unit, "_mesi_m"), segmentation->table_count,
                      segmentation->segment ? segment_name(cg) : "0",
                      elements_text(cg, launch, segmentation, segmentation->grouped),
                      several->inner, several->count / several->inner);
}

/* mesi_plan_worth(...): how long a segment may be, by how often its base changes. Where segments
 * are weighed together none is refused by itself: all in one copy are read faster than some beside
 * others. */
static const char *worth_text(struct codegen *cg, const struct launch *launch,
                              const struct kernel_variant *variant,
                              const struct segmentation *segmentation)
{
  if (variant->choice->segment_reuse > 0) return "";
  if (!segmentation->grouped || !segmentation->segment || !segmentation->loop) return "";
  const char *accesses = launch_value(cg, launch, segmentation->accesses),
             *block = launch_shape_text(cg, launch, launch->block),
             *count = launch_value(cg, launch, segmentation->segments);
  if (!accesses || !count) return "";
  return arena_format(cg->arena,
                      "mesi_plan_worth(%s, %u, %s, (%s) * mesi_threads_of(%s) / (double)(%s), "
                      "%s); ",
                      unit_local_name(cg->unit, "_mesi_m"), segmentation->table_count,
                      segment_name(cg), accesses, block, count,
                      elements_text(cg, launch, segmentation, segmentation->grouped));
}

/* mesi_plan_rows(...): rows of the copy by which lanes of a warp are apart. */
static const char *rows_text(struct codegen *cg, const struct launch *launch,
                             const struct kernel_variant *variant, const struct stage *stage)
{
  const struct segmentation *segmentation = stage->segmentation;
  const struct kernel_names *names = names_of(cg, variant);
  long long size = (long long)stage->element->size;
  if (!variant->choice->kernels.rows) return "";
  return arena_format(cg->arena, "mesi_plan_rows(%s, {%u, %u, %lld}, %s, %lld, %s); ",
                      unit_local_name(cg->unit, "_mesi_m"),
                      names->rows ? 1u << variant->stage_count : 0, names->number_count,
                      (long long)variant->choice->capacity / size,
                      segmentation->segment ? segment_name(cg) : "0", size,
                      elements_text(cg, launch, segmentation, segmentation->rows));
}

const char *segments_prefix(struct codegen *cg, const struct launch *launch,
                            const struct kernel_variant *variant, const struct stage *stage)
{
  const struct segmentation *segmentation = stage->segmentation;
  bool parts = names_of(cg, variant)->choice_count >
               (1u << variant->stage_count) + names_of(cg, variant)->rows;
  uint64_t room = parts ? variant->choice->capacity / (uint64_t)stage->element->size : 0;
  const char *count = launch_value(cg, launch, segmentation->segments), *tables = "", *known = "";
  const char *low = segment_value(cg, launch, segmentation->low, segmentation->segment),
             *high = segment_value(cg, launch, segmentation->high, segmentation->segment);
  for (unsigned i = 0; i < segmentation->table_count; i++) {
    tables = arena_format(cg->arena, "%s%s", tables, table_text(cg, launch, segmentation, i));
    known = arena_format(cg->arena, "%s%s%s.known", known, i ? " && " : "", bounds_name(cg, i));
  }
  const char *grouping = grouping_text(cg, launch, variant, segmentation);
  const char *rows = rows_text(cg, launch, variant, stage);
  const char *memory = unit_local_name(cg->unit, "_mesi_m"), *key = key_text(cg, launch),
             *worth = parts && !cg->check ? worth_text(cg, launch, variant, segmentation) : "";
  assert(count && low && high);
  return arena_format(
      cg->arena,
      "[&]() { static thread_local mesi_segments_memory %s; mesi_plan_segments(%s, {%s}, %" PRIu64
      ", %s, [&](long long%s%s) { "
      "%s%s%s%sreturn mesi_bounds_of(%s, %s, %s); }); }(), ",
      memory, memory, key, room, count, segmentation->segment ? " " : "",
      segmentation->segment ? segment_name(cg) : "", tables, worth, grouping, rows,
      *known ? known : "true", low, high);
}

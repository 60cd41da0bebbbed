/* SPDX-License-Identifier: MIT */
/* emit_copy.c - the staged copies and the loops that fill them and write them back (figure 6 of the
 * paper).
 *
 *     __shared__ float _s_a[2][256];
 *     const int _t = threadIdx.x;
 *     const int _o_a_0 = 2 * blockIdx.y;
 *     for (int _i0 = 0; _i0 < 2; _i0++)
 *       for (int _i1 = _t; _i1 < 256; _i1 += 128)
 *         _s_a[_i0][_i1] = a[_o_a_0 + _i0][_i1];
 *     __syncthreads();
 *
 * Where the innermost size is smaller than the block, one loop runs over all elements. In both
 * forms consecutive threads take consecutive elements of the innermost dimension. Requires a
 * constant block size.
 */
#include <inttypes.h>
#include <string.h>

#include "codegen/kernel/stage.h"
#include "runtime/seeded.h"

static const char *expr_text(struct staged *s, const struct ir_expr *expr, int precedence)
{
  struct text out = {0}, *outer = s->printer.out;
  s->printer.out = &out;
  print_expr_at(&s->printer, expr, precedence);
  s->printer.out = outer;
  const char *result = arena_copy(s->cg->arena, text_string(&out), out.length);
  text_finish(&out);
  return result;
}

static bool is_zero(const struct ir_expr *expr)
{
  int64_t value;
  return !expr || (ir_constant(expr, &value) && value == 0);
}

static void note_wide(struct ir_expr *expr, void *context)
{
  bool integer = expr->type->kind == IR_TYPE_INT;
  if (integer && expr->type->size == 8 && expr->kind != IR_EXPR_INT) *(bool *)context = true;
  if (expr->kind == IR_EXPR_VAR && expr->var->type->kind == IR_TYPE_INT &&
      expr->var->type->size == 8)
    *(bool *)context = true;
}

bool is_wide(const struct ir_expr *expr)
{
  bool wide = false;
  if (expr) ir_visit_expr((struct ir_expr *)expr, note_wide, &wide);
  return wide;
}

/* ---- declarations ---- */

static const char *bounds(struct staged *s, const struct stage *stage)
{
  const char *text = "";
  for (unsigned d = 0; d < stage->dim_count; d++)
    text = arena_format(s->cg->arena, "%s[%" PRId64 "]", text,
                        stage->dims[d].size + (d + 1 == stage->dim_count ? stage->padding : 0));
  return text;
}

static const char *declared_text(struct staged *s, const struct staged_array *array)
{
  return s->printer.wrap ? check_shared_text(s->cg, array->name) : "";
}

static void declare_static(struct staged *s)
{
  for (unsigned i = 0; i < s->variant->stage_count; i++) {
    const struct staged_array *array = &s->arrays[i];
    print_text_line(&s->printer, "__shared__ %s %s%s;%s",
                    print_plain_type(s->cg->arena, array->stage->element), array->name,
                    bounds(s, array->stage), declared_text(s, array));
  }
}

/* Declares all copies in one buffer, each at a multiple of 16 bytes. */
static void declare_dynamic(struct staged *s)
{
  if (s->cg->options->target_cpu)
    print_text_line(&s->printer,
                    "unsigned char (&%s)[] = *(unsigned char (*)[])mesi_cpu_dynamic_shared();",
                    s->buffer);
  else
    print_text_line(&s->printer, "extern __shared__ __align__(16) unsigned char %s[];", s->buffer);
  uint64_t offset = 0;
  for (unsigned i = 0; i < s->variant->stage_count; i++) {
    const struct staged_array *array = &s->arrays[i];
    const char *type = print_plain_type(s->cg->arena, array->stage->element),
               *size = bounds(s, array->stage);
    print_text_line(&s->printer, "%s (&%s)%s = *(%s (*)%s)(%s + %" PRIu64 ");%s", type, array->name,
                    size, type, size, s->buffer, offset, declared_text(s, array));
    offset = (offset + (SEEDED(COPIES_OVERLAP) ? 0 : array->stage->bytes) + 15) / 16 * 16;
  }
}

static void declare_any_thread(struct staged *s)
{
  print_text_line(
      &s->printer,
      "const int %s = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;",
      s->thread);
  print_text_line(&s->printer, "const int %s = blockDim.x * blockDim.y * blockDim.z;",
                  s->thread_count);
}

static void declare_thread(struct staged *s)
{
  const int64_t *block = s->variant->block;
  if (s->threads < 0) {
    declare_any_thread(s);
    return;
  }
  const char *index = "threadIdx.x";
  if (block[1] > 1 || block[2] > 1)
    index = arena_format(s->cg->arena,
                         block[0] > 1 ? "threadIdx.y * %" PRId64 " + threadIdx.x" : "threadIdx.y",
                         block[SEEDED(THREAD_NUMBER) ? 1 : 0]);
  if (block[2] > 1)
    index =
        arena_format(s->cg->arena, "threadIdx.z * %" PRId64 " + %s", block[0] * block[1], index);
  print_text_line(&s->printer, "const int %s = %s;", s->thread, index);
}

static void declare_offsets(struct staged *s, struct staged_array *array)
{
  const struct stage *stage = array->stage;
  for (unsigned d = 0; d < stage->dim_count; d++) {
    if (is_zero(stage->dims[d].offset)) continue;
    array->offsets[d] =
        staged_name(s->cg, arena_format(s->cg->arena, "_o%s_%u", array->name + 2, d));
    print_text_line(&s->printer, "const %s %s = %s;",
                    is_wide(stage->dims[d].offset) ? "long long" : "int", array->offsets[d],
                    expr_text(s, stage->dims[d].offset, 2));
  }
}

/* ---- one element ---- */

/* a[g0][g1], or a[g0 * stride + g1] */
static const char *global_element(struct staged *s, const struct staged_array *array,
                                  const char **global)
{
  const struct stage *stage = array->stage;
  const char *text = "";
  for (unsigned d = 0; d < stage->dim_count; d++) {
    int64_t stride = 0;
    bool one = stage->is_flat && ir_constant(stage->strides[d], &stride) && stride == 1;
    const char *index = global[d];
    bool nothing = stage->is_flat && !strcmp(index, "0");
    if (nothing && (*text || d + 1 < stage->dim_count)) continue;
    if (stage->is_flat && !one && !nothing)
      index = arena_format(s->cg->arena, strpbrk(index, " ") ? "%s(%s) * %s" : "%s%s * %s",
                           stage->wide && !is_wide(stage->strides[d]) ? "(long long)" : "", index,
                           expr_text(s, stage->strides[d], 14));
    if (!stage->is_flat)
      text = arena_format(s->cg->arena, "%s[%s]", text, index);
    else
      text = arena_format(s->cg->arena, "%s%s%s", text, *text ? " + " : "", index);
  }
  return arena_format(s->cg->arena, stage->is_flat ? "%s[%s]" : "%s%s", array->access, text);
}

static const char *staged_element(struct staged *s, const struct staged_array *array,
                                  const char **local)
{
  const char *text = array->name;
  if (s->plan) return choice_element(s, array, local);
  for (unsigned d = 0; d < array->stage->dim_count; d++)
    text = arena_format(s->cg->arena, "%s[%s]", text, local[d]);
  return text;
}

/* The place is the kernel's name: no source has these loops. */
void print_checked_copy(struct staged *s, const struct staged_array *array, const char *in_device,
                        const char *in_shared, bool store)
{
  const struct ir_place *place = &s->kernel->name_place;
  const char *device =
      check_site(s->cg, (struct check_site){place, in_device, array->stage->array->name, false});
  const char *shared = check_site(s->cg, (struct check_site){place, in_shared, array->name, true});
  if (store)
    print_text_line(&s->printer, "mesi_check::write(%s, %s) = mesi_check::read(%s, %s);", in_device,
                    device, in_shared, shared);
  else
    print_text_line(&s->printer, "mesi_check::stage(%s, %s) = mesi_check::peek(%s, %s);", in_shared,
                    shared, in_device, device);
}

static void copy_element(struct staged *s, struct staged_array *array, const char **local,
                         bool store)
{
  const struct stage *stage = array->stage;
  const char **global = arena_alloc(s->cg->arena, (stage->dim_count + 1) * sizeof *global);
  for (unsigned d = 0; d < stage->dim_count; d++) {
    global[d] = local[d];
    if (array->offsets[d] && !strcmp(local[d], "0"))
      global[d] = array->offsets[d];
    else if (array->offsets[d])
      global[d] = arena_format(s->cg->arena, "%s + %s", array->offsets[d], local[d]);
  }
  const struct ir_expr *guard = store ? stage->store_guard : stage->load_guard;
  const char *in_device = global_element(s, array, global),
             *in_shared = staged_element(s, array, local);
  if (store ? SEEDED(STORE_GUARD) : SEEDED(LOAD_GUARD)) guard = NULL;
  if (guard) {
    s->guarded = array;
    s->coordinates = global;
    print_text_line(&s->printer, "if (%s)", expr_text(s, guard, 1));
    s->guarded = NULL;
    s->printer.indent++;
  }
  if (s->printer.wrap)
    print_checked_copy(s, array, in_device, in_shared, store);
  else
    print_text_line(&s->printer, "%s = %s;", store ? in_device : in_shared,
                    store ? in_shared : in_device);
  if (guard) s->printer.indent--;
}

/* ---- loops ---- */

enum { WARP = 32 };

static const char *counter(struct staged *s, unsigned dim)
{
  return staged_name(s->cg, arena_format(s->cg->arena, "_i%u", dim));
}

/* Rows of a length that only the launch knows may be shorter than the block: a warp takes each. */
static bool by_warps(const struct staged *s, const struct stage *stage)
{
  unsigned last = stage->dim_count - 1;
  return stage->dims[last].size < 0 && last > 0 && stage->dims[last - 1].size != 1 &&
         s->threads > WARP && s->threads % WARP == 0;
}

/* Loops over the outer dimensions, the threads or the lanes along the innermost. */
static void copy_rows(struct staged *s, struct staged_array *array, const char **local, bool store)
{
  const struct stage *stage = array->stage;
  unsigned indent = s->printer.indent, last = stage->dim_count - 1;
  bool warps = by_warps(s, stage);
  const char *thread = s->thread, *step = s->thread_count;
  for (unsigned d = 0; d < last; d++) {
    local[d] = stage->dims[d].size == 1 ? "0" : counter(s, d);
    if (stage->dims[d].size == 1) continue;
    if (warps && d + 1 == last)
      print_text_line(&s->printer, "for (int %s = %s / %d; %s < %s; %s += %d)", local[d], thread,
                      WARP, local[d], array->lengths[d], local[d], (int)(s->threads / WARP));
    else
      print_text_line(&s->printer, "for (int %s = 0; %s < %s; %s++)", local[d], local[d],
                      array->lengths[d], local[d]);
    s->printer.indent++;
  }
  local[last] = counter(s, last);
  if (warps) {
    thread = arena_format(s->cg->arena, "%s %% %d", thread, WARP);
    step = arena_format(s->cg->arena, "%d", WARP);
  }
  if (SEEDED(COPY_STEP)) step = arena_format(s->cg->arena, "2 * %s", step);
  print_text_line(&s->printer, "for (int %s = %s; %s < %s; %s += %s)", local[last], thread,
                  local[last], array->lengths[last], local[last], step);
  s->printer.indent++;
  copy_element(s, array, local, store);
  s->printer.indent = indent;
}

/* The elements of the dimensions from `first` on; below 0: not constant. */
static int64_t elements_from(const struct stage *stage, unsigned first)
{
  int64_t elements = 1;
  for (unsigned d = first; d < stage->dim_count; d++)
    elements = stage->dims[d].size < 0 || elements < 0 ? -1 : elements * stage->dims[d].size;
  return elements;
}

static const char *elements_text(struct staged *s, const struct staged_array *array, unsigned first)
{
  int64_t elements = elements_from(array->stage, first);
  if (elements >= 0) return arena_format(s->cg->arena, "%" PRId64, elements);
  const char *text = array->lengths[first];
  for (unsigned d = first + 1; d < array->stage->dim_count; d++)
    text = arena_format(s->cg->arena, "%s * %s", text, array->lengths[d]);
  return text;
}

/* One loop over all elements. */
static void copy_flat(struct staged *s, struct staged_array *array, const char **local, bool store)
{
  const struct stage *stage = array->stage;
  int64_t total = elements_from(stage, 0);
  const char *end = total >= 0 && SEEDED(LAST_CHUNK)
                        ? arena_format(s->cg->arena, "%" PRId64, total / s->threads * s->threads)
                        : elements_text(s, array, 0);
  print_text_line(&s->printer, "for (int %s = %s; %s < %s; %s += %s) {", s->element, s->thread,
                  s->element, end, s->element, s->thread_count);
  s->printer.indent++;
  bool outermost = true;
  for (unsigned d = 0; d < stage->dim_count; d++) {
    bool last = elements_from(stage, d + 1 + (d && SEEDED(ROW_LENGTH) ? 1 : 0)) == 1;
    local[d] = stage->dims[d].size == 1 ? "0" : counter(s, d);
    if (stage->dims[d].size == 1) continue;
    const char *inner = elements_text(s, array, d + 1);
    const char *divided =
        last ? s->element
             : arena_format(s->cg->arena, strchr(inner, ' ') ? "%s / (%s)" : "%s / %s", s->element,
                            inner);
    if (outermost)
      print_text_line(&s->printer, "const int %s = %s;", local[d], divided);
    else
      print_text_line(&s->printer, "const int %s = %s %% %s;", local[d], divided,
                      array->lengths[d]);
    outermost = false;
  }
  copy_element(s, array, local, store);
  s->printer.indent--;
  print_text_line(&s->printer, "}");
}

/* Copies a single element, by the first thread. */
static void copy_one(struct staged *s, struct staged_array *array, const char **local, bool store)
{
  for (unsigned d = 0; d < array->stage->dim_count; d++) local[d] = "0";
  print_text_line(&s->printer, "if (%s == 0)", s->thread);
  s->printer.indent++;
  copy_element(s, array, local, store);
  s->printer.indent--;
}

/* Are rows too short to give each thread of the block an element? */
static bool short_rows(const struct staged *s, const struct stage *stage)
{
  int64_t last = stage->dims[stage->dim_count - 1].size;
  return last >= 0 && last < (s->threads > 0 ? s->threads : 128) && elements_from(stage, 0) != last;
}

static void copy_array(struct staged *s, struct staged_array *array, bool store)
{
  const char **local = arena_alloc(s->cg->arena, (array->stage->dim_count + 1) * sizeof *local);
  if (elements_from(array->stage, 0) == 1)
    copy_one(s, array, local, store);
  else if (short_rows(s, array->stage))
    copy_flat(s, array, local, store);
  else
    copy_rows(s, array, local, store);
}

/* Keeps the pointer at the kernel's head for the write-back: the kernel may assign its
 * parameter. */
static void keep_pointer(struct staged *s, struct staged_array *array)
{
  const struct ir_var *var = array->stage->array;
  if (!array->stage->store || var->kind != IR_VAR_PARAM || !var->write_count ||
      SEEDED(KEPT_POINTER))
    return;
  const char *kept = staged_name(s->cg, arena_format(s->cg->arena, "_p%s", array->name + 2));
  print_text_line(&s->printer, "const auto %s = %s;", kept, array->access);
  array->access = kept;
}

void print_stage_barrier(struct staged *s)
{
  if (!s->printer.wrap) {
    print_text_line(&s->printer, "__syncthreads();");
    return;
  }
  struct check_site site = {&s->kernel->name_place, "__syncthreads() around the staged copies", "",
                            false};
  print_text_line(&s->printer, "mesi_check::wait(%s); __syncthreads();", check_site(s->cg, site));
}

void emit_stage_head(struct staged *s)
{
  bool loads = false;
  if (s->plan)
    declare_choice(s);
  else if (s->buffer)
    declare_dynamic(s);
  else
    declare_static(s);
  declare_thread(s);
  for (unsigned i = 0; i < s->variant->stage_count; i++) declare_offsets(s, &s->arrays[i]);
  for (unsigned i = 0; i < s->variant->stage_count; i++) keep_pointer(s, &s->arrays[i]);
  declare_bases(s);
  for (unsigned i = 0; i < s->variant->stage_count; i++) {
    const struct stage *stage = s->arrays[i].stage;
    if (!stage->load || (stage->segmentation && stage->segmentation->loop)) continue;
    if (stage->segmentation)
      emit_segments(s, &s->arrays[i]);
    else
      copy_array(s, &s->arrays[i], false);
    loads = true;
  }
  if (loads && !SEEDED(LOAD_BARRIER)) print_stage_barrier(s);
}

void emit_stage_tail(struct staged *s)
{
  if (!s->stores) return;
  if (!SEEDED(STORE_BARRIER)) print_stage_barrier(s);
  for (unsigned i = 0; i < s->variant->stage_count; i++)
    if (s->arrays[i].stage->store && !(i && SEEDED(WRITE_BACK_MISSED)))
      copy_array(s, &s->arrays[i], true);
}

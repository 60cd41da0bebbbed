/* SPDX-License-Identifier: MIT */
/* dump.c - --dump-access, --dump-range, --dump-plan: one fact a line, the same from run to run.
 *
 *     kernel transpose block 128x1x1 grid 8x1024x1
 *       access a read must [blockIdx.y][k] count 1024
 *       range a [blockIdx.y .. blockIdx.y][0 .. 1023] size 1x1024 bytes 4096
 */
#include <isl/printer.h>
#include <stdlib.h>

#include "analysis/sets/lower.h"
#include "analysis/plan/staging/plan_kernel.h"

static void add_shape(struct text *out, const int64_t shape[3])
{
  for (unsigned i = 0; i < 3; i++)
    text_format(out, shape[i] > 0 ? "%s%lld" : "%s?", i ? "x" : "", (long long)shape[i]);
}

void dump_kernel(struct text *out, const struct kernel_facts *facts)
{
  text_format(out, "kernel %s block ",
              facts->kernel->qualified ? facts->kernel->qualified : facts->kernel->name);
  add_shape(out, facts->block);
  text_add(out, " grid ");
  add_shape(out, facts->grid);
  text_add(out, "\n");
}

/* Adds the part between { [ and ] } of the form's text. */
static void add_form(struct text *out, struct symbols *symbols, isl_pw_aff *form)
{
  struct ir_expr *expr = form ? lower_index(symbols, form) : NULL;

  if (expr) {
    ir_print_expr(out, expr);
    return;
  }
  char *string = form ? isl_pw_aff_to_str(form) : NULL;
  text_add(out, string ? string : "?");
  free(string);
}

static void add_value(struct text *out, struct symbols *symbols, const struct value *value)
{
  for (unsigned i = 0; i < value->term_count; i++) {
    text_add(out, i ? " + (" : "(");
    add_form(out, symbols, value->terms[i].coefficient);
    text_add(out, ")");
    for (unsigned s = 0; s < STRIDE_FACTORS && value->terms[i].stride[s]; s++)
      text_format(out, "*%s", value->terms[i].stride[s]->name);
  }
  if (value->term_count) text_add(out, " + ");
  if (value->aff)
    add_form(out, symbols, value->aff);
  else
    text_add(out, "?");
}

void dump_accesses(struct text *out, struct symbols *symbols, const struct array *array)
{
  for (unsigned i = 0; i < array->accesses.count; i++) {
    const struct access *access = &array->accesses.items[i];
    text_format(out, "  access %s %s %s ", array->var->name,
                access->read && access->write ? "read-write"
                : access->read                ? "read"
                                              : "write",
                access->must ? "must" : "may");
    for (unsigned d = 0; d < access->dim_count; d++) {
      text_add(out, "[");
      add_value(out, symbols, &access->index[d]);
      text_add(out, "]");
    }
    char *domain = access->domain ? isl_set_to_str(access->domain) : NULL;
    text_format(out, " count %g domain %s\n", access->count, domain ? domain : "?");
    free(domain);
  }
  if (array->reject) text_format(out, "  access %s unknown: %s\n", array->var->name, array->reject);
}

char *dump_box(struct symbols *symbols, const struct candidate *c)
{
  struct text box = {0};

  for (unsigned d = 0; d < c->dim_count; d++) {
    isl_val *last = isl_val_int_from_si(symbols->ctx, c->length[d] ? -1 : c->size[d] - 1);
    isl_pw_aff *high = isl_pw_aff_add_constant_val(isl_pw_aff_copy(c->offset[d]), last);
    if (c->length[d]) high = isl_pw_aff_add(high, isl_pw_aff_copy(c->length[d]));
    text_add(&box, "[");
    add_form(&box, symbols, c->offset[d]);
    text_add(&box, " .. ");
    add_form(&box, symbols, high);
    text_add(&box, "]");
    isl_pw_aff_free(high);
  }
  char *copy = arena_string(symbols->arena, text_string(&box));
  text_finish(&box);
  return copy;
}

void dump_candidate_range(struct text *out, struct symbols *symbols, const struct candidate *c)
{
  if (!c->box) {
    text_format(out, "  range %s none: %s\n", c->array->var->name, c->reject ? c->reject : "?");
    return;
  }
  text_format(out, "  range %s %s size ", c->array->var->name, dump_box(symbols, c));
  for (unsigned d = 0; d < c->dim_count; d++) {
    text_add(out, d ? "x" : "");
    if (c->length[d])
      add_form(out, symbols, c->length[d]);
    else
      text_format(out, "%lld", (long long)c->size[d]);
  }
  text_format(out, " bytes %llu count %g\n", (unsigned long long)c->bytes, c->count);
}

static void add_expr(struct text *out, const char *name, const struct ir_expr *expr)
{
  text_format(out, " %s ", name);
  if (expr)
    ir_print_expr(out, expr);
  else
    text_add(out, "always");
}

static void dump_segments(struct text *out, const struct segmentation *segmentation)
{
  text_format(out, "    segments %s", segmentation->segment ? segmentation->segment->name : "-");
  add_expr(out, "count", segmentation->segments);
  text_format(out, " loop %s\n", segmentation->loop ? segmentation->iterator->name : "-");
  add_expr(out, "   base", segmentation->base);
  text_add(out, "\n");
  if (segmentation->changing) {
    add_expr(out, "   changing", segmentation->changing);
    text_add(out, "\n");
  }
  add_expr(out, "   low", segmentation->low);
  add_expr(out, "high", segmentation->high);
  text_add(out, "\n");
  for (unsigned i = 0; i < segmentation->table_count; i++) {
    add_expr(out, "   table", segmentation->tables[i].first);
    add_expr(out, "to", segmentation->tables[i].last);
    add_expr(out, "step", segmentation->tables[i].step);
    text_add(out, "\n");
  }
}

void dump_stage(struct text *out, const struct stage *stage)
{
  if (stage->accesses_at_launch) {
    text_format(out, "  plan choose %s", stage->array->name);
    add_expr(out, "accesses", stage->accesses_at_launch);
    text_add(out, "\n");
  } else {
    text_format(out, "  plan stage %s %llu bytes %g per byte\n", stage->array->name,
                (unsigned long long)stage->bytes, stage->count / (double)stage->bytes);
  }
  if (stage->segmentation) dump_segments(out, stage->segmentation);
  for (unsigned d = 0; d < stage->dim_count; d++) {
    if (stage->dims[d].length)
      add_expr(out, "   dim", stage->dims[d].length);
    else
      text_format(out, "    dim %lld", (long long)stage->dims[d].size);
    add_expr(out, "offset", stage->dims[d].offset);
    if (stage->is_flat) add_expr(out, "stride", stage->strides[d]);
    text_add(out, "\n");
  }
  if (stage->load) {
    add_expr(out, "   load", stage->load_guard);
    text_add(out, "\n");
  }
  if (stage->store) {
    add_expr(out, "   store", stage->store_guard);
    text_add(out, "\n");
  }
  for (unsigned i = 0; i < stage->access_count; i++) {
    text_add(out, "    index ");
    for (unsigned d = 0; d < stage->dim_count; d++) {
      text_add(out, "[");
      ir_print_expr(out, stage->accesses[i].index[d]);
      text_add(out, "]");
    }
    text_add(out, "\n");
  }
}

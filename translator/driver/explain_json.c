/* SPDX-License-Identifier: MIT */
/* explain_json.c - the explanation as JSON, for programs that read it and for `mesicc tune`.
 *
 *     { "version": 1, "input": "matmul.mcu", "level": 2, "arch": 90,
 *       "kernels": [ { "name", "place", "shape", "block": [128, 1, 1], "grid": [8, 1024, 1],
 *                      "launches": [...], "result": [...],
 *                      "arrays": [ { "name", "element", "bytes", "accesses", "range",
 *                        "dims": [ { "size", "extent", "axis", "step", "halo": [1, 1] } ],
 *                        "range_bytes", "reuse", "places": [...] } ],
 *                      "decisions": [ { "kind", "taken", "array", "what", "why", "gain",
 *                        "copy": [16, 128], "place" } ],
 *                      "plans": [ { "key", "what", "taken", "why", "predicted_ms", "written_ms",
 *                        "bound", ... } ],
 *                      "measured": [ { "plan", "ms", "on" } ],
 *                      "code", "planned", "tuned" (by which tuning knows kernels and plans) } ],
 *       "not_launched": [ { "name", "qualified", "place", "named" (where, or null) } ],
 *       "variables": [ { "name", "place", "guarded", "why" } ] }
 *
 * Unknown values are null. So are numbers that are not constant (a block's shape).
 */
#include "translator/driver/explain_json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/scan.h"

static json_t *string(const struct explained_program *p, const char *text)
{
  return text ? json_string(words_clean(p->arena, text)) : json_null();
}

static json_t *number(double value) { return value > 0 ? json_real(value) : json_null(); }

static json_t *integer(int64_t value) { return value > 0 ? json_integer(value) : json_null(); }

static json_t *place(const struct explained_program *p, const struct ir_place *at)
{
  const struct unit *unit = p->explanation->unit;
  if (!at->line || at->file >= unit->files.count) return json_null();
  return json_pack("{s:o, s:i, s:i}", "file", string(p, unit->files.items[at->file].path), "line",
                   (int)at->line, "column", (int)at->column);
}

static json_t *shape(const int64_t of[3])
{
  return json_pack("[o, o, o]", integer(of[0]), integer(of[1]), integer(of[2]));
}

/* The elements of a copy, by dimension. */
static json_t *copy(const struct decision *d)
{
  if (!d->taken || !d->copy_dims) return json_null();
  json_t *list = json_array();
  for (unsigned i = 0; i < d->copy_dims; i++) json_array_append_new(list, integer(d->copy[i]));
  return list;
}

static json_t *decision(const struct explained_program *p, const struct decision *d)
{
  return json_pack("{s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "kind", decision_name(d->kind),
                   "taken", d->taken, "array", string(p, d->array), "what", string(p, d->what),
                   "why", string(p, d->why), "gain", number(d->gain), "copy", copy(d), "place",
                   place(p, &d->place));
}

static json_t *dimension(const struct explained_dim *dim)
{
  bool moves = dim->axis >= 0;
  return json_pack("{s:o, s:o, s:o, s:o, s:o}", "size", integer(dim->size), "extent",
                   integer(dim->extent), "axis", moves ? json_integer(dim->axis) : json_null(),
                   "step", moves ? json_integer((json_int_t)dim->step) : json_null(), "halo",
                   moves ? json_pack("[I, I]", (json_int_t)dim->halo[0], (json_int_t)dim->halo[1])
                         : json_null());
}

static json_t *access(const struct explained_program *p, const struct explained_access *a)
{
  return json_pack("{s:o, s:o, s:b, s:b, s:b, s:b, s:f, s:s}", "place", place(p, &a->place),
                   "element", string(p, a->text), "read", a->read, "write", a->write, "atomic",
                   a->atomic, "certain", a->must, "count", a->count, "warp",
                   pattern_name(a->pattern));
}

static json_t *array(const struct explained_program *p, const struct explained_array *a)
{
  json_t *places = json_array(), *dims = json_array();
  for (unsigned i = 0; i < a->dim_count; i++) json_array_append_new(dims, dimension(&a->dims[i]));
  for (unsigned i = 0; i < a->access_count; i++)
    json_array_append_new(places, access(p, &a->accesses[i]));
  return json_pack("{s:o, s:o, s:o, s:b, s:b, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
                   string(p, a->var->name), "element", string(p, a->element->spelling),
                   "element_bytes", integer(a->element->size), "read", a->read, "written",
                   a->written, "accesses", a->count, "range", string(p, a->range), "dims", dims,
                   "why_no_range", string(p, a->no_range), "range_bytes",
                   integer((int64_t)a->bytes), "reuse", number(a->reuse), "places", places);
}

static json_t *plan(const struct explained_program *p, const struct ranked_plan *r)
{
  bool predicted = r->milliseconds > 0;
  json_t *totals = predicted
                       ? json_pack("[I, I]", (json_int_t)r->totals[0], (json_int_t)r->totals[1])
                       : json_null();
  return json_pack("{s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i}", "key",
                   string(p, r->key), "what", string(p, r->what), "taken", r->taken, "why_not",
                   string(p, r->taken ? NULL : r->why), "predicted_ms", number(r->milliseconds),
                   "written_ms", number(r->written), "bound",
                   string(p, predicted ? bound_name(r->bound) : NULL), "written_bound",
                   string(p, predicted ? bound_name(r->written_bound) : NULL), "registers",
                   integer(r->registers), "resident_blocks", integer(r->resident), "shared_bytes",
                   integer((int64_t)r->shared_bytes), "elements", totals, "others", (int)r->others);
}

static json_t *launches(const struct explained_program *p, const struct explained_kernel *kernel)
{
  json_t *list = json_array();
  for (unsigned i = 0; i < kernel->launches.count; i++) {
    const struct explained_launch *l = kernel->launches.items[i];
    json_t *decisions = json_array();
    for (unsigned k = 0; k < l->decisions.count; k++)
      json_array_append_new(decisions, decision(p, &l->decisions.items[k]));
    json_array_append_new(
        list, json_pack("{s:o, s:o, s:b, s:b, s:b, s:b, s:o}", "place", place(p, &l->launch->place),
                        "host", string(p, l->launch->host ? l->launch->host->name : NULL),
                        "changed", l->changed, "parted", l->parted, "spread", l->spread, "stepped",
                        l->stepped, "decisions", decisions));
  }
  return list;
}

static json_t *measured(const struct explained_program *p, const struct explained_kernel *kernel)
{
  json_t *list = json_array();
  for (unsigned i = 0; i < p->measured_count; i++)
    if (words_is_measured(p, kernel, &p->measured[i]))
      json_array_append_new(
          list, json_pack("{s:o, s:f, s:o}", "plan", string(p, p->measured[i].plan), "ms",
                          p->measured[i].milliseconds, "on", string(p, p->measured[i].where)));
  return list;
}

static json_t *kernel(const struct explained_program *p, const struct explained_kernel *k)
{
  json_t *arrays = json_array(), *decisions = json_array(), *plans = json_array(),
         *result = json_array();
  const char *name = k->kernel ? k->kernel->name : k->launches.items[0]->launch->callee_text;
  struct words words = {0};
  words_result(p->arena, k->variant, &words);
  for (unsigned i = 0; i < words.lines.count; i++)
    json_array_append_new(result, string(p, words.lines.items[i]));
  for (unsigned i = 0; i < k->array_count; i++)
    json_array_append_new(arrays, array(p, &k->arrays[i]));
  for (unsigned i = 0; i < k->found.decisions.count; i++)
    json_array_append_new(decisions, decision(p, &k->found.decisions.items[i]));
  for (unsigned i = 0; i < k->found.plans.count; i++)
    json_array_append_new(plans, plan(p, &k->found.plans.items[i]));
  json_t *block = k->has_facts ? shape(k->facts.block) : json_null(),
         *grid = k->has_facts ? shape(k->facts.grid) : json_null();
  json_t *where = k->kernel ? place(p, &k->kernel->name_place) : json_null();
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
      "name", string(p, name), "qualified",
      string(p, k->kernel && k->kernel->qualified ? k->kernel->qualified : name), "place", where,
      "shape", string(p, k->has_facts ? explain_shape(p->arena, &k->facts) : NULL), "block", block,
      "grid", grid, "launches", launches(p, k), "result", result, "changed", k->variant != NULL,
      "why_not_understood", string(p, k->reject), "arrays", arrays, "decisions", decisions, "plans",
      plans, "measured", measured(p, k), "code", string(p, k->code), "planned",
      string(p, k->result), "tuned", string(p, k->tuned));
}

static bool is_explained(const struct explanation *e, const struct ir_function *kernel)
{
  for (unsigned i = 0; i < e->kernels.count; i++) {
    const struct ir_function *other = e->kernels.items[i]->kernel;
    if (other && (other == kernel || other->instance_of == kernel)) return true;
  }
  return false;
}

/* The offset behind <...> at text + at; `at`: it is not there. */
static unsigned behind_arguments(const char *text, unsigned at)
{
  unsigned end = at;
  int depth = 0;
  do {
    depth += (text[end] == '<') - (text[end] == '>');
    if (strchr(";{}", text[end])) return at; /* the end of the text, too */
    end++;
  } while (depth);
  return end;
}

/* Where the text names the kernel in another way than by a launch that is analysed; NULL: nowhere.
 * A declaration has its parameters behind the name. */
static const char *named_in(const struct unit_file *file, const char *name)
{
  const char *found = NULL;
  struct token token = scan_token(file->text, 0, (unsigned)file->length);
  while (token.kind != TOKEN_END) {
    bool is = token.kind == TOKEN_NAME && token_is(file->text, token, name);
    token = scan_token(file->text, token.end, (unsigned)file->length);
    if (!is || token_is(file->text, token, "(")) continue;
    unsigned at = token.begin;
    if (file->text[at] == '<' && strncmp(file->text + at, "<<<", 3))
      at = behind_arguments(file->text, at);
    if (!strncmp(file->text + scan_token(file->text, at, (unsigned)file->length).begin, "<<<", 3))
      return "launch";
    if (file->text[token.begin] != '<') found = "value";
  }
  return found;
}

static const char *named(const struct unit *unit, const char *name)
{
  const char *found = NULL;
  for (unsigned i = 0; i < unit->files.count; i++) {
    const char *here = named_in(&unit->files.items[i], name);
    if (here && (!found || !strcmp(here, "launch"))) found = here;
  }
  return found;
}

/* Kernels that are defined here and that no launch that is analysed names. */
static json_t *not_launched(const struct explained_program *p)
{
  const struct unit *unit = p->explanation->unit;
  json_t *list = json_array();
  for (unsigned i = 0; i < unit->functions.count; i++) {
    const struct ir_function *f = unit->functions.items[i];
    if (!f->is_kernel || !f->has_definition || f->instance_of || is_explained(p->explanation, f))
      continue;
    json_array_append_new(
        list, json_pack("{s:o, s:o, s:o, s:o}", "name", string(p, f->name), "qualified",
                        string(p, f->qualified ? f->qualified : f->name), "place",
                        place(p, &f->name_place), "named", string(p, named(unit, f->name))));
  }
  return list;
}

static json_t *variables(const struct explained_program *p)
{
  const struct unit *unit = p->explanation->unit;
  json_t *list = json_array();
  for (unsigned i = 0; i < unit->vs_vars.count; i++) {
    const struct vs_var *vs = unit->vs_vars.items[i];
    const struct vs_plan *plan = &p->plan->host.vs[vs->id];
    if (vs->is_definition)
      json_array_append_new(list,
                            json_pack("{s:o, s:o, s:b, s:o}", "name", string(p, vs->qualified),
                                      "place", place(p, &vs->name_place), "guarded", plan->guarded,
                                      "why", string(p, plan->guarded ? plan->guard_reason : NULL)));
  }
  return list;
}

bool explain_json(const struct explained_program *p, struct text *out)
{
  const struct plan_options *options = p->explanation->options;
  json_t *kernels = json_array();
  for (unsigned i = 0; i < p->explanation->kernels.count; i++)
    json_array_append_new(kernels, kernel(p, p->explanation->kernels.items[i]));
  json_t *root = json_pack("{s:i, s:o, s:i, s:i, s:o, s:o, s:o}", "version", EXPLAIN_JSON_VERSION,
                           "input", string(p, p->explanation->unit->input), "level",
                           (int)options->level, "arch", (int)options->tuned_for, "kernels", kernels,
                           "not_launched", not_launched(p), "variables", variables(p));
  char *printed =
      root ? json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6)) : NULL;
  json_decref(root);
  if (!printed) return false;
  text_add(out, printed);
  text_add(out, "\n");
  free(printed);
  return true;
}

/* SPDX-License-Identifier: MIT */
/* vectorize.c - a thread that computes four neighbouring elements loads and stores 16 bytes at
 * once.
 *
 *     out[i] = in[i - 1] + in[i + 1]         float _w_in[6], _w_out[4];
 *         i = 4 t ... 4 t + 3
 *                                            _w_in[0] = in[4 t - 1]; _w_in[5] = in[4 t + 4];
 *                                      =>    mesi_vector_load(&_w_in[1], &in[4 t]);
 *                                            for _x: _w_out[_x] = _w_in[_x] + _w_in[_x + 2];
 *                                            mesi_vector_store(&out[4 t], _w_out);
 *
 * This happens only in the code of interior threads (interior.c), and only for elements that all of
 * them access: no other element is read, and no other is written. The block decides for all its
 * threads, by its first and its last element and by the alignment of the addresses. Otherwise its
 * threads run one element after the other, each beside its neighbours' as written. Loads move to
 * the front and stores to the end. Where two names may stand for one element, a load stays in front
 * of the stores that follow it, and no other access stands behind a store. Other threads do not
 * matter, because they run in any order. Elements may be interleaved, like the colours of a pixel
 * in bytes: in[3 * i], in[3 * i + 1] and in[3 * i + 2] are three times 16 bytes of a thread. So are
 * 16 structures of three bytes.
 * Requires: interior threads with a convex condition, no loop. Gives up (the access stays as it
 * is): elements other than numbers of 1 to 8 bytes, indices that do not go from element to element
 * with x.
 */
#include "analysis/transform/vectorize/vectorize.h"

#include "analysis/model/model.h"
#include "analysis/sets/stride.h"
#include "runtime/seeded.h"

#include <math.h>
#include <string.h>

#define LEAST_GAIN 1.5
#define MOST_ARITHMETIC \
  128.0 /* operations of an element: with more of them its requests are not what takes the time. \
           Black-Scholes, 85: 0.318 ms, 0.346 as written */

enum {
  LINE = 128,    /* bytes */
  MOST_STEP = 4, /* elements that are interleaved */
  INTERLEAVED_BYTES =
      2 /* of such an element: the requests of wider ones are not what takes the time */
};

/* ---- accesses in the order of evaluation ---- */

struct collecting {
  struct vectorized *w;
  bool always, loops;
  double operations;
};

static void add_access(struct collecting *c, const struct ir_expr *expr)
{
  const struct code_access *found = code_access_of(c->w->code, expr);

  if (!found) return;
  if (c->w->access_count == MOST_VECTOR_ACCESSES) {
    c->w->reason = "it has too many accesses";
    return;
  }
  c->w->accesses[c->w->access_count++] =
      (struct vector_access){found, c->always && found->access->must, 0, 1, -1};
}

static void collect_expr(struct collecting *c, const struct ir_expr *expr)
{
  if (!expr) return;
  bool always = c->always, assigns = expr->kind == IR_EXPR_ASSIGN;
  bool conditional =
      expr->kind == IR_EXPR_COND ||
      (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR));

  if (model_is_short(c->w->code, expr))
    c->operations += MODEL_SHORT_COST;
  else
    c->operations += expr->kind == IR_EXPR_BINARY ? 1
                     : expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_LOAD
                         ? model_call_operations(c->w->code, expr)
                         : 0;
  for (unsigned i = 0; i < expr->operand_count; i++) {
    collect_expr(c, expr->operands[assigns ? 1 - i : i]);
    c->always &= !conditional;
  }
  add_access(c, expr);
  c->always = always;
}

static void collect_stmt(struct collecting *c, const struct ir_stmt *stmt)
{
  bool always = c->always;

  if (!stmt) return;
  c->loops |= stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  collect_stmt(c, stmt->init);
  collect_expr(c, stmt->expr);
  c->always &= stmt->kind == IR_STMT_BLOCK || stmt->kind == IR_STMT_DECLS;
  collect_stmt(c, stmt->body);
  collect_stmt(c, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) collect_stmt(c, stmt->children[i]);
  c->always = always;
}

/* ---- windows ---- */

/* Does the index advance by 1 to `most` elements, *ret_step, from thread to thread?
 * *ret_offset: its constant; *ret_rest: the index without it. */
static bool thread_step(struct symbols *symbols, isl_pw_aff *form, int64_t most,
                        int64_t *ret_offset, int64_t *ret_step, isl_aff **ret_rest)
{
  struct symbol *thread = symbol_of_builtin(symbols, IR_THREAD_IDX);

  isl_aff *aff = value_plain(form);
  if (!aff) return false;
  isl_space *space = isl_aff_get_domain_space(aff);
  int at = isl_space_find_dim_by_id(space, isl_dim_param, thread->id);
  bool unit = at >= 0 && value_number(isl_aff_get_constant_val(aff), (1 << 20) - 1, ret_offset);
  for (int i = 0; unit && i < isl_aff_dim(aff, isl_dim_param); i++)
    unit = symbol_of_param(space, (unsigned)i)->kind != SYMBOL_UNKNOWN ||
           isl_aff_involves_dims(aff, isl_dim_param, (unsigned)i, 1) == isl_bool_false;
  isl_space_free(space);
  unit = unit &&
         value_number(isl_aff_get_coefficient_val(aff, isl_dim_param, at), most, ret_step) &&
         *ret_step > 0;
  *ret_rest = isl_aff_set_constant_si(aff, 0);
  if (!unit) *ret_rest = isl_aff_free(*ret_rest);
  return unit;
}

/* Do all threads of a block have the same value? */
static bool is_same(struct symbols *symbols, isl_pw_aff *form)
{
  struct symbol *thread = symbol_of_builtin(symbols, IR_THREAD_IDX);
  isl_space *space = isl_pw_aff_get_domain_space(form);
  bool same = isl_pw_aff_involves_param_id(form, thread->id) == isl_bool_false;

  for (int i = 0; same && i < isl_space_dim(space, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    same = symbol->kind != SYMBOL_UNKNOWN || (symbol->from_table && !symbol->of_thread) ||
           SEEDED(WIDE_ROW_UNKNOWN);
  }
  isl_space_free(space);
  return same;
}

static bool is_fixed(struct symbols *symbols, const struct value *value)
{
  bool fixed = value->aff && is_same(symbols, value->aff);

  for (unsigned t = 0; t < value->term_count; t++)
    fixed &= is_same(symbols, value->terms[t].coefficient);
  return fixed;
}

static bool same_place(struct vectorized *w, const struct access *a, const struct access *b)
{
  unsigned last = a->dim_count - 1;
  isl_aff *x = NULL, *y = NULL;
  int64_t offset, step;

  if (a->dim_count != b->dim_count) return false;
  for (unsigned d = 0; d < last; d++)
    if (!value_same(&a->index[d], &b->index[d])) return false;
  struct value p = value_copy(&a->index[last]), q = value_copy(&b->index[last]);
  bool same = p.term_count == q.term_count &&
              thread_step(&w->code->symbols, p.aff, MOST_STEP, &offset, &step, &x) &&
              thread_step(&w->code->symbols, q.aff, MOST_STEP, &offset, &step, &y) &&
              isl_aff_plain_is_equal(x, y) == isl_bool_true;
  for (unsigned t = 0; same && t < p.term_count; t++)
    same =
        stride_same(p.terms[t].stride, q.terms[t].stride) &&
        isl_pw_aff_plain_is_equal(p.terms[t].coefficient, q.terms[t].coefficient) == isl_bool_true;
  isl_aff_free(x);
  isl_aff_free(y);
  value_free(&p);
  value_free(&q);
  return same;
}

bool vectorize_number(const struct ir_type *type)
{
  static const char *const halves[] = {"__half", "__nv_bfloat16", "half", "nv_bfloat16"},
                           *const records[] = {"char2",   "uchar2",  "char4",   "uchar4", "short2",
                                               "ushort2", "short4",  "ushort4", "int2",   "uint2",
                                               "float2",  "__half2", "half2"};
  const char *name = type->spelling;
  bool power = type->size == 1 || type->size == 2 || type->size == 4 || type->size == 8;

  if (!power || type->is_volatile) return false;
  if (type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT) return true;
  if (type->kind != IR_TYPE_RECORD || !name) return false;
  if (!strncmp(name, "const ", 6)) name += 6;
  for (unsigned i = 0; i < sizeof halves / sizeof *halves; i++)
    if (type->size == 2 && !strcmp(name, halves[i])) return true;
  for (unsigned i = 0; i < sizeof records / sizeof *records; i++)
    if (!strcmp(name, records[i])) return true;
  return false;
}

bool vectorize_triple(const struct ir_type *type)
{
  return type->kind == IR_TYPE_RECORD && type->is_trivial && !type->is_unnamed &&
         !type->is_volatile && type->align > 0 && type->align <= INTERLEAVED_BYTES &&
         type->size == 3 * type->align;
}

int64_t vectorize_part(const struct ir_type *type)
{
  return vectorize_triple(type) ? type->align : type->size;
}

/* The requests that an access to one element takes. */
static int parts_of(const struct array *array) { return vectorize_triple(array->element) ? 3 : 1; }

struct naming { /* the names in an expression that moves to the front */
  struct vectorized *w;
  const struct ir_var *var;
  bool declared; /* the code declares `var` */
  bool here;     /* all names mean the same there */
};

static bool note_declared(struct ir_stmt *stmt, void *context)
{
  struct naming *n = context;
  n->declared |= stmt->kind == IR_STMT_DECL && stmt->var == n->var;
  return true;
}

static void check_name(struct ir_expr *expr, void *context)
{
  struct naming *n = context;
  if (expr->kind != IR_EXPR_VAR || expr->var->kind != IR_VAR_LOCAL) return;
  struct ir_expr *value = code_value_of(n->w->code, expr->var);
  if (value) {
    ir_visit_expr(value, check_name, n);
    return;
  }
  n->var = expr->var;
  n->declared = false;
  ir_visit_stmts(n->w->code->facts.kernel->body, note_declared, n);
  n->here &= !n->declared || SEEDED(WIDE_NAME_MISSING);
}

/* Locals that only name a value are replaced; those that change stay where they are declared. */
static bool is_named_in_front(struct vectorized *w, const struct code_access *found)
{
  struct naming n = {.w = w, .here = true};
  ir_visit_expr((struct ir_expr *)found->expr, check_name, &n);
  return n.here;
}

/* Can it be accessed together with its neighbours? Sets access->offset. */
static bool fits_window(struct vectorized *w, struct vector_access *access)
{
  const struct access *a = access->found->access;
  const struct array *array = access->found->array;
  int64_t size = vectorize_part(array->element);
  isl_aff *rest = NULL;

  if (!access->always || !a->dim_count || size * w->factor > 16 ||
      access->found->expr->kind != IR_EXPR_INDEX ||
      (a->partial && a->write && !SEEDED(WIDE_MEMBER_STORED)) || a->has_effects || array->reject ||
      array->var->is_constant_memory || a->dim_count != array->dim_count ||
      !(vectorize_number(array->element) || vectorize_triple(array->element)))
    return false;
  for (unsigned d = 0; d + 1 < a->dim_count; d++)
    if (!is_fixed(&w->code->symbols, &a->index[d])) return false;
  const struct value *last = &a->index[a->dim_count - 1];
  for (unsigned t = 0; t < last->term_count; t++)
    if (!is_same(&w->code->symbols, last->terms[t].coefficient)) return false;
  bool unit =
      thread_step(&w->code->symbols, last->aff, MOST_STEP, &access->offset, &access->step, &rest);
  isl_aff_free(rest);
  return unit && (access->step == 1 || size <= INTERLEAVED_BYTES) &&
         is_named_in_front(w, access->found);
}

static int window_of(struct vectorized *w, const struct vector_access *access)
{
  for (unsigned i = 0; i < w->window_count; i++)
    if (w->windows[i].array == access->found->array &&
        same_place(w, w->windows[i].like->found->access, access->found->access))
      return (int)i;
  if (w->window_count == MOST_WINDOWS) return -1;
  w->windows[w->window_count] = (struct window){.array = access->found->array,
                                                .like = access,
                                                .low = access->offset,
                                                .high = access->offset,
                                                .step = access->step};
  return (int)w->window_count++;
}

/* ---- names that may stand for the same memory ---- */

static bool may_meet(const struct vectorized *w, const struct vector_access *a,
                     const struct vector_access *b)
{
  return a->found->array == b->found->array ||
         !code_disjoint(w->code, a->found->array, b->found->array);
}

/* May the access move? A load goes in front of everything, a store behind everything but later
 * stores. A written array has one window, for the thread's own element, so the window holds the
 * value that memory would have. */
static bool can_move(const struct vectorized *w, unsigned at)
{
  const struct vector_access *access = &w->accesses[at];

  for (unsigned i = 0; i < w->access_count; i++) {
    const struct vector_access *other = &w->accesses[i];
    bool own = other->window == access->window && other->window >= 0;
    if (i == at || own || !may_meet(w, access, other) || SEEDED(WIDE_OVER_STORE)) continue;
    if (access->found->access->read && other->found->access->write && i < at) return false;
    if (access->found->access->write && i > at &&
        !(other->window >= 0 && other->found->access->write))
      return false;
  }
  return true;
}

int64_t vectorize_end(const struct vectorized *w, const struct window *window)
{
  return window->high + window->step * (w->factor - 1) + 1;
}

static bool stores_at(const struct vectorized *w, const struct window *window, int64_t offset)
{
  for (unsigned i = 0; i < w->access_count; i++) {
    const struct vector_access *access = &w->accesses[i];
    if (access->found->array == window->array && access->found->access->write &&
        access->offset == offset)
      return true;
  }
  return false;
}

/* An array that is written has one window, all of whose accesses are at the thread's place, of
 * which every element is stored to. */
static bool store_fits(const struct vectorized *w, const struct window *window)
{
  unsigned stores = 0;

  for (unsigned i = 0; i < w->access_count; i++) {
    const struct vector_access *access = &w->accesses[i];
    if (access->found->array != window->array) continue;
    stores += access->found->access->write;
    if (access->window < 0 || &w->windows[access->window] != window ||
        access->offset >= window->low + window->step ||
        (access->found->access->write && access->found->access->read))
      return false;
  }
  for (int64_t e = window->low; e < window->low + window->step; e++)
    if (!stores_at(w, window, e)) return false;
  return stores && window->low % w->factor == 0;
}

static void drop_window(struct vectorized *w, int window)
{
  for (unsigned i = 0; i < w->access_count; i++)
    if (w->accesses[i].window == window) w->accesses[i].window = -1;
}

bool vectorize_needs(const struct vectorized *w, int window, int64_t e)
{
  for (unsigned i = 0; i < w->access_count; i++) {
    int64_t behind = e - w->accesses[i].offset, step = w->accesses[i].step;
    if (w->accesses[i].window == window && behind >= 0 && behind % step == 0 &&
        behind / step < w->factor)
      return true;
  }
  return false;
}

/* Is every element of the vector accessed? */
bool vectorize_is_whole(const struct vectorized *w, int window, int64_t first)
{
  for (int64_t e = first; e < first + w->factor; e++)
    if (!vectorize_needs(w, window, e)) return false;
  return true;
}

int64_t vectorize_begin(const struct vectorized *w, int64_t e)
{
  int64_t rest = e % w->factor;
  return e - (rest < 0 ? rest + w->factor : rest);
}

/* ---- the plan ---- */

static double requests_of(const struct vectorized *w, int window)
{
  const struct window *win = &w->windows[window];
  double count = win->store ? (double)win->step : 0;

  for (int64_t e = win->low; win->load && e < vectorize_end(w, win); e++) {
    int64_t begin = vectorize_begin(w, e);
    bool whole = begin >= win->low && vectorize_is_whole(w, window, begin);
    count += whole ? e == begin : vectorize_needs(w, window, e);
  }
  return count * parts_of(win->array);
}

static bool has_vector(const struct vectorized *w, int window)
{
  const struct window *win = &w->windows[window];

  for (int64_t e = vectorize_begin(w, win->low); e < vectorize_end(w, win); e += w->factor)
    if (e >= win->low && vectorize_is_whole(w, window, e)) return true;
  return false;
}

/* The window of a load under a condition, whose element an earlier load always loads. -1: there is
 * none. */
static int window_again(struct vectorized *w, unsigned at)
{
  struct vector_access *access = &w->accesses[at];
  bool always = access->always;

  if (always || access->found->access->write) return -1;
  access->always = true; /* for this check only */
  bool fits = fits_window(w, access);
  access->always = always;
  for (unsigned i = 0; fits && i < at; i++) {
    const struct vector_access *other = &w->accesses[i];
    if (other->always && other->window >= 0 && other->found->access->read &&
        other->found->array == access->found->array && other->offset == access->offset &&
        same_place(w, other->found->access, access->found->access))
      return other->window;
  }
  return -1;
}

/* Its element, of those that are interleaved. */
static bool is_stored_before(const struct vectorized *w, unsigned at)
{
  for (unsigned i = 0; i < at; i++)
    if (w->accesses[i].window == w->accesses[at].window && w->accesses[i].found->access->write &&
        (w->accesses[i].offset == w->accesses[at].offset || SEEDED(WIDE_COLOUR_UNREAD)))
      return true;
  return false;
}

static void choose_windows(struct vectorized *w)
{
  for (unsigned i = 0; i < w->access_count; i++)
    if (fits_window(w, &w->accesses[i]))
      w->accesses[i].window = window_of(w, &w->accesses[i]);
    else
      w->accesses[i].window = window_again(w, i);
  for (unsigned i = 0; i < w->access_count; i++)
    if (w->accesses[i].window >= 0) {
      struct window *win = &w->windows[w->accesses[i].window];
      win->low = w->accesses[i].offset < win->low ? w->accesses[i].offset : win->low;
      win->high = w->accesses[i].offset > win->high ? w->accesses[i].offset : win->high;
      win->load |= w->accesses[i].found->access->read && !is_stored_before(w, i);
      win->store |= w->accesses[i].found->access->write;
    }
  for (unsigned k = 0; k < w->window_count; k++)
    if (!has_vector(w, (int)k) || w->windows[k].high - w->windows[k].low > 2 * w->factor ||
        (w->windows[k].array->written && !store_fits(w, &w->windows[k])))
      drop_window(w, (int)k);
  for (bool again = true; again;) { /* an access that stays may keep another from moving */
    again = false;
    for (unsigned i = 0; i < w->access_count; i++)
      if (w->accesses[i].window >= 0 && !can_move(w, i)) {
        drop_window(w, w->accesses[i].window);
        again = true;
      }
  }
}

bool vectorize_uses(const struct vectorized *w, int window)
{
  bool used = false;

  for (unsigned i = 0; i < w->access_count; i++) used |= w->accesses[i].window == window;
  return used;
}

struct index_facts {
  bool loads, of_thread;
};

static void note_index(struct ir_expr *expr, void *context)
{
  struct index_facts *facts = context;

  facts->of_thread |= expr->kind == IR_EXPR_BUILTIN && expr->value <= IR_THREAD_IDX + 2;
  facts->loads |= expr->kind == IR_EXPR_INDEX || expr->kind == IR_EXPR_CALL ||
                  (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF) ||
                  (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL);
}

/* Does the index follow from ids and arguments, in a form that is not known, such as i / n? Then
 * neighbours' elements count as neighbours. */
static bool is_computed(struct vectorized *w, const struct vector_access *access)
{
  const struct ir_expr *element = access->found->expr;
  struct ir_expr *index =
      element->kind == IR_EXPR_INDEX ? code_resolve(w->code, element->operands[1]) : NULL;
  struct index_facts facts = {0};

  if (index) ir_visit_expr(index, note_index, &facts);
  return facts.of_thread && !facts.loads;
}

/* Neighbouring threads access elements near each other as written. With several elements per
 * thread these accesses lie that many times as far apart, and each request takes as many times the
 * lines, until each thread has a line of its own. Examples: rows of a structure of arrays, stored
 * one by one, took 268 us for 148 as written; two arrays stored in turns, out[2 * i] and
 * out[2 * i + 1], 145 us for 52; bytes of rows that are turned round, out[y * w + w - 1 - x] of
 * i / w and i % w, 152 us for 97. Returns that factor, from 1 to w->factor. */
static double spread_of(struct vectorized *w, const struct vector_access *access)
{
  const struct access *a = access->found->access;
  double apart = (double)access->found->array->element->size;
  isl_aff *rest = NULL;
  int64_t offset, step;

  const struct value *last = a->dim_count ? &a->index[a->dim_count - 1] : NULL;
  bool near = last && thread_step(&w->code->symbols, last->aff, LINE, &offset, &step, &rest);
  isl_aff_free(rest);
  if (!near && is_computed(w, access)) {
    near = true;
    step = 1;
  }
  return near ? fmax(1, fmin((double)w->factor, LINE / (apart * (double)step))) : 1;
}

/* Another member of a record that is loaded as a whole. */
static bool is_member_again(const struct vectorized *w, unsigned at)
{
  for (unsigned i = 0; i < at; i++)
    if (w->accesses[i].window == w->accesses[at].window &&
        w->accesses[i].offset == w->accesses[at].offset && w->accesses[i].found->access->partial)
      return true;
  return false;
}

/* Is it a repeated access to a written element of the thread's own? Such an element is loaded once,
 * in front of its store, and stored once, also as written. */
static bool is_again(const struct vectorized *w, unsigned at)
{
  const struct vector_access *access = &w->accesses[at];
  bool again = false;

  if (access->window < 0) return false;
  if (access->found->access->partial) return is_member_again(w, at);
  if (!access->found->array->written) return false;
  for (unsigned i = 0; i < at; i++)
    again |= w->accesses[i].window == access->window && w->accesses[i].offset == access->offset &&
             (access->found->access->read || w->accesses[i].found->access->write);
  return again;
}

static void measure(struct vectorized *w)
{
  double factor = (double)w->factor, written = 0, left = 0;

  for (unsigned i = 0; i < w->access_count; i++) {
    double requests = factor * parts_of(w->accesses[i].found->array);
    written += is_again(w, i) ? 0 : requests;
    if (w->accesses[i].window < 0) left += requests * spread_of(w, &w->accesses[i]);
  }
  for (unsigned k = 0; k < w->window_count; k++)
    left += vectorize_uses(w, (int)k) ? requests_of(w, (int)k) : 0;
  w->gain = left > 0 ? written / left : 1;
}

bool vectorize_plan(struct code *code, const struct interior *interior, int64_t factor,
                    struct vectorized *ret)
{
  struct collecting c = {.w = ret, .always = true};

  *ret = (struct vectorized){.code = code, .factor = factor};
  code_scan(code);
  collect_stmt(&c, interior->body);
  if (!ret->reason &&
      (code->access.reject || code->access.unknown_read || code->access.unknown_write))
    ret->reason = "not all of its accesses are followed";
  if (!ret->reason && c.loops) ret->reason = "it has a loop";
  if (!ret->reason && !interior->convex)
    ret->reason = "its conditions do not hold for threads between two others";
  if (!ret->reason && c.operations > MOST_ARITHMETIC)
    ret->reason = "its arithmetic takes longer than its accesses";
  if (ret->reason) return false;
  choose_windows(ret);
  measure(ret);
  if (ret->gain < LEAST_GAIN) ret->reason = "its threads access few neighbours";
  return !ret->reason;
}

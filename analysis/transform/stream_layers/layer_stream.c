/* SPDX-License-Identifier: MIT */
/* layer_stream.c - finds threads that go through the layers of an array in a loop of their own, and
 * the sums to which they add each layer.
 *
 *     for (i = 1; i < n - 1; i++) {
 *       float sum = 0;
 *       for (x = 0; x < 3; x++)
 *         for (y = 0; y < 3; y++)
 *           for (z = 0; z < 3; z++) sum += f[x][y][z] * in[i + x - 1][j + y - 1][k + z - 1];
 *       out[i][j][k] = sum;
 *     }
 *       =>
 *     for (_p = _first; _p < _last + 2; _p++) {
 *       _m_in = rows of in[_p - 1]
 *       _sum = 0;
 *       _sum += _r_f[0] * _m_in            layer i = _p, stage 0
 *       _sum_2 += _r_f[1] * _m_in          layer i = _p - 1, stage 1
 *       _sum_3 += _r_f[2] * _m_in          layer i = _p - 2, stage 2
 *       if (_p - 2 >= _first) out[_p - 2][j][k] = _sum_3;
 *       _sum_3 = _sum_2; _sum_2 = _sum;
 *     }
 *
 * The body is a list of *items*: statements, and iterations of short loops whose iterators shift
 * the layer. The *stage* of an item is the number of layers that the thread has to advance until
 * everything that the item loads is there. No item comes before one that stands in front of it, so
 * each sum is added up in the order as written. A local of the body has a copy for each stage from
 * the first to the last one that uses it. An item that needs several layers at once has them all in
 * registers (stream25d.c does so for everything); items in order of layers need one.
 *
 * A thread has 16 bytes of neighbours along x and several rows. A row of a layer is loaded once for
 * all of them: its 16 bytes and the elements beside them, each only if an active element uses it.
 * So no thread runs other code at the ends of rows. The 16 bytes lie between elements that are
 * accessed as written, or are some of them, so they are inside the array. Blocks along z share the
 * layers.
 *
 * Requires: code in its virtual shape. Gives up: bodies of more than assignments and short loops;
 * loads under conditions or from memory that the kernel writes; locals that go from one layer to
 * the next; rows that do not begin at multiples of 16 bytes; stores that may meet another access.
 */
#include "analysis/transform/stream_layers/layer_stream.h"

#include "analysis/code/precondition.h"
#include "runtime/seeded.h"

enum { MOST_TAPS = 512 /* of a load in an item */, LAYERS_NEEDED = 8 /* of a part along z */ };

struct finding {
  struct layer_stream *s;
  /* Loops that are taken apart by iterations, each at its `first`. */
  struct layer_stream_around around[LAYER_STREAM_LOOPS];
  unsigned depth;
};

/* ---- items ---- */

static bool has_shift(const struct layer_stream *s, const struct ir_var *iterator)
{
  for (unsigned i = 0; i < s->load_count; i++)
    for (unsigned k = 0; k < s->loads[i].loop_count; k++)
      if (s->loads[i].loops[k].iterator == iterator && s->loads[i].loops[k].step.layer) return true;
  return false;
}

struct shift_search {
  const struct layer_stream *s;
  bool found;
};

static bool note_shift(struct ir_stmt *stmt, void *context)
{
  struct shift_search *h = context;
  struct layer_stream_around loop;

  h->found |= stmt->kind == IR_STMT_FOR && layer_stream_short(stmt, &loop) &&
              has_shift(h->s, loop.iterator);
  return true;
}

/* Is it `x = value`, for a local or, in the body itself, for an element? */
static bool is_assignment(const struct layer_stream *s, const struct ir_stmt *stmt, bool inside)
{
  struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL,
                 *to = expr && expr->kind == IR_EXPR_ASSIGN ? ir_strip(expr->operands[0]) : NULL;

  if (!to || ir_has_effects(expr->operands[1]) || ir_has_effects(to)) return false;
  return to->kind == IR_EXPR_VAR
             ? to->var->kind == IR_VAR_LOCAL
             : !inside && expr->op == IR_OP_ASSIGN && code_access_of(s->code, to);
}

static bool is_plain_decl(const struct ir_stmt *stmt)
{
  const struct ir_type *type = stmt->kind == IR_STMT_DECL ? stmt->var->type : NULL;

  return type &&
         (type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL) &&
         !stmt->var->address_taken && !type->is_volatile &&
         !(stmt->expr && ir_has_effects(stmt->expr));
}

static bool is_inner(const struct layer_stream *s, const struct ir_stmt *stmt)
{
  struct layer_stream_around loop;
  bool fits = stmt->kind == IR_STMT_BLOCK || stmt->kind == IR_STMT_DECLS ||
              stmt->kind == IR_STMT_NULL || is_plain_decl(stmt) || is_assignment(s, stmt, true) ||
              (stmt->kind == IR_STMT_FOR && layer_stream_short(stmt, &loop));

  if (fits && stmt->body) fits = is_inner(s, stmt->body);
  for (unsigned i = 0; fits && i < stmt->child_count; i++) fits = is_inner(s, stmt->children[i]);
  return fits;
}

static void add_item(struct finding *f, struct ir_stmt *stmt)
{
  struct layer_stream *s = f->s;

  if (s->item_count == LAYER_STREAM_ITEMS) {
    layer_stream_give_up(s, "it has too many statements");
    return;
  }
  struct layer_stream_item *item = &s->items[s->item_count++];
  *item = (struct layer_stream_item){.stmt = stmt, .fixed_count = f->depth};
  for (unsigned i = 0; i < f->depth; i++)
    item->fixed[i] = (struct layer_stream_fixed){f->around[i].iterator, f->around[i].first};
}

static void flatten(struct finding *f, struct ir_stmt *stmt)
{
  struct layer_stream *s = f->s;
  struct layer_stream_around loop;
  struct shift_search shifts = {s, false};

  if (s->reason || stmt->kind == IR_STMT_NULL) return;
  if (stmt->kind == IR_STMT_BLOCK || stmt->kind == IR_STMT_DECLS) {
    for (unsigned i = 0; i < stmt->child_count; i++) flatten(f, stmt->children[i]);
    return;
  }
  bool repeats = stmt->kind == IR_STMT_FOR && layer_stream_short(stmt, &loop);
  ir_visit_stmts(stmt, note_shift, &shifts);
  if (repeats && shifts.found) {
    unsigned depth = f->depth++;
    for (int64_t i = 0; i < loop.trips; i++) {
      f->around[depth] = loop;
      f->around[depth].first = loop.first + i * loop.by;
      flatten(f, stmt->body);
    }
    f->depth = depth;
  } else if ((repeats && is_inner(s, stmt)) || is_plain_decl(stmt) ||
             is_assignment(s, stmt, f->depth > 0)) {
    if (!(stmt->kind == IR_STMT_DECL && layer_stream_value_of(s, stmt->var))) add_item(f, stmt);
  } else {
    layer_stream_give_up(s, "the body of its loop has more than assignments and short loops");
  }
}

/* ---- the loads of an item ---- */

struct layer_search {
  const struct ir_var *iterator;
  const struct layer_stream *s;
  bool found;
};

static void note_layer(struct ir_expr *expr, void *context)
{
  struct layer_search *l = context;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? layer_stream_value_of(l->s, expr->var) : NULL;

  l->found |= expr->kind == IR_EXPR_VAR && expr->var == l->iterator;
  if (value) ir_visit_expr(value, note_layer, l);
}

static bool has_layer(const struct layer_stream *s, struct ir_expr *expr)
{
  struct layer_search l = {s->loop->loop->iterator, s, false};

  ir_visit_expr(expr, note_layer, &l);
  return l.found;
}

struct item_search {
  struct layer_stream *s;
  const struct layer_stream_item *item;
  bool divides, others;
  int64_t first, last;
  bool any;
  bool notes;
};

static bool value_in(const struct layer_stream_item *item, const struct ir_var *iterator,
                     int64_t *ret)
{
  for (unsigned i = 0; i < item->fixed_count; i++)
    if (item->fixed[i].iterator == iterator) {
      *ret = item->fixed[i].value;
      return true;
    }
  return false;
}

static void note_row(struct item_search *t, struct layer_stream_group *group,
                     const struct layer_stream_step *at)
{
  struct layer_stream *s = t->s;
  int64_t number = at->row - group->first_row;

  if (number < 0 || number >= LAYER_STREAM_LINES) {
    layer_stream_give_up(s, "it loads too many rows");
    return;
  }
  struct layer_stream_row *row = &group->rows[number];
  int64_t held = at->layer - t->item->stage;
  if (!row->used)
    *row = (struct layer_stream_row){true, -at->place, at->place, at->layer, at->layer, held, held};
  row->left = -at->place > row->left ? -at->place : row->left;
  row->right = at->place > row->right ? at->place : row->right;
  row->first = at->layer < row->first ? at->layer : row->first;
  row->last = at->layer > row->last ? at->layer : row->last;
  row->oldest = held < row->oldest ? held : row->oldest;
  row->newest = held > row->newest ? held : row->newest;
  group->row_count = number + 1 > group->row_count ? (unsigned)number + 1 : group->row_count;
}

/* Notes all elements that the load reads in the item. */
static void note_taps(struct item_search *t, const struct layer_stream_load *load)
{
  int64_t taps = 1, value;

  for (unsigned k = 0; k < load->loop_count; k++)
    taps *= value_in(t->item, load->loops[k].iterator, &value) ? 1 : load->loops[k].trips;
  if (taps > MOST_TAPS) layer_stream_give_up(t->s, "its loops have too many iterations");
  for (int64_t n = 0; n < taps && !t->s->reason; n++) {
    struct layer_stream_step at = load->at;
    int64_t left = n;
    for (unsigned k = 0; k < load->loop_count; k++) {
      const struct layer_stream_around *loop = &load->loops[k];
      if (!value_in(t->item, loop->iterator, &value)) {
        value = loop->first + left % loop->trips * loop->by;
        left /= loop->trips;
      }
      at.layer += value * loop->step.layer;
      at.row += value * loop->step.row;
      at.place += value * loop->step.place;
    }
    t->first = !t->any || at.layer < t->first ? at.layer : t->first;
    t->last = !t->any || at.layer > t->last ? at.layer : t->last;
    t->any = true;
    struct layer_stream_group *group = &t->s->groups[load->group];
    if (t->notes)
      note_row(t, group, &at);
    else
      group->first_row = at.row < group->first_row ? at.row : group->first_row;
  }
}

static void note_item(struct ir_expr *expr, void *context)
{
  struct item_search *t = context;
  const struct code_access *found = code_access_of(t->s->code, expr);
  int64_t by;

  t->divides |= expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_DIV || expr->op == IR_OP_REM) &&
                expr->type->kind == IR_TYPE_INT && !(ir_constant(expr->operands[1], &by) && by);
  if (!found) return;
  for (unsigned i = 0; i < t->s->load_count; i++)
    if (t->s->loads[i].expr == expr) {
      note_taps(t, &t->s->loads[i]);
      return;
    }
  t->others |= found->access->write || has_layer(t->s, expr);
}

static struct item_search look_at(struct layer_stream *s, const struct layer_stream_item *item,
                                  bool notes)
{
  struct item_search t = {.s = s, .item = item, .notes = notes};

  ir_visit_stmt_exprs(item->stmt, note_item, &t);
  return t;
}

/* Sets each item's stage: everything that it loads is there, and the items in front of it are
 * done. */
static void set_stages(struct layer_stream *s)
{
  int64_t first = INT64_MAX, stage = 0;

  for (unsigned i = 0; i < s->item_count; i++) {
    struct item_search t = look_at(s, &s->items[i], false);
    first = t.any && t.first < first ? t.first : first;
  }
  for (unsigned i = 0; i < s->item_count && !s->reason; i++) {
    struct layer_stream_item *item = &s->items[i];
    struct item_search t = look_at(s, item, false);
    stage = t.any && t.last - first > stage ? t.last - first : stage;
    item->stage = stage;
    item->asks = t.divides || t.others;
    look_at(s, item, true);
  }
  s->stages = stage + 1;
  if (s->stages > LAYER_STREAM_STAGES) layer_stream_give_up(s, "its layers are too far apart");
}

/* ---- rows ---- */

/* Do all elements of a thread load the same parts of a row, or nothing of it? Then a row is loaded
 * if an active element needs it. */
static bool rows_agree(struct layer_stream *s, const struct layer_stream_group *group)
{
  const struct layer_stream_row *sides = NULL;
  bool agree = true;

  for (unsigned i = 0; i < group->row_count; i++) {
    const struct layer_stream_row *row = &group->rows[i];
    if (!row->used) continue;
    agree &= row->left >= 0 && row->right >= 0 && row->left <= LAYER_STREAM_BESIDE &&
             row->right <= LAYER_STREAM_BESIDE;
    if (s->rows > 1 && group->by_row && sides)
      agree &= row->left == sides->left && row->right == sides->right &&
               row->first == sides->first && row->last == sides->last;
    sides = row;
  }
  return agree && sides;
}

/* Centers the thread's own 16 bytes in the elements that its rows need. */
static void center(struct layer_stream *s, unsigned number)
{
  struct layer_stream_group *group = &s->groups[number];
  int64_t left = INT64_MIN, right = INT64_MIN;

  for (unsigned i = 0; i < group->row_count; i++)
    if (group->rows[i].used) {
      left = group->rows[i].left > left ? group->rows[i].left : left;
      right = group->rows[i].right > right ? group->rows[i].right : right;
    }
  int64_t apart = left - right, half = apart < 0 ? -s->factor : s->factor,
          by = (apart + half) / (2 * s->factor) * s->factor;
  group->place += by;
  for (unsigned i = 0; i < group->row_count; i++) {
    group->rows[i].left -= by;
    group->rows[i].right += by;
  }
  for (unsigned i = 0; i < s->load_count; i++)
    s->loads[i].at.place += s->loads[i].group == number ? by : 0;
}

static bool sum_up_rows(struct layer_stream *s)
{
  for (unsigned g = 0; g < s->group_count; g++) {
    struct layer_stream_group *group = &s->groups[g];
    bool first = true;
    center(s, g);
    if (!rows_agree(s, group)) return layer_stream_give_up(s, "its rows need different elements");
    for (unsigned i = 0; i < group->row_count; i++) {
      const struct layer_stream_row *row = &group->rows[i];
      if (!row->used) continue;
      group->left = row->left > group->left ? row->left : group->left;
      group->right = row->right > group->right ? row->right : group->right;
      group->oldest = first || row->oldest < group->oldest ? row->oldest : group->oldest;
      group->newest = first || row->newest > group->newest ? row->newest : group->newest;
      first = false;
    }
  }
  return true;
}

/* ---- locals ---- */

struct decl_search {
  const struct ir_var *var;
  bool found;
};

static bool note_decl(struct ir_stmt *stmt, void *context)
{
  struct decl_search *d = context;
  d->found |= stmt->kind == IR_STMT_DECL && stmt->var == d->var;
  return true;
}

static bool declares(struct ir_stmt *stmt, const struct ir_var *var)
{
  struct decl_search d = {var, false};

  ir_visit_stmts(stmt, note_decl, &d);
  return d.found;
}

struct layer_stream_local *layer_stream_local_of(struct layer_stream *s, const struct ir_var *var)
{
  for (unsigned i = 0; i < s->local_count; i++)
    if (s->locals[i].var == var) return &s->locals[i];
  return NULL;
}

/* Finds the locals that items declare, and their stages. */
static void find_locals(struct layer_stream *s)
{
  for (unsigned i = 0; i < s->item_count && !s->reason; i++) {
    const struct layer_stream_item *item = &s->items[i];
    if (item->stmt->kind != IR_STMT_DECL || layer_stream_local_of(s, item->stmt->var)) continue;
    if (s->local_count == LAYER_STREAM_LOCALS)
      layer_stream_give_up(s, "it has too many locals");
    else
      s->locals[s->local_count++] = (struct layer_stream_local){
          .var = item->stmt->var, .first = item->stage, .last = item->stage};
  }
  for (unsigned i = 0; i < s->item_count; i++)
    for (unsigned k = 0; k < s->local_count; k++)
      if (s->items[i].stage > s->locals[k].last &&
          ir_stmt_has_var(s->items[i].stmt, s->locals[k].var))
        s->locals[k].last = s->items[i].stage;
}

struct own_search {
  struct layer_stream *s;
  struct ir_stmt *stmt;
};

static void note_own(struct ir_expr *expr, void *context)
{
  struct own_search *o = context;
  struct ir_var *var = ir_assigned_var(expr);

  if (var && !layer_stream_local_of(o->s, var) && !declares(o->stmt, var) &&
      !SEEDED(LAYER_STREAM_CARRIED))
    layer_stream_give_up(o->s, "a local goes from one layer to the next");
}

static bool keeps_locals(struct layer_stream *s)
{
  for (unsigned i = 0; i < s->item_count; i++) {
    struct own_search own = {s, s->items[i].stmt};
    struct layer_stream_around loop;
    const struct ir_stmt *stmt = s->items[i].stmt;
    if (stmt->kind == IR_STMT_FOR && layer_stream_short(stmt, &loop))
      ir_visit_stmt_exprs(stmt->body, note_own, &own);
    else
      ir_visit_expr(stmt->expr, note_own, &own);
  }
  return !s->reason;
}

/* ---- the whole ---- */

struct value_search {
  const struct layer_stream *s;
  bool failed;
};

static void note_value(struct ir_expr *expr, void *context)
{
  struct value_search *v = context;
  const struct ir_var *var = expr->kind == IR_EXPR_VAR ? expr->var : NULL;
  bool fits = !var || var->has_value || var->kind == IR_VAR_PARAM ||
              var == v->s->loop->loop->iterator || !declares(v->s->loop->body, var) ||
              layer_stream_value_of(v->s, var);

  v->failed |= !fits || code_access_of(v->s->code, expr);
}

struct ir_expr *layer_stream_value_of(const struct layer_stream *s, const struct ir_var *var)
{
  bool own = var->kind == IR_VAR_LOCAL && var->type->kind == IR_TYPE_INT &&
             var != s->loop->loop->iterator && declares(s->loop->body, var);
  struct ir_expr *value = own ? code_value_of(s->code, var) : NULL;
  struct value_search v = {s, !value || ir_has_effects(value)};

  if (!v.failed) ir_visit_expr(value, note_value, &v);
  return v.failed ? NULL : value;
}

/* Is a part along z long enough? The part before it loads its first layers, too. */
static bool is_long(struct layer_stream *s)
{
  const struct ir_loop *loop = s->loop->loop;
  struct arena *arena = s->code->arena;
  struct ir_expr *trips = ir_build_binary(arena, IR_OP_SUB, loop->bound, loop->lower);

  return precondition_at_least(s->code, trips, s->z_parts * LAYERS_NEEDED) ||
         layer_stream_give_up(s, "its loop over layers is short");
}

bool layer_stream_find(struct layer_stream *s)
{
  struct finding f = {.s = s};

  code_scan(s->code);
  if (s->code->access.reject || s->code->access.unknown_read || s->code->access.unknown_write)
    return layer_stream_give_up(s, s->code->access.reject
                                       ? s->code->access.reject
                                       : "it accesses memory that is not followed");
  if (!layer_stream_take_apart(s) || !is_long(s)) return false;
  if (layer_stream_find_loads(s)) flatten(&f, s->work.items.items[0]);
  if (!s->reason) set_stages(s);
  if (s->reason || !sum_up_rows(s)) return false;
  find_locals(s);
  return keeps_locals(s) && layer_stream_keeps_rounding(s);
}

double layer_stream_gain(const struct layer_stream *s)
{
  double elements = (double)(s->factor * s->rows), written = s->others + s->store_count,
         left = s->others + (double)(s->store_count * s->rows);

  for (unsigned i = 0; i < s->load_count; i++) {
    double count = 1;
    for (unsigned k = 0; k < s->loads[i].loop_count; k++)
      count *= (double)s->loads[i].loops[k].trips;
    written += count;
  }
  for (unsigned g = 0; g < s->group_count; g++) {
    const struct layer_stream_group *group = &s->groups[g];
    left += (double)(group->row_count + (group->by_row ? s->rows - 1 : 0)) *
            (double)(1 + group->left + group->right);
  }
  return written * elements / left;
}

enum { OWN_REGISTERS = 32 /* addresses, conditions, values in flight */ };

static bool note_words(struct ir_stmt *stmt, void *context)
{
  double *words = context;
  const struct ir_type *type = stmt->kind == IR_STMT_DECL ? stmt->var->type : NULL;

  while (type && type->kind == IR_TYPE_ARRAY) type = type->element;
  if (type && (type->kind == IR_TYPE_FLOAT || stmt->var->type->kind == IR_TYPE_ARRAY))
    *words += (double)(stmt->var->type->size + 3) / 4;
  return true;
}

double layer_stream_registers(const struct layer_stream *s)
{
  double words = OWN_REGISTERS, elements = (double)(s->factor * s->rows);

  for (unsigned i = 0; i < s->before.items.count; i++)
    ir_visit_stmts(s->before.items.items[i], note_words, &words);
  for (unsigned i = 0; i < s->local_count; i++)
    words += (double)(s->locals[i].last - s->locals[i].first + 1) * elements *
             (double)(s->locals[i].var->type->size + 3) / 4;
  for (unsigned g = 0; g < s->group_count; g++) {
    const struct layer_stream_group *group = &s->groups[g];
    double wide = (double)(group->left + s->factor + group->right) *
                  (double)group->array->element->size / 4,
           layers = 0;
    for (unsigned i = 0; i < group->row_count; i++)
      layers +=
          group->rows[i].used ? (double)(group->rows[i].newest - group->rows[i].oldest + 1) : 0;
    if (group->by_row && group->row_count)
      layers += layers / (double)group->row_count * (double)(s->rows - 1);
    words += layers * wide;
  }
  return words + s->others;
}

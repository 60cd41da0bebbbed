/* SPDX-License-Identifier: MIT */
/* power_text.c - powers that are short products, in the text of device code.
 *
 *     __device__ double lj(double q) { return pow(q, 12) - pow(q, 6); }
 *   =>
 *     __device__ double lj(double q) { return mesi_power<12>(q) - mesi_power<6>(q); }
 *
 * So they go also in kernels that no row takes, that are launched from another file, and in device
 * functions that stay calls. The IR of the function gets the same calls, so that all rows see the
 * cheaper body, and printed kernels have them, too. Gives up, and leaves the call to powers.c: a
 * template, a method, a function that the host may call, or that is constexpr, a text that makes
 * several functions, another text than pow(a, b) there.
 */
#include <string.h>

#include "analysis/transform/powers/powers.h"
#include "runtime/seeded.h"
#include "translator/base/scan.h"

struct texts {
  struct unit *unit;
  struct ir_function *function; /* at hand */
  struct text_changes *changes;
  struct remarks *remarks;
  bool any;
};

/* ---- the text of a call ---- */

struct call_text {                  /* pow(base, exponent): offsets in the file */
  unsigned begin, open, comma, end; /* of the name; behind "("; of ","; behind ")" */
};

static bool is_opening(const char *text, struct token token)
{
  return token_is(text, token, "(") || token_is(text, token, "[") || token_is(text, token, "{");
}

static bool is_closing(const char *text, struct token token)
{
  return token_is(text, token, ")") || token_is(text, token, "]") || token_is(text, token, "}");
}

/* The token behind the name, which may have namespaces. */
static struct token behind_name(const char *text, const struct ir_place *place)
{
  struct token token = scan_token(text, place->begin, place->end), last = {0};

  while (token.kind == TOKEN_NAME || token_is(text, token, "::")) {
    last = token;
    token = scan_token(text, token.end, place->end);
  }
  bool named = token_is(text, last, "pow") || token_is(text, last, "powf");
  return named ? token : (struct token){.kind = TOKEN_END};
}

/* False: another text is there, such as a macro that makes the call. */
static bool read_call(const char *text, const struct ir_place *place, struct call_text *ret)
{
  struct token token = behind_name(text, place);
  unsigned depth = 1, commas = 0;

  if (token.kind == TOKEN_END || !token_is(text, token, "(")) return false;
  *ret = (struct call_text){.begin = place->begin, .open = token.end};
  while (depth) {
    token = scan_token(text, token.end, place->end);
    if (token.kind == TOKEN_END) return false;
    if (is_opening(text, token)) depth++;
    if (is_closing(text, token)) depth--;
    if (depth == 1 && token_is(text, token, ",")) {
      ret->comma = token.begin;
      commas++;
    }
  }
  ret->end = token.end;
  return commas == 1 && ret->end == place->end;
}

static bool has_directive(const char *text, unsigned begin, unsigned end)
{
  return memchr(text + begin, '#', end - begin) != NULL;
}

/* ---- changes ---- */

static void add_change(struct texts *t, unsigned file, unsigned begin, unsigned end,
                       const char *text)
{
  struct arena *arena = t->unit->arena;
  const char *lines = scan_line_ends(arena, t->unit->files.items[file].text, begin, end);

  *ARENA_PUSH(arena, &t->changes->list) =
      (struct text_change){t->function, file, begin, end, arena_format(arena, "%s%s", text, lines)};
}

static bool is_changed(const struct texts *t, const struct ir_place *place)
{
  for (unsigned i = 0; i < t->changes->list.count; i++)
    if (t->changes->list.items[i].file == place->file &&
        t->changes->list.items[i].begin == place->begin)
      return true;
  return false;
}

/* Is the call in the function's own text? That of a lambda may be elsewhere, that of a macro's
 * argument may be used more than once. */
static bool is_own_text(const struct texts *t, const struct ir_place *place)
{
  const struct ir_place *body = &t->function->body_place;

  return place->line && place->file == body->file && place->begin >= body->begin &&
         place->end <= body->end && !place->begins_in_macro && !place->in_argument;
}

/* Changes the text of the call. False: it stays. */
static bool change_text(struct texts *t, const struct ir_expr *call, const struct power *power)
{
  const struct ir_place *place = &call->place;
  struct call_text c;

  if (!is_own_text(t, place)) return false;
  const char *text = t->unit->files.items[place->file].text;
  if (!read_call(text, place, &c) || has_directive(text, c.begin, c.end)) return false;
  if (is_changed(t, place)) return true;
  const char *name = arena_format(t->unit->arena, "%s(", power->function);
  if (power->operand) {
    add_change(t, place->file, c.begin, scan_token(text, c.comma + 1, c.end).begin, name);
    return true;
  }
  add_change(t, place->file, c.begin, c.open, name);
  add_change(t, place->file, c.comma, c.end, ")");
  return true;
}

static void remark(struct texts *t, enum diag_id id, const struct ir_expr *call, const char *text)
{
  *ARENA_PUSH(t->unit->arena, &t->remarks->items) =
      (struct remark){.id = id, .place = call->place, .text = text};
}

static struct ir_expr *made_power(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct texts *t = r->context;
  struct power power;
  const char *why;

  if (power_find(r->arena, expr, &power, &why)) {
    if (!change_text(t, expr, &power)) return NULL;
    t->any = true;
    remark(t, DIAG_POWERS_MADE, expr,
           arena_format(r->arena, "'%s' gets %s in the place of a power", t->function->name,
                        power.function));
    return power_build(r->arena, &power, expr, ir_rewrite_expr(r, expr->operands[power.operand]));
  }
  if (why)
    remark(t, DIAG_POWERS_KEPT, expr,
           arena_format(r->arena, "'%s' keeps a power: %s", t->function->name, why));
  return NULL;
}

/* A header that is included twice may make two functions of one text, with other types. */
static bool shares_text(const struct unit *unit, const struct ir_function *function)
{
  const struct ir_place *own = &function->body_place;
  unsigned count = 0;

  for (unsigned i = 0; i < unit->functions.count; i++) {
    const struct ir_place *other = &unit->functions.items[i]->body_place;
    count += other->line && other->file == own->file && other->begin == own->begin;
  }
  return count > 1;
}

/* Is it constexpr? Roots and exponentials are not. */
static bool is_constexpr(const struct unit *unit, const struct ir_function *function)
{
  const struct ir_place *all = &function->place;
  const char *text = unit->files.items[all->file].text;
  unsigned end = function->body_place.begin;

  if (all->file != function->body_place.file) return true;
  for (struct token token = scan_token(text, all->begin, end); token.kind != TOKEN_END;
       token = scan_token(text, token.end, end))
    if (token_is(text, token, "constexpr") || token_is(text, token, "consteval")) return true;
  return false;
}

static bool is_plain(const struct ir_function *function)
{
  return function->body && (function->is_kernel || function->is_device) && !function->is_host &&
         !function->is_template && !function->instance_of && !function->is_method &&
         !function->is_model && !function->method_of && function->body_place.line;
}

void powers_in_text(struct unit *unit, struct text_changes *changes, struct remarks *remarks)
{
  struct texts t = {.unit = unit, .changes = changes, .remarks = remarks};
  struct ir_rewriter rewriter = {unit->arena, made_power, &t};

  for (unsigned i = 0; i < unit->functions.count; i++) {
    struct ir_function *function = unit->functions.items[i];
    if (!is_plain(function) || shares_text(unit, function) || is_constexpr(unit, function))
      continue;
    t.function = function;
    t.any = false;
    struct ir_stmt *body = ir_rewrite_stmt(&rewriter, function->body);
    if (!t.any) continue;
    function->body = body;
    ir_own_body(unit->arena, function);
    ir_note_usage_again(function);
  }
}

/* SPDX-License-Identifier: MIT */
/* emit_check.c - device code for --check: bodies printed from the IR, with a call around each
 * access.
 *
 *     __device__ float at(const float *p, int i) { return p[i]; }
 *  => __device__ float at(const float *p, int i) {
 *       return mesi_check::read(p[i], &_mesi_1f00ab_places[0]);
 *     }
 *
 * Printing from the IR instruments text from macros as well, and staged kernels in the same way.
 * Requires mark_accesses. A function stays as written, with a reason, where it has no IR, its
 * statements cannot be printed, it is constexpr, or host code uses its virtual shared variables
 * too. One without accesses stays without a reason.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "codegen/check/check.h"
#include "codegen/cpu/cpu.h"
#include "codegen/variable/variable.h"
#include "runtime/seeded.h"

enum { TEXT_MOST = 60 }; /* bytes of an access in a message */

/* ---- sites ---- */

const char *check_site(struct codegen *cg, struct check_site site)
{
  *ARENA_PUSH(cg->arena, &cg->check->sites) = site;
  return arena_format(cg->arena, "&%s[%u]", cg->check->table, cg->check->sites.count - 1);
}

static const char *shortened(struct codegen *cg, const char *text)
{
  size_t length = strlen(text);
  return length <= TEXT_MOST ? text : arena_format(cg->arena, "%.*s...", TEXT_MOST - 3, text);
}

static const char *printed_text(struct codegen *cg, const struct ir_expr *expr)
{
  struct text out = {0};
  struct printer p = {.arena = cg->arena, .out = &out};
  print_expr(&p, expr);
  const char *result = arena_string(cg->arena, text_string(&out));
  text_finish(&out);
  return result;
}

static const char *access_text(struct codegen *cg, const struct ir_expr *expr)
{
  const struct ir_place *place = &expr->place;
  const char *text = NULL;
  if (!place->in_macro && place->end > place->begin)
    text =
        scan_one_line(cg->arena, cg->unit->files.items[place->file].text, place->begin, place->end);
  return shortened(cg, text ? text : printed_text(cg, expr));
}

/* The place of an expression; expressions that a plan made are reported at the kernel's name. */
static const struct ir_place *place_of(const struct checked_function *f, const struct ir_expr *expr)
{
  return expr->place.line ? &expr->place : &f->marks->function->name_place;
}

static const char *new_site(struct checked_function *f, const struct ir_expr *expr)
{
  const struct ir_var *root = check_root(expr);
  const char *alias = f->alias ? f->alias(f->alias_context, expr) : NULL;
  bool direct = root && root->kind == IR_VAR_SHARED && expr->kind != IR_EXPR_UNARY;
  return check_site(f->cg, (struct check_site){place_of(f, expr), access_text(f->cg, expr),
                                               alias  ? alias
                                               : root ? root->name
                                                      : "",
                                               direct || alias});
}

/* The site of an expression, one for all its checks. */
static const char *site_of(struct checked_function *f, const struct ir_expr *expr)
{
  unsigned count = f->marks->function->expr_count;
  if (!f->sites) f->sites = arena_alloc(f->cg->arena, (count + 1) * sizeof *f->sites);
  if (expr->id >= count) return new_site(f, expr);
  if (!f->sites[expr->id]) f->sites[expr->id] = new_site(f, expr);
  return f->sites[expr->id];
}

/* The site of the object behind a pointer, as an access: p[i] for &p[i], *p for p. */
static const char *pointer_site(struct checked_function *f, const struct ir_expr *pointer)
{
  const struct ir_expr *bare = ir_strip((struct ir_expr *)pointer);
  if (bare->kind == IR_EXPR_UNARY && bare->op == IR_OP_ADDRESS)
    return site_of(f, ir_strip(bare->operands[0]));
  const struct ir_var *root = check_root(pointer);
  const char *text = access_text(f->cg, pointer),
             *format = bare->kind == IR_EXPR_BINARY ? "*(%s)" : "*%s";
  return check_site(f->cg, (struct check_site){place_of(f, pointer),
                                               arena_format(f->cg->arena, format, text),
                                               root ? root->name : "", false});
}

/* ---- text around expressions ---- */

static const char *use_name(unsigned use)
{
  return use == CHECK_WRITE ? "write" : use == CHECK_UPDATE ? "update" : "read";
}

static const char *open_index(struct checked_function *f, const struct check_mark *mark,
                              struct printer *p)
{
  int64_t extent = ir_strip(mark->indexed->operands[0])->type->extent;
  text_format(p->out, "mesi_check::%s(", mark->local ? "local_index" : "index");
  return arena_format(f->cg->arena, ", %" PRId64 ", %s)", extent + mark->relaxed,
                      site_of(f, mark->indexed));
}

static const char *open_part(struct checked_function *f, const struct check_mark *mark,
                             struct printer *p)
{
  const struct ir_expr *member = mark->member;
  int64_t size = member->type->size > 0 ? member->type->size : 1;
  int64_t offset = member->bit_size ? member->bit_offset / 8 / size * size : member->field_offset;
  text_format(p->out, "mesi_check::%s_part%s(", use_name(mark->part),
              member->is_arrow ? "_of" : "");
  return arena_format(f->cg->arena, ", %" PRId64 ", %" PRId64 ", %s)", offset > 0 ? offset : 0,
                      size, site_of(f, member));
}

static const char *open_call(struct checked_function *f, const struct ir_expr *expr, unsigned call,
                             struct printer *p)
{
  static const char *const names[] = {
      [CHECK_CALL_ATOMIC] = "atomic",   [CHECK_CALL_EXCHANGE] = "exchange",
      [CHECK_CALL_LOAD] = "load",       [CHECK_CALL_STORE] = "store",
      [CHECK_CALL_COPY_TO] = "copy_to", [CHECK_CALL_COPY_FROM] = "copy_from",
      [CHECK_CALL_PLACE] = "place",     [CHECK_CALL_FENCE] = "fence",
      [CHECK_CALL_WAIT] = "wait",       [CHECK_CALL_UNKNOWN] = "unknown"};
  const char *site = call < CHECK_CALL_FENCE ? pointer_site(f, expr) : site_of(f, expr);
  if (call < CHECK_CALL_FENCE) {
    text_format(p->out, "mesi_check::%s(", names[call]);
    return arena_format(f->cg->arena, ", %s)", site);
  }
  text_format(p->out, "(mesi_check::%s(%s), ", names[call], site);
  return ")";
}

static const char *wrap(struct printer *p, const struct ir_expr *expr)
{
  struct checked_function *f = p->instrumentation;
  if (expr->id >= f->marks->function->expr_count) return NULL; /* of the text around the code */
  const struct check_mark *mark = &f->marks->items[expr->id];
  const char *close = "";
  if (mark->indexed) close = open_index(f, mark, p);
  if (mark->call) close = arena_format(p->arena, "%s%s", open_call(f, expr, mark->call, p), close);
  if (mark->part) close = arena_format(p->arena, "%s%s", open_part(f, mark, p), close);
  if (mark->use) {
    const char *site = site_of(f, expr);
    text_format(p->out, "mesi_check::%s(", use_name(mark->use));
    close = arena_format(p->arena, ", %s)%s", site, close);
  }
  return *close ? close : NULL;
}

const char *check_shared_text(struct codegen *cg, const char *name)
{
  return arena_format(cg->arena, " mesi_check::shared(%s, %s);", name, quoted(cg->arena, name));
}

/* Is the variable a plan's copy of structures? Where there is nothing to copy it keeps its
 * contents, and threads that discard their results read it. */
static bool is_copy_of_records(const struct ir_var *var)
{
  const struct ir_type *type = var->type;
  while (type->kind == IR_TYPE_ARRAY) type = type->element;
  return var->alignment && type->kind == IR_TYPE_RECORD;
}

static void declared(struct printer *p, const struct ir_var *var)
{
  struct checked_function *f = p->instrumentation;
  if (!var->is_dynamic_shared) text_add(p->out, check_shared_text(f->cg, var->name));
  if (is_copy_of_records(var)) text_add(p->out, " mesi_check::unknown(nullptr);");
}

void check_printer(struct checked_function *f, struct printer *p)
{
  p->wrap = wrap;
  p->declared = declared;
  p->instrumentation = f;
}

/* ---- bodies ---- */

static const char *rename_var(struct printer *p, const struct ir_var *var)
{
  struct checked_function *f = p->context;
  return var->kind == IR_VAR_VS ? vs_printed_name(f->cg, f->marks->function, var) : NULL;
}

struct named_shared { /* the shared variables at namespace scope that a function names */
  struct arena *arena;
  LIST_OF(const struct ir_var *) items;
};

static void note_shared(struct ir_expr *expr, void *context)
{
  struct named_shared *named = context;
  if (expr->kind != IR_EXPR_VAR || expr->var->kind != IR_VAR_SHARED || expr->var->function) return;
  for (unsigned i = 0; i < named->items.count; i++)
    if (named->items.items[i] == expr->var) return;
  *ARENA_PUSH(named->arena, &named->items) = expr->var;
}

static bool declares(const struct ir_function *function, const struct ir_var *var)
{
  const struct ir_place *body = &function->body_place, *place = &var->place;
  return body->file == place->file && body->begin <= place->begin && place->begin < body->end;
}

struct dynamic_declaration {
  const char *name;
  bool found;
};

static bool find_dynamic(struct ir_stmt *stmt, void *context)
{
  struct dynamic_declaration *declaration = context;
  if (stmt->kind == IR_STMT_DECL)
    declaration->found |=
        stmt->var->is_dynamic_shared && !strcmp(stmt->var->name, declaration->name);
  return true;
}

/* extern __shared__ arrays of one name in several functions are one entity, placed at the first
 * one. */
static bool declares_again(const struct ir_function *function, const struct ir_var *var)
{
  struct dynamic_declaration declaration = {var->name, false};
  if (var->is_dynamic_shared) ir_visit_stmts(function->body, find_dynamic, &declaration);
  return declaration.found;
}

static bool hidden_by_parameter(const struct ir_function *function, const struct ir_var *var)
{
  bool hidden = false;
  for (unsigned i = 0; i < function->param_count; i++)
    hidden |= function->params[i]->name && !strcmp(function->params[i]->name, var->name);
  return hidden;
}

/* The name of a shared variable at namespace scope at the head of the function's body. */
static const char *shared_name(struct codegen *cg, const struct ir_function *function,
                               const struct ir_var *var)
{
  bool plain = !var->qualified ||
               (!strcmp(var->qualified, var->name) && !hidden_by_parameter(function, var));
  return plain ? var->name : arena_format(cg->arena, "::%s", var->qualified);
}

static void announce_shared(struct codegen *cg, const struct ir_function *function,
                            const struct ir_var *var, struct printer *p)
{
  const char *name = shared_name(cg, function, var);
  print_text_line(p, "mesi_check::shared(%s, %s);", name, quoted(cg->arena, var->name));
}

void print_shared_references(struct codegen *cg, const struct ir_function *function,
                             struct printer *p)
{
  struct named_shared named = {.arena = cg->arena};
  if (!p->target_cpu) return;
  ir_visit_stmt_exprs(function->body, note_shared, &named);
  for (unsigned i = 0; i < named.items.count; i++) {
    const struct ir_var *var = named.items.items[i];
    if (declares(function, var) || declares_again(function, var)) continue;
    const char *reference = var->is_dynamic_shared ? dynamic_shared_reference(cg, var) : NULL;
    if (reference)
      print_text_line(p, "%s", reference);
    else if (var->is_dynamic_shared)
      p->failed = true;
    else if (cg->check && !SEEDED(SHARED_UNANNOUNCED))
      announce_shared(cg, function, var, p);
  }
}

/* The body as text; NULL: it cannot be printed. */
static const char *printed_body(struct codegen *cg, const struct check_marks *marks)
{
  const struct ir_function *function = marks->function;
  const struct unit_file *file = &cg->unit->files.items[function->body_place.file];
  struct checked_function f = {.cg = cg, .marks = marks};
  struct text out = {0};
  struct printer p = {.arena = cg->arena,
                      .out = &out,
                      .rename = rename_var,
                      .context = &f,
                      .source = file->text,
                      .target_cpu = true,
                      .waits = waits_for_others(cg, function),
                      .indent = 1};
  if (cg->options->line_directives) p.file = quoted(cg->arena, file->path);
  check_printer(&f, &p);
  text_add(&out, "{");
  print_vs_references(cg, function, &p);
  print_shared_references(cg, function, &p);
  for (unsigned i = 0; i < function->body->child_count; i++)
    print_stmt(&p, function->body->children[i]);
  text_add(&out, "\n}");
  if (cg->options->line_directives) {
    text_format(&out, "\n%s",
                line_directive(cg, function->body_place.file,
                               scan_line(file->text, function->body_place.end)));
    out.data[--out.length] = '\0';
    if (file->text[function->body_place.end] != '\n') text_add(&out, "\n");
  }
  const char *result = p.failed ? NULL : arena_copy(cg->arena, out.data, out.length);
  text_finish(&out);
  return result;
}

static bool is_constexpr(const struct codegen *cg, const struct ir_function *function)
{
  const char *text = cg->unit->files.items[function->place.file].text;
  unsigned at = function->place.begin, end = function->body_place.begin;
  if (function->place.file != function->body_place.file || at > end) return false;
  for (;;) {
    struct token token = scan_token(text, at, end);
    if (token.kind == TOKEN_END) return false;
    if (token_is(text, token, "constexpr") || token_is(text, token, "consteval")) return true;
    at = token.end;
  }
}

/* The reason why a function with IR stays as written; NULL: none. */
static const char *obstacle(const struct codegen *cg, const struct ir_function *function)
{
  const struct unit_file *file = &cg->unit->files.items[function->body_place.file];
  if (function->body_place.end <= function->body_place.begin ||
      file->text[function->body_place.begin] != '{')
    return "its body comes from a macro";
  if (function->is_host && function->vs_use_count)
    return "it is host code too and names a virtual shared variable";
  return is_constexpr(cg, function) ? "it is constexpr" : NULL;
}

static void print_function(struct codegen *cg, const struct check_marks *marks)
{
  const struct ir_function *function = marks->function;
  const char *reason = obstacle(cg, function);
  const char *body = reason ? NULL : printed_body(cg, marks);
  const struct ir_place *place = &function->body_place;
  if (!body) {
    cg->check->kept[function->id] = reason ? reason : "its statements cannot be printed";
    return;
  }
  cg->check_printed[function->id] = true;
  edit_replace(&cg->edits[place->file], place->begin, place->end, body);
}

static void note_unknown(struct codegen *cg, const struct check_marks *marks)
{
  for (unsigned i = 0; i < marks->unknown.count; i++) {
    const struct ir_function *made = marks->unknown.items[i],
                             *callee = made->instance_of ? made->instance_of : made;
    const char *reason = callee->verbatim      ? callee->verbatim
                         : callee->is_template ? "it is a template"
                                               : NULL;
    if (!callee->is_kernel && callee->has_definition)
      cg->check->kept[callee->id] = reason ? reason : "it is not analysed";
  }
}

void emit_check(struct codegen *cg)
{
  struct unit *unit = cg->unit;
  struct check_state *check = cg->check = ARENA_NEW(cg->arena, struct check_state);
  check->table = unit_fresh_name(unit, arena_format(cg->arena, "%s_places", cg->table));
  cg->check_printed = arena_alloc(cg->arena, unit->functions.count + 1);
  check->kept = arena_alloc(cg->arena, (unit->functions.count + 1) * sizeof *check->kept);
  check->marks = arena_alloc(cg->arena, (unit->functions.count + 1) * sizeof *check->marks);
  for (unsigned i = 0; i < unit->functions.count; i++) {
    struct ir_function *function = unit->functions.items[i];
    bool on_device = function->is_kernel || function->is_device;
    if (!on_device || !function->has_definition || function->instance_of) continue;
    if (!function->body && function->is_kernel)
      check->kept[i] = function->verbatim      ? function->verbatim
                       : function->is_template ? "it is a template"
                                               : "it is not analysed";
    if (!function->body) continue;
    const struct check_marks *marks = mark_accesses(cg->arena, function);
    check->marks[i] = marks;
    note_unknown(cg, marks);
    if (marks->any) print_function(cg, marks);
  }
}

/* SPDX-License-Identifier: MIT */
/* collect.c - walks the translation unit: variables, functions and the names in their bodies,
 * launches; then lowers every body.
 *
 * Requires: a parsed unit without errors, source_collect done. Produces: the unit. */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

/* ---- the names in a body ---- */

struct body_scan {
  struct frontend *frontend;
  struct ir_function *function; /* NULL: an initialiser */
  LIST_OF(struct vs_var *) vs;
  LIST_OF(struct ir_var *) dynamic;
  LIST_OF(unsigned) others;
  LIST_OF(struct vs_place) places; /* names of VS variables in device code */
  struct ir_places in_macros;      /* VS variables that macros name */
  bool qualified;                  /* one of these has its namespace */
  bool captures;                   /* the body has a lambda or a using */
  bool has_unvisited;              /* the body has text that libclang does not visit */
};

/* ns::a, ::a: the reference begins before its name. */
static bool has_qualifier(CXCursor reference)
{
  CXSourceLocation begin = clang_getRangeStart(clang_getCursorExtent(reference));
  return !SEEDED(GLOBAL_QUALIFIER_UNSEEN) &&
         !clang_equalLocations(begin, clang_getCursorLocation(reference));
}

/* Codegen edits the name where it is not the plain one; a name in a macro's body must be
 * expanded. */
static void note_place(struct body_scan *scan, CXCursor reference, const struct ir_var *var)
{
  struct frontend *f = scan->frontend;
  struct ir_place place = place_of(f, reference);
  if (!scan->function || !(scan->function->is_device || scan->function->is_kernel)) return;
  for (unsigned i = 0; i < scan->places.count; i++)
    if (scan->places.items[i].place.begin == place.begin &&
        scan->places.items[i].place.file == place.file)
      return;
  *ARENA_PUSH(f->arena, &scan->places) = (struct vs_place){place, var};
  const char *text = place.in_macro ? "" : text_of(f, place);
  size_t length = strlen(var->name), written = strlen(text);
  if (written >= length && !strcmp(text + written - length, var->name)) return;
  *ARENA_PUSH(f->arena, &scan->in_macros.list) = place;
  /* phys::A, where only A is a macro */
  if (place.end > place.begin) place.begin = place.end - 1;
  *ARENA_PUSH(f->arena, &scan->in_macros.list) = place;
  scan->qualified |= has_qualifier(reference);
}

static void note_reference(struct body_scan *scan, CXCursor reference, CXCursor target)
{
  struct frontend *f = scan->frontend;
  if (clang_getCursorKind(target) != CXCursor_VarDecl || is_system_cursor(target)) return;
  struct ir_var *var = var_of(f, target, scan->function);
  if (var->kind == IR_VAR_VS && var->vs) {
    note_place(scan, reference, var);
    for (unsigned i = 0; i < scan->vs.count; i++)
      if (scan->vs.items[i]->var == var) return;
    *ARENA_PUSH(f->arena, &scan->vs) = var->vs;
  }
}

static void note_dynamic(struct body_scan *scan, CXCursor declaration)
{
  struct ir_var *var = var_of(scan->frontend, declaration, scan->function);
  if (!var->is_dynamic_shared) return;
  for (unsigned i = 0; i < scan->dynamic.count; i++)
    if (scan->dynamic.items[i] == var) return;
  *ARENA_PUSH(scan->frontend->arena, &scan->dynamic) = var;
}

static bool is_vs_name(const struct unit *unit, const char *name)
{
  for (unsigned i = 0; i < unit->vs_vars.count; i++)
    if (!strcmp(unit->vs_vars.items[i]->name, name)) return true;
  return false;
}

/* Notes locals, members and labels with the name of a VS variable, and references to them. */
static void note_other_name(struct body_scan *scan, CXCursor cursor)
{
  struct frontend *f = scan->frontend;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  bool names = clang_isDeclaration(kind) || kind == CXCursor_DeclRefExpr ||
               kind == CXCursor_MemberRefExpr || kind == CXCursor_LabelStmt ||
               kind == CXCursor_LabelRef;
  if (!names || !is_vs_name(f->unit, spelling_of(f, cursor))) return;
  CXCursor target = clang_isDeclaration(kind) ? cursor : clang_getCursorReferenced(cursor);
  if (clang_getCursorKind(target) == CXCursor_VarDecl && has_mesi_global(f, target)) return;
  *ARENA_PUSH(f->arena, &scan->others) =
      place_of_location(f, clang_getCursorLocation(cursor)).begin;
}

static bool in_class_template(CXCursor cursor)
{
  for (CXCursor at = clang_getCursorSemanticParent(cursor); !clang_Cursor_isNull(at);
       at = clang_getCursorSemanticParent(at)) {
    enum CXCursorKind kind = clang_getCursorKind(at);
    if (kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization)
      return true;
    if (clang_isTranslationUnit(kind) || clang_isInvalid(kind)) return false;
  }
  return false;
}

/* Refuses assembly in device code that the host compiles: it is PTX, which the host's assembler
 * does not know. */
static void refuse_assembly(struct body_scan *scan, CXCursor cursor)
{
  struct frontend *f = scan->frontend;
  const struct ir_function *function = scan->function;
  if (!f->options->device_on_host || !function || function->is_template ||
      in_class_template(f->bodies.items[function->id]) ||
      !(function->is_kernel || function->is_device))
    return;
  struct diag_place place = diag_place_of(f, place_of(f, cursor));
  diag_report(f->diag, DIAG_UNSUPPORTED, &place,
              "'%s' has inline PTX, which the CPU backend does not know", function->name);
}

static void collect_function(struct frontend *f, CXCursor cursor);
static enum CXChildVisitResult scan_cursor(CXCursor cursor, CXCursor parent, CXClientData data);

/* A lambda for the device, in host code: it is a function of its own, but the host captures its
 * variables. */
static bool scan_lambda(struct body_scan *scan, CXCursor lambda)
{
  struct frontend *f = scan->frontend;
  CXCursor call = device_lambda(f, lambda);
  bool on_device = scan->function && (scan->function->is_kernel || scan->function->is_device);
  if (on_device || clang_Cursor_isNull(call)) return false;
  collect_function(f, call);
  struct children children = children_of(f, lambda);
  for (unsigned i = 0; i < children.count; i++) {
    enum CXCursorKind kind = clang_getCursorKind(children.items[i]);
    if (clang_isStatement(kind) || kind == CXCursor_ParmDecl) continue;
    scan_cursor(children.items[i], lambda, scan);
    clang_visitChildren(children.items[i], scan_cursor, scan);
  }
  return true;
}

static enum CXChildVisitResult scan_cursor(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct body_scan *scan = data;
  note_other_name(scan, cursor);
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_ParmDecl:
    if (has_mesi_global(scan->frontend, cursor))
      vs_error(scan->frontend, cursor, DIAG_VS_LOCAL, "is a parameter; it must be global", "");
    break;
  case CXCursor_CallExpr:
    if (is_launch(scan->frontend, cursor)) launch_of(scan->frontend, cursor);
    break;
  case CXCursor_UsingDeclaration:
  case CXCursor_UsingDirective: scan->captures = true; break;
  case CXCursor_LambdaExpr:
    scan->captures = true;
    if (scan_lambda(scan, cursor)) return CXChildVisit_Continue;
    break;
  case CXCursor_AsmStmt: refuse_assembly(scan, cursor); break;
  case CXCursor_SwitchStmt:
    scan->has_unvisited |= switch_has_first(scan->frontend, cursor) && !SEEDED(SWITCH_FIRST_UNSEEN);
    break;
  case CXCursor_DeclRefExpr: {
    CXCursor target = clang_getCursorReferenced(cursor);
    note_reference(scan, cursor, target);
    if (clang_getCursorKind(target) == CXCursor_VarDecl &&
        has_attribute(scan->frontend, target, CXCursor_CUDASharedAttr))
      note_dynamic(scan, target);
    break;
  }
  case CXCursor_VarDecl:
    if (has_attribute(scan->frontend, cursor, CXCursor_CUDASharedAttr)) note_dynamic(scan, cursor);
    if (has_mesi_global(scan->frontend, cursor))
      vs_error(scan->frontend, cursor, DIAG_VS_LOCAL,
               "is declared in a function; it must be global", "");
    break;
  default: break;
  }
  return CXChildVisit_Recurse;
}

/* Conditional compilation inside a body: the parsed host view may differ from the device's. */
static bool has_conditional(struct frontend *f, struct ir_place body)
{
  const char *text = f->unit->files.items[body.file].text;
  bool line_start = false;
  for (unsigned at = body.begin; at < body.end; at++) {
    if (text[at] == '\n') {
      line_start = true;
    } else if (text[at] == '#' && line_start) {
      unsigned word = scan_skip_space(text, at + 1);
      if (!strncmp(text + word, "if", 2) || !strncmp(text + word, "el", 2)) return true;
      line_start = false;
    } else if (text[at] != ' ' && text[at] != '\t') {
      line_start = false;
    }
  }
  return false;
}

static void note_hidden_use(struct body_scan *scan, struct vs_var *vs)
{
  for (unsigned i = 0; i < scan->vs.count; i++)
    if (scan->vs.items[i]->var == vs->var) return;
  *ARENA_PUSH(scan->frontend->arena, &scan->vs) = vs;
}

/* Notes, by name, the variables that only the device's view of a body may name, or text that is not
 * visited. A superfluous one costs a transfer. */
static void note_hidden(struct body_scan *scan)
{
  struct frontend *f = scan->frontend;
  const struct ir_place *body = &scan->function->body_place;
  const char *text = f->unit->files.items[body->file].text;
  for (unsigned at = body->begin, end; at < body->end; at = end) {
    end = scan_skip_space(text, at);
    if (end > at) continue;
    end = scan_skip_token(text, at) > at ? scan_skip_token(text, at) : at + 1;
    if (!scan_is_identifier_start(text[at])) continue;
    const char *name = arena_copy(f->arena, text + at, end - at);
    for (unsigned i = 0; i < f->unit->vs_vars.count; i++)
      if (!strcmp(f->unit->vs_vars.items[i]->name, name))
        note_hidden_use(scan, f->unit->vs_vars.items[i]);
    for (unsigned i = 0; i < f->unit->functions.count; i++) {
      const struct ir_function *callee = f->unit->functions.items[i];
      for (unsigned j = 0;
           callee->is_device && j < callee->vs_use_count && !strcmp(callee->name, name); j++)
        note_hidden_use(scan, callee->vs_uses[j]);
    }
  }
}

CXCursor body_of(struct frontend *f, CXCursor function)
{
  struct children children = children_of(f, function);
  for (unsigned i = children.count; i-- > 0;) {
    enum CXCursorKind kind = clang_getCursorKind(children.items[i]);
    if (kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt) return children.items[i];
  }
  return clang_getNullCursor();
}

static void collect_function(struct frontend *f, CXCursor cursor)
{
  struct ir_function *function = function_of(f, cursor);
  if (!function) return;
  if (function->is_kernel || function->is_device) declared_outside(f, function, cursor);
  CXCursor body = body_of(f, cursor);
  if (function->has_definition) return;
  f->bodies.items[function->id] = cursor;
  if (clang_Cursor_isNull(body)) return;
  function->has_definition = true;
  function->names_before = f->unit->declared.count;
  function->place = place_of(f, cursor);
  function->name_place = place_of_location(f, clang_getCursorLocation(cursor));
  function->name_place.end = function->name_place.begin + (unsigned)strlen(function->name);
  function->name_place.in_macro = !starts_with_at(f, function->name_place, function->name);
  function->body_place = place_of(f, body);
  function->body_place.in_macro = !starts_with_at(f, function->body_place, "{");
  struct body_scan scan = {.frontend = f, .function = function};
  clang_visitChildren(cursor, scan_cursor, &scan);
  bool device = function->is_kernel || function->is_device;
  if (device && !function->body_place.in_macro &&
      (scan.has_unvisited || has_conditional(f, function->body_place)))
    note_hidden(&scan);
  bool apart = scan.qualified || scan.captures || scan.others.count;
  for (unsigned i = 0; apart && i < scan.in_macros.list.count; i++)
    *ARENA_PUSH(f->arena, &f->named.list) = scan.in_macros.list.items[i];
  function->vs_uses = scan.vs.items;
  function->vs_use_count = scan.vs.count;
  function->vs_places = scan.places.items;
  function->vs_place_count = scan.places.count;
  function->other_names = scan.others.items;
  function->other_name_count = scan.others.count;
  function->dynamic_shared = scan.dynamic.items;
  function->dynamic_shared_count = scan.dynamic.count;
}

static void collect_variable(struct frontend *f, CXCursor cursor, CXCursor parent)
{
  if (has_mesi_global(f, cursor)) {
    enum CXCursorKind kind = clang_getCursorKind(parent);
    bool in_class =
        kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl || kind == CXCursor_ClassTemplate;
    if (in_class)
      vs_error(f, cursor, DIAG_VS_LOCAL, "is a member of a class; it must be global", "");
    else
      collect_vs(f, cursor);
    return;
  }
  var_of(f, cursor, NULL);
  struct body_scan scan = {.frontend = f};
  clang_visitChildren(cursor, scan_cursor, &scan);
}

/* Is the cursor a template of VS variables? libclang does not visit these, and only prints them. */
static bool is_vs_template(struct frontend *f, CXCursor cursor)
{
  CXPrintingPolicy policy = clang_getCursorPrintingPolicy(cursor);
  const char *text = string_of(f, clang_getCursorPrettyPrinted(cursor, policy));
  clang_PrintingPolicy_dispose(policy);
  return !strncmp(text, "template", strlen("template")) && strstr(text, "mesi.global");
}

static enum CXChildVisitResult collect_declaration(CXCursor cursor, CXCursor parent,
                                                   CXClientData data)
{
  struct frontend *f = data;
  CXFile file;
  clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
  if (source_file_index(f, file) < 0) return CXChildVisit_Continue;
  declared_note(f, cursor, parent);
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_UnexposedDecl:
    if (is_vs_template(f, cursor)) vs_error(f, cursor, DIAG_VS_STORAGE, "is a template", "");
    return CXChildVisit_Recurse;
  case CXCursor_Namespace:
  case CXCursor_LinkageSpec:
  case CXCursor_StructDecl:
  case CXCursor_ClassDecl:
  case CXCursor_UnionDecl:
  case CXCursor_ClassTemplate:
  case CXCursor_ClassTemplatePartialSpecialization: return CXChildVisit_Recurse;
  case CXCursor_VarDecl: collect_variable(f, cursor, parent); break;
  case CXCursor_TypedefDecl:
    if (has_mesi_global(f, cursor))
      vs_error(f, cursor, DIAG_VS_STORAGE, "is a type definition, not a variable", "");
    break;
  case CXCursor_FieldDecl:
    if (has_mesi_global(f, cursor))
      vs_error(f, cursor, DIAG_VS_LOCAL, "is a member of a class; it must be global", "");
    break;
  case CXCursor_FunctionDecl:
  case CXCursor_FunctionTemplate:
  case CXCursor_CXXMethod:
  case CXCursor_Constructor:
  case CXCursor_Destructor:
  case CXCursor_ConversionFunction: collect_function(f, cursor); break;
  default: break;
  }
  return CXChildVisit_Continue;
}

/* ---- lowering ---- */

static const char member_function[] = "it is a member function";

static const char *reason_not_to_lower(struct frontend *f, const struct ir_function *function,
                                       CXCursor cursor)
{
  if (function->is_template) return "it is a template";
  if (in_class_template(cursor)) return "it is a member of a class template";
  bool strict = function->is_kernel || function->is_device;
  if (strict && (function->body_place.in_macro || function->body_place.in_argument))
    return "its body comes from a macro";
  if (strict) {
    const char *obstacle = conditional_obstacle(f, function->body_place);
    if (obstacle) return obstacle;
  }
  if (strict && function->is_method && !clang_CXXMethod_isStatic(cursor)) return member_function;
  return NULL;
}

static void lower_parameters(struct lower *l, CXCursor cursor)
{
  int count = clang_Cursor_getNumArguments(cursor);
  l->function->param_count = count > 0 ? (unsigned)count : 0;
  l->function->params =
      arena_alloc(l->frontend->arena, (l->function->param_count + 1) * sizeof(struct ir_var *));
  for (unsigned i = 0; i < l->function->param_count; i++) {
    struct ir_var *var = var_of(l->frontend, clang_Cursor_getArgument(cursor, i), l->function);
    var->function = l->function;
    var->kind = IR_VAR_PARAM;
    var->id = i;
    l->function->params[i] = var;
    *ARENA_PUSH(l->frontend->arena, &l->vars) = var;
  }
}

/* Lowers the body with the constructor's initialisers, which are beside it. */
static struct ir_stmt *lower_body(struct lower *l, CXCursor cursor)
{
  CXCursor body = body_of(l->frontend, cursor);
  struct ir_stmt *block = lower_stmt(l, body);
  if (block->kind != IR_STMT_BLOCK) {
    struct ir_stmt *outer = new_stmt(l, IR_STMT_BLOCK, body);
    outer->children = arena_alloc(l->frontend->arena, sizeof *outer->children);
    outer->children[0] = block;
    outer->child_count = 1;
    block = outer;
  }
  if (clang_getCursorKind(cursor) != CXCursor_Constructor) return block;
  struct children children = children_of(l->frontend, cursor);
  struct ir_stmt *inits = new_stmt(l, IR_STMT_OPAQUE, body);
  LIST_OF(struct ir_expr *) exprs = {0};
  for (unsigned i = 0; i < children.count; i++)
    if (clang_isExpression(clang_getCursorKind(children.items[i])))
      *ARENA_PUSH(l->frontend->arena, &exprs) = lower_expr(l, children.items[i]);
  if (!exprs.count) return block;
  inits->exprs = exprs.items;
  inits->expr_count = exprs.count;
  struct ir_stmt **all = arena_alloc(l->frontend->arena, (block->child_count + 1) * sizeof *all);
  all[0] = inits;
  if (block->child_count) memcpy(all + 1, block->children, block->child_count * sizeof *all);
  block->children = all;
  block->child_count++;
  return block;
}

static void lower_function(struct frontend *f, struct ir_function *function)
{
  CXCursor cursor = f->bodies.items[function->id];
  if (function->is_model) return;
  struct lower l = {
      .frontend = f, .function = function, .strict = function->is_kernel || function->is_device};
  if (function->instance_of) l.instance = instance_at(f, cursor);
  if (!function->is_template && !clang_Cursor_isNull(cursor)) lower_parameters(&l, cursor);
  function->vars = l.vars.items;
  function->var_count = l.vars.count;
  if (!function->has_definition) return;
  if (!function->verbatim) function->verbatim = reason_not_to_lower(f, function, cursor);
  struct ir_stmt *body = NULL;
  if (function->verbatim == member_function) method_lower(f, function, cursor);
  if (!function->verbatim) {
    body = lower_body(&l, cursor);
    construct_check(&l, body_of(f, cursor));
    ir_note_usage(body);
    lambdas_end(&l, body);
    tables_end(&l, body);
    loops_canonicalize(&l, body);
    aliases_end(&l, body);
    hiding_end(&l, body);
    if (l.failed) {
      const char *where = arena_format(f->arena, "%s (line %u)", l.failed, l.failed_place.line);
      function->verbatim = where;
      body = NULL;
    }
  }
  function->body = body;
  function->vars = l.vars.items;
  function->var_count = l.vars.count;
}

static void lower_globals(struct frontend *f, struct ir_var *var, CXCursor cursor)
{
  CXCursor init = clang_Cursor_getVarDeclInitializer(cursor);
  if (clang_Cursor_isNull(init) || var->init || var->kind == IR_VAR_VS) return;
  struct lower l = {.frontend = f, .function = f->global_function};
  var->init = lower_expr(&l, init);
  var->write_count++;
}

static enum CXChildVisitResult lower_global_visit(CXCursor cursor, CXCursor parent,
                                                  CXClientData data)
{
  (void)parent;
  struct frontend *f = data;
  CXFile file;
  clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
  if (source_file_index(f, file) < 0) return CXChildVisit_Continue;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl)
    return CXChildVisit_Recurse;
  if (kind == CXCursor_VarDecl) lower_globals(f, var_of(f, cursor, NULL), cursor);
  return CXChildVisit_Continue;
}

/* ---- after lowering ---- */

static void fix_effect(struct ir_expr *expr, void *context)
{
  (void)context;
  if (expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_CALLEE && !expr->callee->body)
    expr->effect = IR_EFFECT_UNKNOWN;
}

enum visit_state { NEW, OPEN, DONE };

struct recursion {
  struct frontend *frontend;
  unsigned char *state; /* by function id */
};

static void find_recursion(struct recursion *r, struct ir_function *function);

static void follow_call(struct ir_expr *expr, void *context)
{
  if (expr->kind == IR_EXPR_CALL && expr->callee) {
    struct recursion *r = context;
    if (r->state[expr->callee->id] == OPEN)
      expr->callee->calls_itself = true;
    else
      find_recursion(r, expr->callee);
  }
}

static void find_recursion(struct recursion *r, struct ir_function *function)
{
  if (r->state[function->id] != NEW) return;
  r->state[function->id] = OPEN;
  if (function->body) ir_visit_stmt_exprs(function->body, follow_call, r);
  r->state[function->id] = DONE;
}

static void finish_functions(struct frontend *f)
{
  struct recursion r = {f, arena_alloc(f->arena, f->unit->functions.count + 1)};
  for (unsigned i = 0; i < f->unit->functions.count; i++)
    find_recursion(&r, f->unit->functions.items[i]);
  for (unsigned i = 0; i < f->unit->functions.count; i++) {
    struct ir_function *function = f->unit->functions.items[i];
    if (function->calls_itself && (function->is_kernel || function->is_device) && function->body) {
      function->verbatim = "it is recursive";
      function->body = NULL;
    }
  }
  for (unsigned i = 0; i < f->unit->functions.count; i++)
    if (f->unit->functions.items[i]->body)
      ir_visit_stmt_exprs(f->unit->functions.items[i]->body, fix_effect, NULL);
}

/* Marks the files whose text the output must contain: those with edits, and their includers. */
static void mark_inlined(struct frontend *f, unsigned file)
{
  for (int at = (int)file; at >= 0; at = f->unit->files.items[at].included_from)
    f->unit->files.items[at].needs_inlining = true;
}

static void find_inlined(struct frontend *f)
{
  struct unit *unit = f->unit;
  for (unsigned i = 0; i < unit->vs_vars.count; i++)
    mark_inlined(f, unit->vs_vars.items[i]->place.file);
  for (unsigned i = 0; i < unit->launches.count; i++)
    mark_inlined(f, unit->launches.items[i]->place.file);
  for (unsigned i = 0; i < unit->functions.count; i++) {
    const struct ir_function *function = unit->functions.items[i];
    bool edited =
        function->has_definition &&
        (function->is_kernel || function->dynamic_shared_count || (function->vs_use_count));
    if (edited) mark_inlined(f, function->place.file);
  }
}

static bool uses_api(const struct unit *unit)
{
  static const char *const names[] = {"mesi_malloc", "mesi_calloc", "mesi_realloc", "mesi_free",
                                      "mesi_device_ptr"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (name_map_has(&unit->identifiers, names[i])) return true;
  return false;
}

int collect_unit(struct frontend *f)
{
  f->global_function = ARENA_NEW(f->arena, struct ir_function);
  f->global_function->name = f->global_function->qualified = "initialisers";
  visit_unit(f, collect_declaration, f);
  launches_settle(f);
  /* lowering may add functions */
  for (unsigned i = 0; i < f->unit->functions.count; i++)
    lower_function(f, f->unit->functions.items[i]);
  visit_unit(f, lower_global_visit, f);
  finish_functions(f);
  shared_measure(f);
  specialize_mark(f);
  find_inlined(f);
  f->unit->uses_mesi_api = uses_api(f->unit);
  return f->diag->error_count ? -1 : 0;
}

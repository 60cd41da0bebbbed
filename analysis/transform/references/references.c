/* SPDX-License-Identifier: MIT */
/* references.c - local references give way to the elements that they refer to, and arrows to
 * members of elements.
 *
 *     float &sum = c[row * n + col];
 *     const body &b = bodies[j];        =>
 *     const body *p = bodies + i;              const body *p = bodies + i;
 *     sum += b.mass * p->x;                    c[row * n + col] += bodies[j].mass * (*p).x;
 *
 * The walk does not follow references, and finds the element in `*p`. Requires: the reference is
 * bound to an element of global memory, of the type that it is declared with. All that the
 * element's index consists of keeps its value as long as the reference lives: nothing behind the
 * declaration in its block writes it, and what the index loads is written nowhere in the kernel.
 * Produces: the places in draft->formed. Costs: nothing, since a reference is its element for nvcc,
 * too; the code is printed only where another row takes the kernel. Gives up without a remark:
 * nothing is lost.
 */
#include "analysis/transform/references/references.h"

#include "analysis/code/renew.h"
#include "runtime/seeded.h"

struct referring {
  struct draft *draft;
  struct code *code;
  bool loads;              /* elements whose index is loaded, too: the code has a scan */
  struct ir_stmt **behind; /* statements in which the present reference lives */
  unsigned behind_count;
};

static bool value_lasts(const struct referring *r, struct ir_expr *expr);

/* ---- does the element stay the same one? ---- */

struct write_search {
  const struct ir_var *var;
  bool found;
};

static void note_write(struct ir_expr *expr, void *context)
{
  struct write_search *s = context;

  s->found |= ir_writes_var(expr, s->var);
}

static bool var_lasts(const struct referring *r, const struct ir_var *var)
{
  struct write_search s = {var, false};

  if ((var->kind != IR_VAR_LOCAL && var->kind != IR_VAR_PARAM) || var->address_taken ||
      var->is_static || var->type->kind == IR_TYPE_REFERENCE || var->type->is_volatile)
    return false;
  for (unsigned i = 0; i < r->behind_count; i++) ir_visit_stmt_exprs(r->behind[i], note_write, &s);
  return !s.found || SEEDED(REFERENCE_MOVES);
}

/* The object that holds the member, parentheses aside. */
static struct ir_expr *without_members(struct ir_expr *expr)
{
  while ((expr->kind == IR_EXPR_MEMBER && !expr->is_arrow) || expr->kind == IR_EXPR_PAREN)
    expr = expr->operands[0];
  return expr;
}

static bool is_element(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_INDEX || (expr->kind == IR_EXPR_MEMBER && expr->is_arrow) ||
         (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF);
}

/* Is the place in memory the same one as long as the reference lives? */
static bool place_lasts(const struct referring *r, struct ir_expr *expr)
{
  expr = without_members(expr);
  if (expr->kind == IR_EXPR_VAR)
    return expr->var->kind == IR_VAR_DEVICE ? !expr->var->type->is_volatile
                                            : var_lasts(r, expr->var);
  if (!is_element(expr) || !value_lasts(r, expr->operands[0])) return false;
  return expr->kind != IR_EXPR_INDEX || value_lasts(r, expr->operands[1]);
}

/* ... of a number or a pointer that is loaded */
static bool load_lasts(const struct referring *r, struct ir_expr *expr)
{
  if (!place_lasts(r, expr)) return false;
  struct ir_expr *root = without_members(expr);
  if (root->kind == IR_EXPR_VAR && root->var->kind != IR_VAR_DEVICE) return true;
  if (expr->type->kind == IR_TYPE_ARRAY) return true; /* an address */
  const struct code_access *access = r->loads ? code_access_of(r->code, expr) : NULL;
  return access && !expr->type->is_volatile &&
         (code_read_only(r->code, access->array) || SEEDED(REFERENCE_RELOADED));
}

static bool operands_last(const struct referring *r, struct ir_expr *expr)
{
  for (unsigned i = 0; i < expr->operand_count; i++)
    if (!value_lasts(r, expr->operands[i])) return false;
  return true;
}

static bool value_lasts(const struct referring *r, struct ir_expr *expr)
{
  switch (expr->kind) {
  case IR_EXPR_INT:
  case IR_EXPR_BUILTIN:
  case IR_EXPR_SIZEOF: return true;
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
  case IR_EXPR_PAREN:
  case IR_EXPR_COND: return operands_last(r, expr);
  case IR_EXPR_BINARY: return expr->op != IR_OP_COMMA && operands_last(r, expr);
  case IR_EXPR_CALL:
    return expr->effect == IR_EFFECT_NONE && !expr->is_method && operands_last(r, expr);
  case IR_EXPR_UNARY:
    if (expr->op == IR_OP_DEREF) return load_lasts(r, expr);
    return (expr->op == IR_OP_NEG || expr->op == IR_OP_PLUS || expr->op == IR_OP_BIT_NOT) &&
           operands_last(r, expr);
  case IR_EXPR_VAR:
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER: return load_lasts(r, expr);
  default: return false;
  }
}

/* ---- which references ---- */

struct use_search {
  const struct ir_var *var;
  bool adds_const; /* the reference is to a constant, the element is none */
  bool bad;
};

/* Where the element's type has no const, a call could be one of another function. */
static void note_use(struct ir_expr *expr, void *context)
{
  struct use_search *s = context;
  bool call = expr->kind == IR_EXPR_CALL || expr->kind == IR_EXPR_CONSTRUCT;
  bool known = !expr->is_method && (expr->callee || expr->effect == IR_EFFECT_NONE);

  if (expr->kind == IR_EXPR_OPAQUE) s->bad |= ir_expr_has_var(expr, s->var);
  if (!call || known || !s->adds_const) return;
  for (unsigned i = 0; i < expr->operand_count; i++) {
    const struct ir_expr *operand = without_members(expr->operands[i]);
    s->bad |= operand->kind == IR_EXPR_VAR && operand->var == s->var;
  }
}

static bool note_opaque(struct ir_stmt *stmt, void *context)
{
  struct use_search *s = context;
  s->bad |= stmt->kind == IR_STMT_OPAQUE;
  return true;
}

/* Does the declaration bind a reference that can give way? */
static bool gives_way(const struct referring *r, const struct ir_stmt *decl)
{
  if (decl->kind != IR_STMT_DECL || !decl->expr || decl->var->kind != IR_VAR_LOCAL ||
      decl->var->type->kind != IR_TYPE_REFERENCE)
    return false;
  const struct ir_type *type = decl->var->type->element;
  struct ir_expr *element = decl->expr, *root = without_members(element);
  struct use_search s = {decl->var, type->is_const && !element->type->is_const, false};

  if (!is_element(root) || element->bit_size || type->is_volatile || element->type->is_volatile ||
      !ir_same_type(type, element->type) || !place_lasts(r, element))
    return false;
  const struct ir_var *holder = ir_holder(root);
  if (holder && holder->kind != IR_VAR_DEVICE) return false; /* a local, or shared memory */
  for (unsigned i = 0; i < r->behind_count; i++) {
    ir_visit_stmt_exprs(r->behind[i], note_use, &s);
    ir_visit_stmts(r->behind[i], note_opaque, &s);
  }
  return !s.bad;
}

/* ---- their elements in their place ---- */

static struct ir_expr *element_of(struct ir_rewriter *rewriter, struct ir_expr *expr)
{
  const struct ir_stmt *decl = rewriter->context;

  if (expr->kind != IR_EXPR_VAR || expr->var != decl->var) return NULL;
  bool plain = decl->expr->kind == IR_EXPR_INDEX || decl->expr->kind == IR_EXPR_MEMBER ||
               decl->expr->kind == IR_EXPR_PAREN;
  if (plain) return decl->expr;
  struct ir_expr *paren = ARENA_NEW(rewriter->arena, struct ir_expr); /* (*p).x */
  *paren = (struct ir_expr){.kind = IR_EXPR_PAREN,
                            .id = UINT32_MAX,
                            .type = decl->expr->type,
                            .place = expr->place,
                            .operands = arena_alloc(rewriter->arena, sizeof *paren->operands),
                            .operand_count = 1};
  paren->operands[0] = decl->expr;
  return paren;
}

static void note_taken(struct referring *r, const struct ir_stmt *decl)
{
  struct arena *arena = r->code->arena;
  const char *what = arena_format(arena, "'%s' as the element that it refers to", decl->var->name);

  *ARENA_PUSH(arena, &r->draft->formed) =
      (struct formed){decl->place, DIAG_REFERENCE_FORMED, DIAG_REFERENCE_FORMED, NULL, what};
}

/* One declaration of the block, or one declarator of it, whose statements from `next` on are where
 * it lives; those change. */
static bool without_reference(struct referring *r, struct ir_stmt *decl, struct ir_stmt **next,
                              unsigned count)
{
  struct ir_rewriter rewriter = {r->code->arena, element_of, decl};

  r->behind = next;
  r->behind_count = count;
  if (!gives_way(r, decl)) return false;
  for (unsigned i = 0; i < count; i++) next[i] = ir_rewrite_stmt(&rewriter, next[i]);
  note_taken(r, decl);
  return true;
}

/* The last declarator of several: the others may be written in terms of it. */
static struct ir_stmt *without_declarator(struct referring *r, struct ir_stmt *decls,
                                          struct ir_stmt **next, unsigned count)
{
  for (unsigned last = decls->child_count; last; last--) {
    if (!without_reference(r, decls->children[last - 1], next, count)) break;
    decls = ir_copy_stmt(r->code->arena, decls);
    decls->child_count = last - 1;
  }
  return decls->child_count ? decls : NULL;
}

static struct ir_stmt *refer(struct referring *r, struct ir_stmt *stmt)
{
  if (!stmt) return NULL;
  struct ir_stmt *copy = ir_copy_stmt(r->code->arena, stmt), **below;
  struct ir_list left = {0};

  for (unsigned i = 0; stmt->kind == IR_STMT_BLOCK && i < copy->child_count; i++) {
    struct ir_stmt *child = copy->children[i], **next = copy->children + i + 1;
    unsigned count = copy->child_count - i - 1;
    if (child && child->kind == IR_STMT_DECLS)
      child = without_declarator(r, child, next, count);
    else if (child && without_reference(r, child, next, count))
      child = NULL;
    ir_list_add(r->code->arena, &left, child);
  }
  if (stmt->kind == IR_STMT_BLOCK) {
    copy->children = left.items.items;
    copy->child_count = left.items.count;
  }
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = refer(r, *below);
  return copy;
}

/* ---- arrows ---- */

struct arrows {
  unsigned count;
};

static struct ir_expr *one_operand(struct arena *arena, const struct ir_expr *like,
                                   struct ir_expr *operand)
{
  struct ir_expr *expr = ARENA_NEW(arena, struct ir_expr);

  *expr = *like;
  expr->operands = arena_alloc(arena, sizeof *expr->operands);
  expr->operands[0] = operand;
  expr->operand_count = 1;
  expr->id = UINT32_MAX;
  return expr;
}

/* p->x   =>   (*p).x, of a local or a parameter */
static struct ir_expr *member_of_element(struct ir_rewriter *r, struct ir_expr *expr)
{
  if (expr->kind != IR_EXPR_MEMBER || !expr->is_arrow || expr->is_private) return NULL;
  const struct ir_expr *pointer = ir_strip(expr->operands[0]);
  if (pointer->kind != IR_EXPR_VAR || pointer->type->kind != IR_TYPE_POINTER ||
      pointer->type->element->kind != IR_TYPE_RECORD ||
      (pointer->var->kind != IR_VAR_LOCAL && pointer->var->kind != IR_VAR_PARAM))
    return NULL;
  const struct ir_type *type = pointer->type->element;
  struct ir_expr deref = {
      .kind = IR_EXPR_UNARY, .op = IR_OP_DEREF, .type = type, .place = expr->place};
  struct ir_expr paren = {.kind = IR_EXPR_PAREN, .type = type, .place = expr->place};
  struct ir_expr *element =
      one_operand(r->arena, &paren, one_operand(r->arena, &deref, expr->operands[0]));
  struct ir_expr *member = one_operand(r->arena, expr, element);
  member->is_arrow = false;
  ((struct arrows *)r->context)->count++;
  return member;
}

static bool form_arrows(struct draft *draft)
{
  struct code *code = &draft->code;
  struct arrows arrows = {0};
  struct ir_rewriter rewriter = {code->arena, member_of_element, &arrows};
  struct ir_stmt *body = ir_rewrite_stmt(&rewriter, code->facts.kernel->body);

  if (!arrows.count) return false;
  code_drop_scan(code);
  code->facts.kernel->body = code_renew_locals(code, body);
  *ARENA_PUSH(code->arena, &draft->formed) =
      (struct formed){code->kernel->name_place, DIAG_REFERENCE_FORMED, DIAG_REFERENCE_FORMED, NULL,
                      "members behind pointers as members of elements"};
  draft_own_body(draft);
  return true;
}

/* ---- the row ---- */

struct any_search {
  bool found;
};

static bool note_reference(struct ir_stmt *stmt, void *context)
{
  struct any_search *s = context;
  s->found |= stmt->kind == IR_STMT_DECL && stmt->var->type->kind == IR_TYPE_REFERENCE;
  return true;
}

static bool has_references(struct ir_stmt *body)
{
  struct any_search s = {false};
  ir_visit_stmts(body, note_reference, &s);
  return s.found;
}

bool plan_references(struct draft *draft)
{
  struct referring r = {.draft = draft, .code = &draft->code};
  bool formed = form_arrows(draft);
  struct ir_function *kernel = draft->code.facts.kernel;
  unsigned before = draft->formed.count;

  for (unsigned round = 0; round < 2 && has_references(kernel->body); round++) {
    unsigned taken = draft->formed.count;
    r.loads = round == 1; /* once no reference is left that the scan does not follow */
    if (r.loads) code_scan(r.code);
    struct ir_stmt *body = refer(&r, kernel->body);
    if (draft->formed.count == taken) continue;
    code_drop_scan(r.code);
    kernel->body = code_renew_locals(r.code, body);
    draft_own_body(draft);
    kernel = draft->code.facts.kernel;
  }
  return formed || draft->formed.count > before;
}

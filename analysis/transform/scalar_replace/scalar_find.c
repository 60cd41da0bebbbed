/* SPDX-License-Identifier: MIT */
/* scalar_find.c - the locals that can give way to their members, and the members of each.
 *
 * Every use must have a known form. It is a member of number or pointer type. Or it is a value for
 * the record, given by a declaration in a block or by an assignment that is a statement: a value
 * made of members (a list, make_float3, nothing at all, a choice of two), another local, or an
 * element of memory. Or it is a copy of the whole record. Any other use keeps the record, so
 * neither its address nor a reference to it can be in use.
 */
#include "analysis/transform/scalar_replace/scalar_replace.h"

#include <string.h>

enum { LARGEST = 64 /* bytes */ };

/* ---- types ---- */

static const struct base {
  const char *name, *spelling;
  enum ir_type_kind kind;
  int64_t size;
  bool is_signed;
} bases[] = {
    {"char", "signed char", IR_TYPE_INT, 1, true},
    {"uchar", "unsigned char", IR_TYPE_INT, 1, false},
    {"short", "short", IR_TYPE_INT, 2, true},
    {"ushort", "unsigned short", IR_TYPE_INT, 2, false},
    {"int", "int", IR_TYPE_INT, 4, true},
    {"uint", "unsigned int", IR_TYPE_INT, 4, false},
    {"long", "long", IR_TYPE_INT, 8, true},
    {"ulong", "unsigned long", IR_TYPE_INT, 8, false},
    {"longlong", "long long", IR_TYPE_INT, 8, true},
    {"ulonglong", "unsigned long long", IR_TYPE_INT, 8, false},
    {"float", "float", IR_TYPE_FLOAT, 4, true},
    {"double", "double", IR_TYPE_FLOAT, 8, true},
};

/* Fills in the members of a CUDA vector such as "float3". False: it is another type. */
static bool find_vector(struct arena *arena, struct scalar_type *type)
{
  static const char *const names[] = {"x", "y", "z", "w"};
  const char *spelling = type->type->spelling;
  size_t length = strlen(spelling);

  for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
    const struct base *base = &bases[i];
    int count = length == strlen(base->name) + 1 ? spelling[length - 1] - '0' : 0;
    if (count < 1 || count > 4 || strncmp(spelling, base->name, length - 1)) continue;
    if (type->type->size < count * base->size) return false;
    struct ir_type *element = ARENA_NEW(arena, struct ir_type);
    *element = (struct ir_type){.kind = base->kind,
                                .spelling = base->spelling,
                                .size = base->size,
                                .align = base->size,
                                .is_signed = base->is_signed,
                                .extent = -1};
    for (int k = 0; k < count; k++)
      type->fields[k] = (struct scalar_field){names[k], element, k * base->size};
    type->count = (unsigned)count;
    type->is_vector = type->is_covered = true;
    return true;
  }
  return false;
}

static bool is_candidate(const struct ir_var *var)
{
  const struct ir_type *type = var->type;

  return var->kind == IR_VAR_LOCAL && !var->is_static && type->kind == IR_TYPE_RECORD &&
         type->is_trivial && !type->is_unnamed && !type->is_volatile && type->size > 0 &&
         type->size <= LARGEST && type->keyword && strcmp(type->keyword, "union") && var->name;
}

static struct scalar_type *type_of(struct scalar_replacing *s, const struct ir_type *wanted)
{
  wanted = ir_plain_type(s->code->arena, wanted);
  for (unsigned i = 0; i < s->type_count; i++)
    if (ir_same_type(s->types[i].type, wanted)) return &s->types[i];
  if (s->type_count == SCALAR_TYPES) return NULL;
  struct scalar_type *type = &s->types[s->type_count++];
  *type = (struct scalar_type){.type = wanted};
  find_vector(s->code->arena, type);
  return type;
}

/* Adds the member, in the order of offsets. False: there are too many members, or it is not
 * known. */
static bool add_field(struct scalar_type *type, const struct ir_expr *member)
{
  unsigned at = 0;

  while (at < type->count && type->fields[at].offset < member->field_offset) at++;
  if (at < type->count && type->fields[at].offset == member->field_offset)
    return !strcmp(type->fields[at].name, member->text) &&
           type->fields[at].type->size == member->type->size;
  if (type->is_vector || type->count == SCALAR_FIELDS) return false;
  memmove(&type->fields[at + 1], &type->fields[at], (type->count - at) * sizeof *type->fields);
  type->fields[at] = (struct scalar_field){member->text, member->type, member->field_offset};
  type->count++;
  return true;
}

/* ---- uses ---- */

static void look_expr(struct scalar_replacing *s, struct ir_expr *expr);

static bool is_scalar(const struct ir_type *type)
{
  return (type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL ||
          type->kind == IR_TYPE_POINTER) &&
         !type->is_volatile;
}

/* `expr` is a member of a candidate. */
static void look_member(struct scalar_record *record, const struct ir_expr *expr)
{
  bool known = is_scalar(expr->type) && !expr->bit_size && expr->field_offset >= 0 && expr->text &&
               add_field(record->type, expr);
  if (!known) record->kept = true;
}

static struct scalar_record *member_of(struct scalar_replacing *s, struct ir_expr *expr)
{
  struct ir_expr *bare = ir_strip(expr);
  bool member = bare->kind == IR_EXPR_MEMBER && !bare->is_arrow;
  return member ? scalar_record_of(s, bare->operands[0]) : NULL;
}

/* Keeps the records of operands whose address may be taken: by `&`, or by a call if some function
 * takes the address of the local's member. */
static void look_taken(struct scalar_replacing *s, const struct ir_expr *expr)
{
  bool addresses = expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS;
  bool hands_on =
      expr->kind == IR_EXPR_CALL || expr->kind == IR_EXPR_CONSTRUCT || expr->kind == IR_EXPR_OPAQUE;

  for (unsigned i = 0; i < expr->operand_count && (addresses || hands_on); i++) {
    const struct ir_var *var = ir_holder(expr->operands[i]);
    struct scalar_record *record = var ? scalar_record_of_var(s, var) : NULL;
    if (record && (addresses || var->address_taken)) record->kept = true;
  }
}

static void look_operands(struct scalar_replacing *s, struct ir_expr *expr)
{
  look_taken(s, expr);
  for (unsigned i = 0; i < expr->operand_count; i++) look_expr(s, expr->operands[i]);
}

static void keep_named(struct ir_expr *expr, void *context)
{
  struct scalar_record *record =
      expr->kind == IR_EXPR_VAR ? scalar_record_of_var(context, expr->var) : NULL;
  if (record) record->kept = true;
}

static void look_expr(struct scalar_replacing *s, struct ir_expr *expr)
{
  struct scalar_record *record = member_of(s, expr);

  if (record && ir_strip(expr) == expr) {
    look_member(record, expr);
    return;
  }
  if (expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr)) {
    struct scalar_record *written = member_of(s, expr->operands[0]);
    if (written) written->apart = true;
  }
  if (expr->kind == IR_EXPR_CONVERT && expr->type->kind == IR_TYPE_RECORD &&
      (record = scalar_record_of(s, expr->operands[0]))) {
    record->whole = true;
    return;
  }
  if (expr->kind == IR_EXPR_VAR && (record = scalar_record_of_var(s, expr->var)))
    record->kept = true;
  look_operands(s, expr);
}

/* Is the value an element of memory or a local, of the same type, that may be named once for each
 * member? */
static bool is_place(const struct scalar_record *record, struct ir_expr *value)
{
  bool place = value->kind == IR_EXPR_VAR || value->kind == IR_EXPR_INDEX ||
               value->kind == IR_EXPR_MEMBER ||
               (value->kind == IR_EXPR_UNARY && value->op == IR_OP_DEREF);
  return place && value->type && !value->type->is_volatile &&
         ir_same_type(value->type, record->type->type) && !ir_has_effects(value);
}

static bool is_list(const struct scalar_record *record, const struct ir_expr *value)
{
  bool braces = value->kind == IR_EXPR_INIT_LIST ||
                (value->kind == IR_EXPR_CONSTRUCT &&
                 (value->is_brace ? record->type->is_vector : !value->operand_count));
  return braces || scalar_makes(record->type, value);
}

/* Looks at the value that the record gets; an unknown form keeps the record. */
static void look_value(struct scalar_replacing *s, struct scalar_record *record,
                       struct ir_expr *expr)
{
  struct ir_expr *value = ir_strip(expr);
  struct scalar_record *other = scalar_record_of(s, value);

  if (other) {
    if (other->type != record->type) record->kept = true;
  } else if (is_list(record, value)) {
    record->apart = true;
    record->listed |= value->operand_count > 0;
    record->kept |= value->operand_count > SCALAR_FIELDS;
    for (unsigned i = 0; i < value->operand_count; i++) {
      if (!value->operands[i]->type || !is_scalar(value->operands[i]->type)) record->kept = true;
      if (ir_has_effects(value->operands[i])) record->kept = true;
    }
    look_operands(s, value);
  } else if (value->kind == IR_EXPR_COND && !ir_has_effects(value->operands[0])) {
    look_expr(s, value->operands[0]);
    look_value(s, record, value->operands[1]);
    look_value(s, record, value->operands[2]);
  } else {
    if (!is_place(record, value)) record->kept = true;
    look_expr(s, expr);
  }
}

/* ---- statements ---- */

static void look_stmt(struct scalar_replacing *s, struct ir_stmt *stmt, bool in_block);

/* Keeps the records that a text names, where the text is printed as it is. */
static void keep_in_text(struct scalar_replacing *s, const char *text)
{
  const struct ir_function *kernel = s->code->facts.kernel;

  for (unsigned i = 0; i < s->var_count && text; i++)
    if (s->records[i].type && ir_text_has_name(text, kernel->vars[i]->name))
      s->records[i].kept = true;
}

/* The declaration of a shared array, which is printed as it is written. */
static const char *declaration_text(struct scalar_replacing *s, const struct ir_stmt *stmt)
{
  const struct unit *unit = s->code->unit;
  const struct ir_place *place = &stmt->place;

  if (stmt->written || place->file >= unit->files.count) return stmt->written;
  const struct unit_file *file = &unit->files.items[place->file];
  if (place->end <= place->begin || place->end > file->length) return NULL;
  return arena_copy(s->code->arena, file->text + place->begin, place->end - place->begin);
}

static void look_decl(struct scalar_replacing *s, const struct ir_stmt *stmt, bool in_block)
{
  struct scalar_record *record = scalar_record_of_var(s, stmt->var);

  if (stmt->var->kind == IR_VAR_SHARED) keep_in_text(s, declaration_text(s, stmt));
  if (record && !in_block) record->kept = true;
  if (stmt->expr && stmt->var->type->kind == IR_TYPE_REFERENCE)
    ir_visit_expr(stmt->expr, keep_named, s);
  if (record && stmt->expr)
    look_value(s, record, stmt->expr);
  else if (stmt->expr)
    look_expr(s, stmt->expr);
}

static void note_load(struct ir_expr *expr, void *context)
{
  bool element = expr->kind == IR_EXPR_INDEX || (expr->kind == IR_EXPR_MEMBER && expr->is_arrow) ||
                 (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF);

  if (element || expr->kind == IR_EXPR_CALL) ++*(unsigned *)context;
}

/* Can several stores name the same place? It has no effect, and its address is not loaded. A vector
 * needs only one store. */
static bool is_steady(const struct scalar_record *record, struct ir_expr *place)
{
  unsigned loads = 0;

  ir_visit_expr(place, note_load, &loads);
  return !ir_has_effects(place) && (record->type->is_vector || loads <= 1);
}

static void look_assignment(struct scalar_replacing *s, struct ir_expr *expr)
{
  struct ir_expr *bare = ir_strip(expr);
  bool assigns = bare->kind == IR_EXPR_ASSIGN && bare->op == IR_OP_ASSIGN;
  struct scalar_record *record = assigns ? scalar_record_of(s, bare->operands[0]) : NULL;
  struct scalar_record *from = assigns ? scalar_record_of(s, bare->operands[1]) : NULL;

  if (record) {
    record->apart = true;
    look_value(s, record, bare->operands[1]);
  } else if (from && is_steady(from, bare->operands[0])) {
    from->listed = true;
    look_expr(s, bare->operands[0]);
  } else {
    look_expr(s, expr);
  }
}

static void look_stmt(struct scalar_replacing *s, struct ir_stmt *stmt, bool in_block)
{
  if (stmt->kind == IR_STMT_DECL) {
    look_decl(s, stmt, in_block);
    return;
  }
  bool list = stmt->kind == IR_STMT_BLOCK || (stmt->kind == IR_STMT_DECLS && in_block);
  if (stmt->init) look_stmt(s, stmt->init, false);
  if (stmt->expr && stmt->kind == IR_STMT_EXPR)
    look_assignment(s, stmt->expr);
  else if (stmt->expr)
    look_expr(s, stmt->expr);
  if (stmt->increment) look_expr(s, stmt->increment);
  for (unsigned i = 0; i < stmt->expr_count; i++) look_expr(s, stmt->exprs[i]);
  if (stmt->body) look_stmt(s, stmt->body, false);
  if (stmt->else_body) look_stmt(s, stmt->else_body, false);
  for (unsigned i = 0; i < stmt->child_count; i++) look_stmt(s, stmt->children[i], list);
}

/* ---- the choice ---- */

static bool covers(const struct scalar_type *type)
{
  int64_t end = 0;

  for (unsigned i = 0; i < type->count; i++) {
    if (type->fields[i].offset != end) return false;
    end += type->fields[i].type->size;
  }
  return end == type->type->size;
}

static bool is_replaced(const struct scalar_record *record)
{
  const struct scalar_type *type = record->type;

  return type && !record->kept && record->apart && type->count &&
         (!record->whole || type->is_vector) && (!record->listed || type->is_covered);
}

/* A record that stays makes further demands on the records that are copied to or from it. So the
 * search repeats until nothing changes. */
void scalar_find(struct scalar_replacing *s, struct ir_stmt *body)
{
  const struct ir_function *kernel = s->code->facts.kernel;
  bool changed;

  for (unsigned i = 0; i < s->var_count; i++)
    if (is_candidate(kernel->vars[i])) s->records[i].type = type_of(s, kernel->vars[i]->type);
  do {
    changed = false;
    look_stmt(s, body, false);
    for (unsigned i = 0; i < s->type_count; i++) s->types[i].is_covered = covers(&s->types[i]);
    for (unsigned i = 0; i < s->var_count; i++)
      if (s->records[i].type && !is_replaced(&s->records[i])) {
        s->records[i].type = NULL;
        changed = true;
      }
  } while (changed);
}

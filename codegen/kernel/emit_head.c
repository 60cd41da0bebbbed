/* SPDX-License-Identifier: MIT */
/* emit_head.c - the head of a staged kernel, and its declaration before launches.
 *
 *     __global__ void __launch_bounds__(128) blur(const float *a, int n)
 *  =>
 *     __global__ void __launch_bounds__(128) blur_cached(const float *a, int n)
 *
 * A head is copied from the text with another name. One from a macro, or of an instance of a
 * template, is printed from the IR. Gives up with NULL where a declaration cannot be written in one
 * line of text, or would repeat a default argument.
 */
#include <string.h>

#include "codegen/kernel/stage.h"
#include "runtime/seeded.h"

/* The text before and after the kernel's name, up to the body; false: it is no text of a function
 * head. */
bool written_head(struct codegen *cg, const struct ir_function *kernel, struct ir_place *ret_before,
                  struct ir_place *ret_behind)
{
  return function_head(cg->unit, kernel, ret_before, ret_behind);
}

/* ---- parameters that do not alias by the plan ---- */

struct marking { /* the marks for the text "(float *a, int n)" */
  const struct kernel_variant *variant;
  unsigned param, depth;
  unsigned star; /* after the last * of the parameter; 0: none */
  unsigned *at;  /* by parameter: the place of __restrict__; 0: none */
};

static bool is_marked(const struct kernel_variant *variant, unsigned param)
{
  const bool *read_only = variant->code->read_only;

  return (variant->restricted && variant->restricted[param]) || (read_only && read_only[param]);
}

static bool any_marked(const struct kernel_variant *variant)
{
  bool any = false;

  for (unsigned i = 0; i < variant->kernel->param_count; i++) any |= is_marked(variant, i);
  return any;
}

static void note_token(struct marking *m, const char *text, struct token token)
{
  const struct ir_function *kernel = m->variant->kernel;
  if (token_is(text, token, "(") || token_is(text, token, "[")) m->depth++;
  if (token_is(text, token, ")") || token_is(text, token, "]")) m->depth--;
  if (m->depth != 1 || m->param >= kernel->param_count) return;
  if (token_is(text, token, "*")) m->star = token.end;
  if (token.kind == TOKEN_NAME && m->star && is_marked(m->variant, m->param) &&
      token_is(text, token, kernel->params[m->param]->name))
    m->at[m->param] = m->star;
  if (!token_is(text, token, ",")) return;
  m->param++;
  m->star = 0;
}

/* The text of a head after the kernel's name, with __restrict__. A parameter with another form than
 * float *a stays as it is, which is correct, too. */
static const char *with_restrict(struct codegen *cg, const struct kernel_variant *variant,
                                 const char *text)
{
  unsigned end = (unsigned)strlen(text), done = 0, count = variant->kernel->param_count;
  struct marking m = {.variant = variant};
  const char *out = "";
  if (!any_marked(variant)) return text;
  m.at = arena_alloc(cg->arena, (count + 1) * sizeof *m.at);
  for (struct token token = scan_token(text, 0, end); token.kind != TOKEN_END;
       token = scan_token(text, token.end, end))
    note_token(&m, text, token);
  if (m.param + 1 != ir_head_params(variant->kernel)) return text; /* a macro has some of them */
  for (unsigned i = 0; i < count; i++) {
    if (!m.at[i]) continue;
    out = arena_format(cg->arena, "%s%.*s__restrict__ ", out, (int)(m.at[i] - done), text + done);
    done = m.at[i];
  }
  return arena_format(cg->arena, "%s%s", out, text + done);
}

const char *head_linkage(const struct ir_function *kernel)
{
  return kernel->instance_of && !SEEDED(INSTANCE_SHARED) ? "static " : "";
}

static const char *instance_head(struct codegen *cg, const struct ir_function *kernel,
                                 const char *name)
{
  const char *before = kernel->head_before;
  unsigned end = (unsigned)strlen(before);
  bool has_linkage = false;
  for (struct token token = scan_token(before, 0, end); token.kind != TOKEN_END;
       token = scan_token(before, token.end, end))
    has_linkage |= token_is(before, token, "static") || token_is(before, token, "inline");
  return arena_format(cg->arena, "%s%s%s%s", has_linkage ? "" : head_linkage(kernel), before, name,
                      kernel->head_behind);
}

static const char *printed_head(struct codegen *cg, const struct ir_function *kernel,
                                const char *name)
{
  if (kernel->instance_of) return instance_head(cg, kernel, name);
  const char *head = arena_format(cg->arena, "__global__ void %s(", name);
  for (unsigned i = 0; i < ir_head_params(kernel); i++)
    head = arena_format(
        cg->arena, "%s%s%s", head, i ? ", " : "",
        print_declaration(cg->arena, kernel->params[i]->type, kernel->params[i]->name));
  return arena_format(cg->arena, "%s)", head);
}

/* The same for a variant, with __restrict__. */
static const char *marked_head(struct codegen *cg, const struct kernel_variant *variant,
                               const char *name)
{
  const char *head = printed_head(cg, variant->kernel, name), *found = head;
  if (!any_marked(variant)) return head;
  for (const char *next = strstr(head, name); next; next = strstr(next + 1, name)) found = next;
  const char *behind = found + strlen(name);
  return arena_format(cg->arena, "%.*s%s", (int)(behind - head), head,
                      with_restrict(cg, variant, behind));
}

/* The head of an instance, whose parameters stand as in the template, without default arguments. */
static const char *without_defaults(struct codegen *cg, const struct ir_function *kernel,
                                    const char *head)
{
  if (!kernel->instance_of || !strchr(kernel->head_behind, '=') || SEEDED(DEFAULT_BEFORE_RUN))
    return head;
  size_t behind = strlen(kernel->head_behind);
  const char *text = arena_format(cg->arena, "%.*s(", (int)(strlen(head) - behind), head);
  for (unsigned i = 0; i < ir_head_params(kernel); i++)
    text = arena_format(
        cg->arena, "%s%s%s", text, i ? ", " : "",
        print_declaration(cg->arena, kernel->params[i]->type, kernel->params[i]->name));
  return arena_format(cg->arena, "%s)", text);
}

const char *kernel_head_with(struct codegen *cg, const struct ir_function *kernel, const char *name,
                             const char *parameter)
{
  struct ir_place before, behind;
  const char *head = without_defaults(cg, kernel, printed_head(cg, kernel, name)),
             *comma = kernel->param_count ? ", " : "";
  if (written_head(cg, kernel, &before, &behind)) {
    const char *parameters = source_text(cg, &behind);
    bool is_void = !kernel->param_count && strstr(parameters, "void");
    if (!strchr(parameters, '=') && !is_void) /* no default arguments */
      head = arena_format(cg->arena, "%s%s%s", source_text(cg, &before), name, parameters);
  }
  size_t end = strlen(head);
  while (head[end - 1] != ')') end--;
  return arena_format(cg->arena, "%.*s%s%s)", (int)end - 1, head, comma, parameter);
}

const char *added_params(struct codegen *cg, const struct kernel_variant *variant)
{
  const char *text = "", *comma = "";
  for (unsigned i = 0; i < variant->added.count; i++) {
    const struct added_param *param = &variant->added.items[i];
    text = arena_format(cg->arena, "%s%sconst %s %s", text, comma, param->type, param->name);
    comma = ", ";
  }
  return text;
}

/* The head with parameters behind the kernel's own. */
static const char *longer_head(struct codegen *cg, const struct kernel_variant *variant,
                               const char *name)
{
  return kernel_head_with(cg, variant->kernel, name, added_params(cg, variant));
}

const char *kernel_head(const struct staged *s, const char *name)
{
  struct codegen *cg = s->cg;
  const struct kernel_variant *variant = s->variant;
  const struct ir_function *kernel = variant->kernel;
  if (variant->mapping) return arena_format(cg->arena, "%s ", mapped_head(cg, variant, 0, name));
  if (s->several) return arena_format(cg->arena, "%s ", several_head(cg, variant, name));
  if (variant->choice) return arena_format(cg->arena, "%s ", choice_head(cg, variant, name));
  if (variant->added.count) return arena_format(cg->arena, "%s ", longer_head(cg, variant, name));
  struct ir_place before, behind;
  if (!written_head(cg, kernel, &before, &behind))
    return arena_format(cg->arena, "%s ", marked_head(cg, variant, name));
  return arena_format(cg->arena, "%s%s%s", source_text(cg, &before), name,
                      with_restrict(cg, variant, source_text(cg, &behind)));
}

static const char *mapped_prototypes(struct codegen *cg, const struct kernel_variant *variant)
{
  const struct kernel_names *names = names_of(cg, variant);
  const char *text = "";
  for (unsigned i = 0; i < variant->mapping->version_count; i++)
    text = arena_format(cg->arena, "%s%s; ", text, mapped_head(cg, variant, i, names->versions[i]));
  if (names->plain)
    text = arena_format(cg->arena, "%s%s; ", text,
                        plain_head(cg, variant, variant->mapping->plain, names->plain));
  if (names->written)
    text = arena_format(cg->arena, "%s%s; ", text,
                        plain_head(cg, variant, variant->mapping->written, names->written));
  if (names->fits)
    text = arena_format(cg->arena, "%s%s; ", text,
                        fits_head(cg, variant, variant->mapping->condition, names->fits));
  for (unsigned i = 0; i < variant->mapping->version_count; i++) {
    const struct mapped_version *v = &variant->mapping->versions[i];
    if (names->when[i])
      text = arena_format(cg->arena, "%s%s; ", text,
                          v->share ? parts_head(cg, variant, v, names->when[i])
                                   : fits_head(cg, variant, v->when, names->when[i]));
  }
  return text;
}

const char *variant_prototype(struct codegen *cg, const struct kernel_variant *variant)
{
  struct ir_place before, behind;
  const char *name = variant_name(cg, variant);
  if (variant->mapping) return mapped_prototypes(cg, variant);
  if (variant->choice) return choice_prototypes(cg, variant);
  if (variant->added.count || !written_head(cg, variant->kernel, &before, &behind)) {
    const char *head =
        variant->added.count ? longer_head(cg, variant, name) : marked_head(cg, variant, name);
    const char *line = scan_one_line(cg->arena, head, 0, (unsigned)strlen(head));
    return line ? arena_format(cg->arena, "%s; ", line) : NULL;
  }
  const char *text = cg->unit->files.items[before.file].text;
  const char *first = scan_one_line(cg->arena, text, before.begin, before.end);
  const char *second = scan_one_line(cg->arena, text, behind.begin, behind.end);
  if (!first || !second || strchr(second, '=')) return NULL;
  size_t length = strlen(second);
  while (length && second[length - 1] == ' ') length--;
  second = arena_format(cg->arena, "%.*s", (int)length, second);
  return arena_format(cg->arena, "%s%s%s; ", first, name, with_restrict(cg, variant, second));
}

/* SPDX-License-Identifier: MIT */
/* powers.c - which calls of pow become products, in which arithmetic, and which stay. */
#include "analysis/transform/powers/powers.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT "#include <math.h>\n__global__ float a[4096]; __global__ double d[4096];\n"
#define CASE(body) \
  "__global__ void k(int n, unsigned m) { int i = threadIdx.x; " body " }\n" \
  "void run(int n) { k<<<16, 256>>>(n, n); }"

struct looking {
  struct arena *arena;
  struct text *shown;
};

/* The functions that calls of pow become, and why others stay. */
static void note(struct ir_expr *expr, void *context)
{
  struct looking *l = context;
  struct power power;
  const char *why;

  if (power_find(l->arena, expr, &power, &why))
    text_format(l->shown, "%s(%u) ", power.function, power.operand);
  else if (why)
    text_format(l->shown, "%s ", why);
}

static void look(struct subject *s, struct text *shown)
{
  struct looking l = {s->code.arena, shown};

  ir_visit_stmt_exprs(s->code.facts.kernel->body, note, &l);
}

static void look_taken(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code};

  draft.code.reorders = true;
  bool taken = plan_powers(&draft);
  s->code = draft.code;
  struct text printed = {0};
  ir_print_function(&printed, s->code.facts.kernel);
  text_add(shown, taken ? "taken" : "kept");
  text_add(shown, strstr(text_string(&printed), "pow(") ? " pow" : "");
  text_finish(&printed);
}

static const struct transform_case found[] = {
    {"a square", CASE("d[i] = pow(d[i], 2);"), "mesi_power<2>(0) "},
    {"a literal with a point", CASE("d[i] = pow(d[i], 12.0);"), "mesi_power<12>(0) "},
    {"of floats", CASE("a[i] = powf(a[i], 3.f);"), "mesi_powerf<3>(0) "},
    {"a float and an int", CASE("d[i] = pow(a[i], 2);"), "mesi_power<2>(0) "},
    {"two floats", CASE("a[i] = pow(a[i], 2.0f);"), "mesi_powerf<2>(0) "},
    {"a float and a double", CASE("d[i] = pow(a[i], 2.0);"), "mesi_power<2>(0) "},
    {"an int", CASE("d[i] = pow(i, 4);"), "mesi_power<4>(0) "},
    {"negative", CASE("d[i] = pow(d[i], -8);"), "mesi_power<-8>(0) "},
    {"a named constant", CASE("const int e = 5; d[i] = pow(d[i], e);"), "mesi_power<5>(0) "},
    {"a named double", CASE("const double e = 6.0; d[i] = pow(d[i], e);"), "mesi_power<6>(0) "},
    {"a quotient", CASE("d[i] = pow(d[i], 3.0 / 2.0);"), "mesi_half_power<3>(0) "},
    {"a quotient of ints", CASE("d[i] = pow(d[i], 5 / 2);"), "mesi_power<2>(0) "},
    {"a half", CASE("a[i] = powf(a[i], 0.5f);"), "mesi_half_powerf<1>(0) "},
    {"a power of two", CASE("d[i] = pow(2.0, i);"), "mesi_two_to(1) "},
    {"of a cast", CASE("d[i] = pow(2.0, (double)n);"), "mesi_two_to(1) "},
    {"of a number without a sign", CASE("d[i] = pow(2.0, m);"), "mesi_exp2(1) "},
    {"of a double", CASE("d[i] = pow(2, d[i]);"), "mesi_exp2(1) "},
    {"of floats", CASE("a[i] = powf(2.f, a[i]);"), "mesi_exp2f(1) "},
    {"of ten", CASE("d[i] = pow(10.0, d[i]);"), "mesi_exp10(1) "},
    {"both constants", CASE("d[i] = pow(2.0, 3);"), ""},
    {"a third", CASE("d[i] = pow(d[i], 1.0 / 3);"), "the exponent 0.333333 is no short product "},
    {"long", CASE("d[i] = pow(d[i], 17);"), "the exponent 17 is no short product "},
    {"another base", CASE("d[i] = pow(3.0, i);"), ""},
    {"an exponent at run time", CASE("d[i] = pow(d[i], n);"), ""},
    {"one that changes", CASE("int e = 2; e += n; d[i] = pow(d[i], e);"), ""},
};

static const struct transform_case taken[] = {
    {"a square", CASE("d[i] = pow(d[i], 2);"), "taken"},
    {"nested", CASE("d[i] = pow(pow(d[i], 2) + 1, 3);"), "taken"},
    {"another beside it", CASE("d[i] = pow(d[i], 2) + pow(d[i], 2.2);"), "taken pow"},
    {"none", CASE("d[i] = pow(d[i], 2.2);"), "kept pow"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(taken, look_taken)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }

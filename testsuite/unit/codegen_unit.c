/* SPDX-License-Identifier: MIT */
/* codegen_unit.c - tests of whole outputs, on units built by hand. Places are found by searching
 * the text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/codegen.h"

static const struct ir_type int_type = {
    .kind = IR_TYPE_INT, .spelling = "int", .size = 4, .is_signed = true};
static const struct ir_type float_type = {.kind = IR_TYPE_FLOAT, .spelling = "float", .size = 4};
static const struct ir_type pointer_type = {
    .kind = IR_TYPE_POINTER, .spelling = "float *", .element = &float_type};
static const struct ir_type array_type = {
    .kind = IR_TYPE_ARRAY, .spelling = "float[8]", .element = &float_type, .extent = 8};

struct fixture {
  struct arena *arena;
  struct unit unit;
  struct plan plan;
  struct codegen_options options;
  struct diag diag;
  char *messages;
  size_t messages_size;
  struct text out;
};

static int setup(void **state)
{
  struct fixture *f = test_calloc(1, sizeof *f);
  f->arena = f->unit.arena = f->plan.arena = arena_create();
  f->unit.input = "in.mcu";
  f->diag.out = open_memstream(&f->messages, &f->messages_size);
  *state = f;
  return 0;
}

static int teardown(void **state)
{
  struct fixture *f = *state;
  fclose(f->diag.out);
  free(f->messages);
  text_finish(&f->out);
  arena_destroy(f->arena);
  test_free(f);
  return 0;
}

/* ---- building ---- */

static void add_file(struct fixture *f, const char *path, const char *text, int includer,
                     const char *directive)
{
  struct unit_file *file = ARENA_PUSH(f->arena, &f->unit.files);
  *file = (struct unit_file){
      .path = path, .text = text, .length = strlen(text), .is_main = includer < 0};
  file->included_from = includer;
  file->has_pragma_once = strstr(text, "#pragma once") != NULL;
  if (includer < 0) return;
  const char *includer_text = f->unit.files.items[includer].text;
  file->include_begin = (unsigned)(strstr(includer_text, directive) - includer_text);
  file->include_end = file->include_begin + (unsigned)strlen(directive);
}

/* The range of the first `wanted` in the file, at or after the first `after`. */
static struct ir_place at(struct fixture *f, unsigned file, const char *after, const char *wanted)
{
  const char *text = f->unit.files.items[file].text, *found = strstr(strstr(text, after), wanted);
  assert_non_null(found);
  struct ir_place place = {.file = file, .begin = (unsigned)(found - text), .line = 1, .column = 1};
  place.end = place.begin + (unsigned)strlen(wanted);
  for (const char *c = text; c < found; c++) place.line += *c == '\n';
  return place;
}

/* The declaration `__global__ ... name...;` that begins with `declaration`. */
static struct vs_var *add_vs(struct fixture *f, const char *declaration, const char *name,
                             const char *declarator, const char *init)
{
  struct vs_var *vs = ARENA_NEW(f->arena, struct vs_var);
  vs->id = f->unit.vs_vars.count;
  *ARENA_PUSH(f->arena, &f->unit.vs_vars) = vs;
  vs->var = ARENA_NEW(f->arena, struct ir_var);
  *vs->var = (struct ir_var){.kind = IR_VAR_VS, .name = name, .vs = vs};
  vs->var->type = strchr(declarator, '[') ? &array_type : &int_type;
  vs->name = vs->qualified = name;
  vs->scope = "";
  vs->qualifier = at(f, 0, declaration, "__global__");
  vs->place = at(f, 0, declaration, declarator);
  vs->name_place = vs->place;
  vs->name_place.end = vs->name_place.begin + (unsigned)strlen(name);
  if (*init) vs->init = at(f, 0, declaration, init);
  vs->decl_begin = at(f, 0, declaration, declaration).begin;
  vs->decl_end = at(f, 0, *init ? init : declarator, ";").end;
  vs->is_static = strstr(declaration, "static") != NULL;
  vs->is_extern = strstr(declaration, "extern") != NULL;
  vs->is_definition = !vs->is_extern;
  return vs;
}

static struct ir_function *add_kernel(struct fixture *f, const char *head, const char *name,
                                      const char *body)
{
  struct ir_function *function = ARENA_NEW(f->arena, struct ir_function);
  function->id = f->unit.functions.count;
  *ARENA_PUSH(f->arena, &f->unit.functions) = function;
  function->name = function->qualified = name;
  function->is_kernel = function->has_definition = true;
  function->verbatim = "built by hand";
  function->place = at(f, 0, head, head);
  function->name_place = at(f, 0, head, name);
  function->body_place = at(f, 0, head, body);
  function->place.end = function->body_place.end;
  return function;
}

static void use_vs(struct fixture *f, struct ir_function *function, struct vs_var *vs)
{
  function->vs_uses = arena_alloc(f->arena, sizeof *function->vs_uses);
  function->vs_uses[0] = vs;
  function->vs_use_count = 1;
}

static struct launch *add_launch(struct fixture *f, const char *whole, const char *callee,
                                 const char *argument)
{
  struct launch *launch = ARENA_NEW(f->arena, struct launch);
  launch->id = f->unit.launches.count;
  *ARENA_PUSH(f->arena, &f->unit.launches) = launch;
  launch->callee_text = callee;
  launch->place = at(f, 0, whole, whole);
  launch->callee = at(f, 0, whole, callee);
  launch->open = at(f, 0, whole, "<<<");
  launch->close = at(f, 0, whole, ">>>");
  launch->paren = at(f, 0, whole, "(");
  launch->arg_count = *argument ? 1 : 0;
  launch->args = arena_alloc(f->arena, sizeof *launch->args);
  if (*argument) launch->args[0].place = at(f, 0, whole, argument);
  return launch;
}

static int run(struct fixture *f)
{
  struct plan *plan = &f->plan;
  if (!plan->launches) plan->launches = arena_alloc(f->arena, 4 * sizeof *plan->launches);
  if (!plan->host.vs) plan->host.vs = arena_alloc(f->arena, 8 * sizeof *plan->host.vs);
  int status = codegen_unit(&f->unit, plan, &f->options, &f->diag, &f->out);
  fflush(f->diag.out);
  return status;
}

static void check_part(struct fixture *f, const char *part)
{
  if (!strstr(text_string(&f->out), part))
    fail_msg("no \"%s\" in:\n%s", part, text_string(&f->out));
}

/* ---- tests ---- */

static void nothing_to_do_is_the_input(void **state)
{
  struct fixture *f = *state;
  add_file(f, "in.mcu", "#include \"a.h\"\r\nint x;", -1, NULL);
  add_file(f, "a.h", "#pragma once\nint y;\n", 0, "#include \"a.h\"");
  f->options.line_directives = true;
  assert_int_equal(run(f), 0);
  assert_string_equal(text_string(&f->out), "#include \"a.h\"\r\nint x;");
}

static void declaration_without_initialiser(void **state)
{
  struct fixture *f = *state;
  add_file(f, "in.mcu", "__global__ float a[8]; // a\n", -1, NULL);
  add_vs(f, "__global__ float a[8]", "a", "a[8]", "");
  assert_int_equal(run(f), 0);
  check_part(f, "#include <mesi_cuda.h>\n"
                "extern float a[8] MESI_VS(_vs_a); static MESI_CONSTANT decltype(a) *_d_a; // a\n");
  check_part(f, "extern \"C\" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }\n");
  check_part(f, "  {\"a\", (void *)&a, sizeof(a), &_d_a, MESI_VAR_FLOAT, 0, \"in.mcu:1\"},\n");
}

static void initialiser_goes_into_the_storage(void **state)
{
  struct fixture *f = *state;
  add_file(f, "in.mcu", "__global__ float a[8] = {1,\n 2};\n__global__ static int n = k;\n", -1,
           NULL);
  add_vs(f, "__global__ float", "a", "a[8]", "= {1,\n 2}");
  add_vs(f, "__global__ static", "n", "n", "= k")->is_static = true;
  f->unit.vs_vars.items[1]->place.begin = f->unit.vs_vars.items[1]->name_place.begin =
      at(f, 0, "static int", " n ").begin + 1;
  f->unit.vs_vars.items[1]->place.end = f->unit.vs_vars.items[1]->name_place.end =
      f->unit.vs_vars.items[1]->name_place.begin + 1;
  assert_int_equal(run(f), 0);
  check_part(f, "extern float a[8] MESI_VS(_vs_a); static MESI_CONSTANT decltype(a) *_d_a; extern "
                "\"C\" { MESI_HIDDEN "
                "mesi_page<decltype(a)> _vs_a = { {1,\n 2} }; }\n");
  check_part(f, "static int n MESI_VS(_vs_n_");
  check_part(f, " = { static_cast<decltype(n)>(k) }; }\n");
}

static void extern_declaration_has_no_storage(void **state)
{
  struct fixture *f = *state;
  add_file(f, "in.mcu", "extern __global__ float a[8];\n", -1, NULL);
  add_vs(f, "extern __global__ float a[8]", "a", "a[8]", "");
  assert_int_equal(run(f), 0);
  check_part(f, "extern float a[8]; static MESI_CONSTANT decltype(a) *_d_a;\n");
  assert_null(strstr(text_string(&f->out), "mesi_page"));
  assert_null(strstr(text_string(&f->out), "(void *)&a"));
}

static void names_avoid_the_users(void **state)
{
  struct fixture *f = *state;
  add_file(f, "in.mcu", "int _d_a;\n__global__ float a[8];\n", -1, NULL);
  name_map_put(f->arena, &f->unit.identifiers, "_d_a", NULL);
  add_vs(f, "__global__ float a[8]", "a", "a[8]", "");
  assert_int_equal(run(f), 0);
  check_part(f, "decltype(a) *_d_a_2;");
}

static void kernels_get_a_reference(void **state)
{
  struct fixture *f = *state;
  add_file(f, "in.mcu", "__global__ float a[8];\n__global__ void k() { a[0] = s.a + ::a[1]; }\n",
           -1, NULL);
  struct vs_var *vs = add_vs(f, "__global__ float a[8]", "a", "a[8]", "");
  use_vs(f, add_kernel(f, "__global__ void k", "k", "{ a[0] = s.a + ::a[1]; }"), vs);
  assert_int_equal(run(f), 0);
  check_part(f, "__global__ void k() { auto &a = *_d_a; a[0] = s.a + (*_d_a)[1]; }\n");
}

static void lambdas_capture_no_reference(void **state)
{
  struct fixture *f = *state;
  add_file(f, "in.mcu",
           "__global__ float a[8];\n__global__ void k() { auto g = [=] { return a[1]; }; g(); }\n",
           -1, NULL);
  struct vs_var *vs = add_vs(f, "__global__ float a[8]", "a", "a[8]", "");
  use_vs(f, add_kernel(f, "__global__ void k", "k", "{ auto g = [=] { return a[1]; }; g(); }"), vs);
  assert_int_equal(run(f), 0);
  check_part(f, "{ auto g = [=] { return (*_d_a)[1]; }; g(); }");
}

static void hook_launch(struct fixture *f)
{
  f->plan.launches = arena_alloc(f->arena, sizeof *f->plan.launches);
  f->plan.launches[0].hooked = true;
  f->plan.launches[0].args = arena_alloc(f->arena, sizeof *f->plan.launches[0].args);
  f->plan.launches[0].args[0] = (struct arg_plan){.is_pointer = true, .access = 1};
}

static void launch_for_cuda(void **state)
{
  struct fixture *f = *state;
  add_file(f, "in.mcu", "void f() { k<<<1, 2>>>(p /* p */); }\n", -1, NULL);
  add_launch(f, "k<<<1, 2>>>(p /* p */)", "k", "p");
  hook_launch(f);
  f->options.line_directives = true;
  assert_int_equal(run(f), 0);
  check_part(f, "#line 1 \"in.mcu\"\nvoid f() { (mesi_launch_begin(&_mesi_");
  check_part(
      f,
      ", 0), mesi_stream(0), k<<<1, 2>>>(mesi_arg(p, MESI_READ) /* p */), mesi_launch_end()); }\n");
  check_part(f, "MESI_REGISTER(_mesi_");
}

static void launch_for_the_cpu(void **state)
{
  struct fixture *f = *state;
  add_file(f, "in.mcu", "void f() { k<3> <<<1, 2>>>(p); }\n", -1, NULL);
  struct launch *launch = add_launch(f, "k<3> <<<1, 2>>>(p)", "k<3>", "p");
  launch->callee_is_template = true;
  launch->callee_type = "void (float *)";
  f->options.target_cpu = true;
  assert_int_equal(run(f), 0);
  assert_string_equal(text_string(&f->out),
                      "#include <mesi_cpu.h>\nvoid f() { mesi_cpu::launch(static_cast<void "
                      "(*)(float *)>(k<3>) , mesi_cpu::config(1, 2), p); }\n");
}

static void launch_in_a_macro_is_an_error(void **state)
{
  struct fixture *f = *state;
  add_file(f, "in.mcu", "void f() { LAUNCH(k, p); } // k <<< >>> (p) ;\n", -1, NULL);
  struct launch *launch = add_launch(f, "k <<< >>> (p)", "k", "p");
  launch->open = launch->close = launch->place = at(f, 0, "LAUNCH", "LAUNCH(k, p)");
  hook_launch(f);
  assert_int_equal(run(f), -1);
  assert_non_null(strstr(f->messages, "M2006"));
}

static void headers_are_spliced(void **state)
{
  struct fixture *f = *state;
  add_file(f, "in.mcu", "#include \"sub/a.h\"\n#include \"sub/a.h\"\nint x;\n", -1, NULL);
  add_file(f, "sub/a.h", "#pragma once\nvoid f() { k<<<1, 2>>>(); }\n", 0, "#include \"sub/a.h\"");
  f->options.line_directives = true;
  hook_launch(f);
  struct launch *launch = ARENA_NEW(f->arena, struct launch);
  *ARENA_PUSH(f->arena, &f->unit.launches) = launch;
  launch->callee_text = "k";
  launch->place = at(f, 1, "k<<<", "k<<<1, 2>>>()");
  launch->callee = at(f, 1, "k<<<", "k");
  launch->open = at(f, 1, "k<<<", "<<<");
  launch->close = at(f, 1, "k<<<", ">>>");
  launch->paren = at(f, 1, "k<<<", "(");
  assert_int_equal(run(f), 0);
  check_part(f, "#line 1 \"in.mcu\"\n#line 1 \"sub/a.h\"\n\nvoid f() { (mesi_launch_begin(");
  check_part(f, "mesi_launch_end()); }\n#line 2 \"in.mcu\"\n\nint x;\n");
}

static void host_use_with_braces(void **state)
{
  struct fixture *f = *state;
  add_file(f, "in.mcu", "__global__ float a[8];\nvoid f() { if (x) a[0] = 1; }\n", -1, NULL);
  struct vs_var *vs = add_vs(f, "__global__ float a[8]", "a", "a[8]", "");
  *ARENA_PUSH(f->arena, &f->plan.host.edits) =
      (struct host_edit){.kind = HOST_USE_BEFORE,
                         .place = at(f, 0, "if (x)", "a[0] = 1"),
                         .needs_braces = true,
                         .vs = vs,
                         .access = 3};
  assert_int_equal(run(f), 0);
  check_part(f, "if (x) { mesi_use(&::a, MESI_READ_WRITE); a[0] = 1; }");
}

/* ---- a staged kernel ---- */

static struct ir_expr *index_of(struct fixture *f, struct ir_var *array, struct ir_expr *index)
{
  struct ir_expr *expr = ARENA_NEW(f->arena, struct ir_expr);
  *expr = (struct ir_expr){.kind = IR_EXPR_INDEX, .type = &float_type, .operand_count = 2};
  expr->operands = arena_alloc(f->arena, 2 * sizeof *expr->operands);
  expr->operands[0] = ir_build_var(f->arena, array);
  expr->operands[1] = index;
  return expr;
}

static struct ir_stmt *new_stmt(struct fixture *f, enum ir_stmt_kind kind, struct ir_expr *expr)
{
  struct ir_stmt *stmt = ARENA_NEW(f->arena, struct ir_stmt);
  *stmt = (struct ir_stmt){.kind = kind, .expr = expr};
  stmt->place.line = 2;
  return stmt;
}

/* if (n) return; p[threadIdx.x] = 2 * p[threadIdx.x]; with p staged for 4 threads */
static struct kernel_variant *build_variant(struct fixture *f, struct ir_function *kernel)
{
  struct arena *arena = f->arena;
  struct ir_var *p = ARENA_NEW(arena, struct ir_var), *n = ARENA_NEW(arena, struct ir_var);
  *p =
      (struct ir_var){.kind = IR_VAR_PARAM, .name = "p", .type = &pointer_type, .function = kernel};
  *n = (struct ir_var){
      .id = 1, .kind = IR_VAR_PARAM, .name = "n", .type = &int_type, .function = kernel};
  struct ir_expr *thread = ir_build_builtin(arena, IR_THREAD_IDX);
  struct ir_expr *read = index_of(f, p, thread), *written = index_of(f, p, thread);
  struct ir_expr *assign =
      ir_build_binary(arena, IR_OP_ASSIGN, written,
                      ir_build_binary(arena, IR_OP_MUL, ir_build_int(arena, 2), read));
  assign->kind = IR_EXPR_ASSIGN;
  kernel->verbatim = NULL;
  kernel->body = new_stmt(f, IR_STMT_BLOCK, NULL);
  kernel->body->children = arena_alloc(arena, 2 * sizeof *kernel->body->children);
  kernel->body->child_count = 2;
  kernel->body->children[0] = new_stmt(f, IR_STMT_IF, ir_build_var(arena, n));
  kernel->body->children[0]->body = new_stmt(f, IR_STMT_RETURN, NULL);
  kernel->body->children[1] = new_stmt(f, IR_STMT_EXPR, assign);
  struct kernel_variant *variant = ARENA_NEW(arena, struct kernel_variant);
  *variant = (struct kernel_variant){.kernel = kernel,
                                     .code = kernel,
                                     .number = 1,
                                     .block = {4, 1, 1},
                                     .stage_count = 1,
                                     .bytes = 16};
  struct stage *stage = variant->stages = ARENA_NEW(arena, struct stage);
  *stage = (struct stage){.array = p,
                          .element = &float_type,
                          .dim_count = 1,
                          .load = true,
                          .store = true,
                          .bytes = 16,
                          .count = 2,
                          .access_count = 2};
  stage->dims = ARENA_NEW(arena, struct stage_dim);
  *stage->dims =
      (struct stage_dim){.size = 4,
                         .extent = -1,
                         .offset = ir_build_binary(arena, IR_OP_MUL, ir_build_int(arena, 4),
                                                   ir_build_builtin(arena, IR_BLOCK_IDX))};
  stage->accesses = arena_alloc(arena, 2 * sizeof *stage->accesses);
  stage->accesses[0] = (struct stage_access){read, arena_alloc(arena, sizeof(void *))};
  stage->accesses[1] = (struct stage_access){written, arena_alloc(arena, sizeof(void *))};
  stage->accesses[0].index[0] = stage->accesses[1].index[0] = thread;
  return variant;
}

static void staged_kernel(void **state)
{
  struct fixture *f = *state;
  add_file(f, "in.mcu",
           "static __global__ void k(float *p, int n = 0)\n{ if (n) return; p[threadIdx.x] = 2 * "
           "p[threadIdx.x]; }\n"
           "void f() { k<<<1, 4>>>(p); }\n",
           -1, NULL);
  struct ir_function *kernel =
      add_kernel(f, "static __global__ void k", "k",
                 "{ if (n) return; p[threadIdx.x] = 2 * p[threadIdx.x]; }");
  kernel->name_place = at(f, 0, "k(", "k");
  struct kernel_variant *variant = build_variant(f, kernel);
  *ARENA_PUSH(f->arena, &f->plan.variants) = variant;
  add_launch(f, "k<<<1, 4>>>(p)", "k", "p")->kernel = kernel;
  f->plan.launches = arena_alloc(f->arena, sizeof *f->plan.launches);
  f->plan.launches[0].variant = variant;
  assert_int_equal(run(f), 0);
  check_part(f, "static __global__ void k_cached(float *p, int n = 0)\n{\n"
                "  __shared__ float _s_p[4];\n"
                "  const int _t = threadIdx.x;\n"
                "  const int _o_p_0 = 4 * blockIdx.x;\n"
                "  for (int _i0 = _t; _i0 < 4; _i0 += 4)\n"
                "    _s_p[_i0] = p[_o_p_0 + _i0];\n"
                "  __syncthreads();\n"
                "  if (!n) {\n"
                "    _s_p[threadIdx.x] = 2 * _s_p[threadIdx.x];\n"
                "  }\n"
                "  __syncthreads();\n"
                "  for (int _i0 = _t; _i0 < 4; _i0 += 4)\n"
                "    p[_o_p_0 + _i0] = _s_p[_i0];\n"
                "}\n");
  check_part(f, "void f() { k_cached<<<1, 4>>>(p); }\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(nothing_to_do_is_the_input),
                                     TEST(declaration_without_initialiser),
                                     TEST(initialiser_goes_into_the_storage),
                                     TEST(extern_declaration_has_no_storage),
                                     TEST(names_avoid_the_users),
                                     TEST(kernels_get_a_reference),
                                     TEST(lambdas_capture_no_reference),
                                     TEST(launch_for_cuda),
                                     TEST(launch_for_the_cpu),
                                     TEST(launch_in_a_macro_is_an_error),
                                     TEST(headers_are_spliced),
                                     TEST(host_use_with_braces),
                                     TEST(staged_kernel)};
  return cmocka_run_group_tests_name("codegen_unit", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* unroll_jam.c - loops several of whose iterations run at once: what they load in common, and why
 * they do not. */
#include "analysis/transform/unroll_jam/jam.h"
#include "analysis/transform/unroll_jam/plan_jam.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "__global__ float x[1 << 20], y[1 << 20], z[1 << 20]; __global__ int t[4096]; __device__ int " \
  "twice(int i) { return 2 * i; }\n" \
  "__device__ void add(float *p) { *p = 1; }\n__device__ float single; struct odd { float v; " \
  "__device__ odd() { v = 0; } };\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { __shared__ float part[128]; int col = blockIdx.x * blockDim.x " \
  "+ threadIdx.x; part[threadIdx.x] = 0; " body " }\n"
#define RUN(args) "void run(int n, int m) { k<<<32, 128>>>(" args "); }"
#define CASE(body) KERNEL("int n, int m", body) RUN("n, m")
#define LOOP(body) CASE("for (int p = 0; p < n; p++) { " body " }")
#define DOT "for (int i = 0; i < m; i++) sum += x[p * m + i] * y[i * 4096 + col]; "

static bool first_loop(struct ir_stmt *stmt, void *context)
{
  struct ir_stmt **found = context;

  *found = !*found && (stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE) ? stmt : *found;
  return !*found;
}

/* "1 of 2 loads": those that are common; what the launch has to ask. */
static void look(struct subject *s, struct text *shown)
{
  struct jam jam = {.unit = s->unit,
                    .symbols = &s->code.symbols,
                    .access = &s->code.access,
                    .count = 4,
                    .inner = 4};

  code_scan(&s->code);
  jam.code = s->code.facts.kernel;
  ir_visit_stmts(jam.code->body, first_loop, &jam.loop);
  if (!jam_fits(&jam)) {
    text_add(shown, jam.why);
    return;
  }
  text_format(shown, "%u of %u loads; %u to ask", jam.common, jam.loads, jam.no_alias.count);
  jam_build(&jam);
}

static void look_plan(struct subject *s, struct text *shown)
{
  struct no_alias_list no_alias = {0};
  const char *note = "not planned";

  plan_jammed_loop(&s->code, &no_alias, &note);
  text_add(shown, note);
  transform_show_remarks(s, DIAG_NOT_JAMMED, shown);
}

static const struct transform_case found[] = {
    {"a product", LOOP("float sum = 0; " DOT "z[p * 4096 + col] = sum;"), "1 of 2 loads; 0 to ask"},
    {"under a condition",
     LOOP("if (p < t[col]) { float sum = 0; " DOT "z[p * 4096 + col] = sum; }"),
     "1 of 2 loads; 0 to ask"},
    {"behind declarations",
     LOOP("int last = t[p]; if (col < last) { float sum = 0; " DOT "z[p * 4096 + col] = sum; }"),
     "1 of 2 loads; 0 to ask"},
    {"two stores",
     LOOP("float sum = 0; " DOT "z[p * 4096 + col] = sum; z[p * 4096 + col + 1] = sum + 1;"),
     "1 of 2 loads; 0 to ask"},
    {"a constant bound",
     CASE("for (int p = 0; p < 64; p++) { float sum = 0; " DOT "z[p * 4096 + col] = sum; }"),
     "1 of 2 loads; 0 to ask"},
    {"what the launch asks",
     KERNEL("float *x, float *y, float *z, int n, int m",
            "for (int p = 0; p < n; p++) { float sum = 0; " DOT
            "z[p * 4096 + col] = sum; }") "void run(float *x, float *y, float *z) { k<<<32, "
                                          "128>>>(x, y, z, 9, 9); }",
     "1 of 2 loads; 2 to ask"},
    {"pairs and choices",
     LOOP("float sum = 0; for (int i = 0; i < m; i++) sum += (p > 3 && i || n ? x[p * m + i] : 2) "
          "* y[i * 4096 + col]; z[p * 4096 + col] = sum;"),
     "1 of 2 loads; 0 to ask"},
    {"records in it",
     LOOP("float2 sum = {0, 0}; for (int i = 0; i < m; i++) { sum.x += x[p * m + i] * y[i * 4096 + "
          "col]; sum.y += p; } z[p * 4096 + col] = sum.x + sum.y;"),
     "1 of 2 loads; 0 to ask"},
    {"an element of a pointer",
     LOOP("float sum = 0; for (int i = 0; i < m; i++) sum += x[p * m + i] * *(y + i * 4096 + col); "
          "z[p * 4096 + col] = sum;"),
     "1 of 2 loads; 0 to ask"},
    {"an if with an else inside",
     LOOP("float sum = 0; for (int i = 0; i < m; i++) { if (i > 3) sum += x[p * m + i] * y[i * "
          "4096 + col]; else sum -= y[i]; } z[p * 4096 + col] = sum;"),
     "2 of 3 loads; 0 to ask"},
    {"an array of its own",
     LOOP("float own[2] = {0, 0}; for (int i = 0; i < m; i++) own[i & 1] += x[p * m + i] * y[i * "
          "4096 + col]; z[p * 4096 + col] = own[0] + own[1];"),
     "1 of 2 loads; 0 to ask"},
    {"steps of its own numbers",
     LOOP("float sum = 0; int at = p; for (int i = 0; i < m; i++) { sum += x[p * m + i] * y[i * "
          "4096 + col]; at++; --at; } z[p * 4096 + col] = sum + at;"),
     "1 of 2 loads; 0 to ask"},
};

static const struct transform_case declined[] = {
    {"a while loop",
     CASE("int p = 0; while (p < n) { float sum = 0; " DOT "z[p * 4096 + col] = sum; p++; }"),
     "it does not count up to a number that stays"},
    {"an iterator of its own",
     CASE("int p; for (p = 0; p < n; p++) { float sum = 0; " DOT "z[p * 4096 + col] = sum; }"),
     "it does not count up to a number that stays"},
    {"by two",
     CASE("for (int p = 0; p < n; p += 2) { float sum = 0; " DOT "z[p * 4096 + col] = sum; }"),
     "it does not count up to a number that stays"},
    {"up to and with",
     CASE("for (int p = 0; p <= n; p++) { float sum = 0; " DOT "z[p * 4096 + col] = sum; }"),
     "it does not count up to a number that stays"},
    {"from what is not constant",
     CASE("for (int p = m; p < n; p++) { float sum = 0; " DOT "z[p * 4096 + col] = sum; }"),
     "it does not count up to a number that stays"},
    {"a bound that is computed",
     CASE("for (int p = 0; p < n + m; p++) { float sum = 0; " DOT "z[p * 4096 + col] = sum; }"),
     "it does not count up to a number that stays"},
    {"a jump", LOOP("float sum = 0; if (p == m) break; " DOT "z[p * 4096 + col] = sum;"),
     "control leaves a statement in it by a jump"},
    {"a while loop inside",
     LOOP("float sum = 0; int i = 0; while (i < m) { sum += y[i]; i++; } z[p * 4096 + col] = sum;"),
     "control leaves a statement in it by a jump"},
    {"a loop inside whose iterator is not its own",
     LOOP("float sum = 0; int i; for (i = 0; i < m; i++) sum += y[i]; z[p * 4096 + col] = sum;"),
     "a loop inside does not count from one bound to another"},
    {"a local with an address",
     LOOP("float sum = 0; float *q = &sum; " DOT "z[p * 4096 + col] = *q;"),
     "a variable in it has an address, or is no plain local"},
    {"a reference", LOOP("float sum = 0; float &r = sum; " DOT "z[p * 4096 + col] = r;"),
     "a variable in it has an address, or is no plain local"},
    {"an address", LOOP("float sum = 0; " DOT "z[p * 4096 + col] = sum + *(&x[p]);"),
     "it takes an address"},
    {"a barrier", LOOP("float sum = 0; " DOT "z[p * 4096 + col] = sum; __syncthreads();"),
     "it calls a function that may do more than compute a value"},
    {"a call of a function of numbers that is left to it",
     LOOP("float sum = 0; for (int i = 0; i < m; i++) sum += x[p * m + i] * y[twice(i) * 4096 + "
          "col]; z[p * 4096 + col] = sum;"),
     "it calls a function that may do more than compute a value"},
    {"a call with effects", LOOP("float sum = 0; " DOT "add(z + p * 4096 + col);"),
     "it calls a function that may do more than compute a value"},
    {"shared memory", LOOP("float sum = 0; " DOT "part[p] = sum;"), "it writes shared memory"},
    {"a value for the next iteration",
     CASE("float sum = 0; for (int p = 0; p < n; p++) { " DOT "z[p * 4096 + col] = sum; }"),
     "an iteration hands a value to the next one"},
    {"no store", LOOP("float sum = 0; " DOT), "it stores nothing"},
    {"a load of what is written",
     LOOP(
         "float sum = 0; for (int i = 0; i < m; i++) sum += z[i] * x[p]; z[p * 4096 + col] = sum;"),
     "what it loads may be written by an iteration before it"},
    {"a load through a pointer from memory",
     KERNEL("int n, int m, float **q",
            "for (int p = 0; p < n; p++) { float sum = 0; for (int i = 0; i < m; i++) sum += "
            "q[0][i] * x[p]; "
            "z[p * 4096 + col] = sum; }") "void run(float **q) { k<<<32, 128>>>(9, 9, q); }",
     "it is not known what it loads"},
    {"volatile memory",
     KERNEL("volatile float *v, int n, int m",
            "for (int p = 0; p < n; p++) { float sum = v[p]; " DOT
            "z[p * 4096 + col] = sum; }") "void run(float *v) { k<<<32, 128>>>(v, 9, 9); }",
     "it uses volatile memory"},
    {"a loop inside of other bounds",
     LOOP("float sum = 0; for (int i = 0; i < p; i++) sum += x[p * m + i] * y[i]; z[p * 4096 + "
          "col] = sum;"),
     "a loop inside has other bounds in each iteration"},
    {"nothing in common",
     LOOP("float sum = 0; for (int i = 0; i < m; i++) sum += x[p * m + i]; z[p * 4096 + col] = "
          "sum;"),
     "its iterations load nothing in common"},
    {"a device variable",
     LOOP("float sum = 0; for (int i = 0; i < m; i++) sum += x[p * m + i] * y[i * 4096 + col] * "
          "single; z[p * 4096 + col] = sum;"),
     "it is not known what it loads"},
    {"a member behind a pointer",
     KERNEL("const float2 *__restrict__ v, int n, int m",
            "for (int p = 0; p < n; p++) { float sum = 0; for (int i = 0; i < m; i++) sum += v->x "
            "* y[i * 4096 + col]; z[p * 4096 + col] = sum; }") "void run(float2 *v) { k<<<32, "
                                                               "128>>>(v, 9, 9); }",
     "it is not known what it loads"},
    {"a store before the end",
     LOOP("float sum = 0; z[p * 4096 + col] = 1; " DOT "z[p * 4096 + col] = sum;"),
     "its iterations load nothing in common"},
    {"a store in the loop inside",
     LOOP("float sum = 0; for (int i = 0; i < m; i++) { sum += x[p * m + i] * y[i * 4096 + col]; "
          "z[p * 4096 + i] = sum; }"),
     "its iterations load nothing in common"},
    {"an else at the end",
     LOOP("float sum = 0; " DOT "if (p < m) z[p * 4096 + col] = sum; else z[col] = 1;"),
     "1 of 2 loads; 0 to ask"},
    {"an end that does not store", LOOP("float sum = 0; " DOT "z[p * 4096 + col] = sum; sum = 3;"),
     "1 of 2 loads; 0 to ask"},
    {"a parameter that changes", LOOP("float sum = 0; m += 1; " DOT "z[p * 4096 + col] = sum;"),
     "an iteration hands a value to the next one"},
    {"an atomic operation", LOOP("float sum = 0; " DOT "atomicAdd(&z[p * 4096 + col], sum);"),
     "it calls a function that may do more than compute a value"},
    {"a bound that is volatile",
     KERNEL("volatile int n, int m", "for (int p = 0; p < n; p++) { float sum = 0; " DOT
                                     "z[p * 4096 + col] = sum; }") RUN("n, m"),
     "it does not count up to a number that stays"},
    {"a bound whose address is taken",
     KERNEL("int n, int m",
            "const int *where = &n; for (int p = 0; p < n; p++) { float sum = 0; " DOT
            "z[p * 4096 + col] = sum + *where; }") RUN("n, m"),
     "it does not count up to a number that stays"},
    {"a wide iterator",
     CASE("for (long long p = 0; p < n; p++) { float sum = 0; for (int i = 0; i < m; i++) sum += "
          "x[p * m + i] * y[i * 4096 + col]; z[p * 4096 + col] = sum; }"),
     "1 of 2 loads; 0 to ask"},
    {"a step of the launch",
     CASE("for (int p = 0; p < n; p += m) { float sum = 0; for (int i = 0; i < m; i++) sum += x[p "
          "* m + i] * y[i * 4096 + col]; z[p * 4096 + col] = sum; }"),
     "it does not count up to a number that stays"},
    {"a loop inside in steps of the launch",
     LOOP("float sum = 0; for (int i = 0; i < m; i += n) sum += x[p * m + i] * y[i * 4096 + col]; "
          "z[p * 4096 + col] = sum;"),
     "a loop inside does not count from one bound to another"},
    {"a loop inside with a bound that steps",
     LOOP("float sum = 0; for (int i = 0; i < m++; i++) sum += x[p * m + i] * y[i * 4096 + col]; "
          "z[p * 4096 + col] = sum;"),
     "a loop inside does not count from one bound to another"},
    {"a loop inside from another place in each",
     LOOP("float sum = 0; for (int i = p; i < m; i++) sum += x[p * m + i] * y[i * 4096 + col]; z[p "
          "* 4096 + col] = sum;"),
     "a loop inside has other bounds in each iteration"},
    {"two pointers of the launch that both are written",
     KERNEL(
         "float *x, float *z, int n, int m",
         "for (int p = 0; p < n; p++) { float sum = 0; for (int i = 0; i < m; i++) sum += x[p * m "
         "+ i] * y[i * 4096 + col]; z[p * 4096 + col] = sum; x[0] = 1; }") "void run(float *x, "
                                                                           "float *z) { k<<<32, "
                                                                           "128>>>(x, z, 9, 9); }",
     "what it loads may be written by an iteration before it"},
    {"an element with a constructor",
     LOOP("odd sum; for (int i = 0; i < m; i++) sum.v += x[p * m + i] * y[i * 4096 + col]; z[p * "
          "4096 + col] = sum.v;"),
     "a variable in it has an address, or is no plain local"},
};

static const struct transform_case planned[] = {
    {"a product that pays", LOOP("float sum = 0; " DOT "z[p * 4096 + col] = sum;"),
     "with 4 iterations of the loop over p at once, which load in common what they can"},
    {"few iterations",
     CASE("for (int p = 0; p < 3; p++) { float sum = 0; " DOT "z[p * 4096 + col] = sum; }"),
     "not planned"},
    {"little in common",
     LOOP("float sum = 0; for (int i = 0; i < m; i++) sum += x[p * m + i] * x[p * 9 + i] * x[p * 7 "
          "+ i] * y[i]; z[p * 4096 + col] = sum;"),
     "not planned"},
    {"much of its own",
     LOOP("float own[32]; float sum = 0; own[m] = p; " DOT "z[p * 4096 + col] = sum + own[3];"),
     "not planned"},
    {"all but for a store",
     LOOP("float sum = 0; " DOT "float other = z[p]; z[p * 4096 + col] = sum + other;"),
     "not planned; iterations of the loop over 'p' in 'k' run one after another: what it loads may "
     "be written by an iteration before it"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look),
                                                TABLE(planned, look_plan)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }

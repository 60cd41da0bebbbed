/* SPDX-License-Identifier: MIT */
/* stream_layers.c - threads that go through layers in a loop of their own: stages, rows, locals,
 * and why there is no such form. */
#include "analysis/code/precondition.h"
#include "analysis/transform/stream_layers/layer_stream.h"
#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "enum { N = 256 }; __global__ float a[N][N][N], b[N][N][N], c[N][N][N], d[N][N][N], " \
  "e[N][N][N], h[N][N][N], w[125]; __global__ int t[N];\n" \
  "__global__ float line[N][N][N + 3], plane[N][N]; const int last = 200;\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { int j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x " \
  "* blockDim.x + threadIdx.x; " body " }\n"
#define RUN(args) "void run(int n) { k<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(" args "); }"
#define CASE(body) KERNEL("int n", body) RUN("n")
#define LAYERS(body) CASE("for (int i = 1; i < N - 1; i++) " body)

/* "2 stages; a 1+1 beside, 3 layers held; 2 locals; conditions 2 2 0; gain 2.40, 60 registers" */
static void look(struct subject *s, struct text *shown)
{
  struct geometry geometry = {.block = {128, 16}, .threads = {32, 8}, .vector = {4, 2}};
  struct preconditions preconditions = {.only_aligned = true};
  struct layer_stream *stream = ARENA_NEW(s->unit->arena, struct layer_stream);
  struct ir_list verbatim = {0};
  struct ir_var *totals[2];

  *stream = (struct layer_stream){.code = &s->code, .factor = 4, .rows = 2, .z_parts = 8};
  s->code.preconditions = &preconditions;
  if (!transform_shape(s, &geometry, totals, shown)) return;
  if (!layer_stream_find(stream)) {
    text_add(shown, stream->reason);
    return;
  }
  text_format(shown, "%lld stages", (long long)stream->stages);
  for (unsigned i = 0; i < stream->group_count; i++)
    text_format(shown, "; %s %lld+%lld beside, %lld layers held",
                stream->groups[i].array->var->name, (long long)stream->groups[i].left,
                (long long)stream->groups[i].right,
                (long long)(stream->groups[i].newest - stream->groups[i].oldest + 1));
  text_format(shown,
              "; %u loads, %u items, %u locals; conditions %u %u %u; gain %.2f, %.0f registers",
              stream->load_count, stream->item_count, stream->local_count, stream->lane_count,
              stream->row_count, stream->thread_count, layer_stream_gain(stream),
              layer_stream_registers(stream));
  layer_stream_build(stream, &verbatim);
}

#define SUM \
  "for (int x = 0; x < 3; x++) for (int y = 0; y < 3; y++) for (int z = 0; z < 3; z++) s += w[(x " \
  "* 3 + y) * 3 + z] * a[i + x - 1][j + y - 1][k + z - 1]; "

static const struct transform_case found[] = {
    {"one layer", LAYERS("b[i][j][k] = a[i][j][k] * 2;"),
     "1 stages; a 0+0 beside, 1 layers held; 1 loads, 1 items, 0 locals; conditions 0 0 0; gain "
     "4.00, 40 registers"},
    {"three layers", LAYERS("b[i][j][k] = a[i - 1][j][k] + a[i][j][k] + a[i + 1][j][k];"),
     "3 stages; a 0+0 beside, 3 layers held; 3 loads, 1 items, 0 locals; conditions 0 0 0; gain "
     "8.00, 56 registers"},
    {"a convolution",
     CASE("if (k < 1 || k >= N - 1 || j < 1 || j >= N - 1) return; for (int i = 1; i < N - 1; i++) "
          "{ float s = 0; " SUM "b[i][j][k] = s; }"),
     "3 stages; a 1+1 beside, 1 layers held; 1 loads, 5 items, 1 locals; conditions 2 2 0; gain "
     "10.73, 125 registers"},
    {"layer by layer",
     LAYERS("{ float s = a[i - 1][j][k]; s += a[i][j][k]; s += a[i + 1][j][k]; b[i][j][k] = s; }"),
     "3 stages; a 0+0 beside, 1 layers held; 3 loads, 4 items, 1 locals; conditions 0 0 0; gain "
     "8.00, 82 registers"},
    {"two arrays", LAYERS("b[i][j][k] = a[i][j][k] + c[i - 1][j][k];"),
     "1 stages; a 0+0 beside, 1 layers held; c 0+0 beside, 1 layers held; 2 loads, 1 items, 0 "
     "locals; conditions 0 0 0; gain 4.00, 48 registers"},
    {"what stands in front",
     CASE("float x = w[0]; for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k] * x;"),
     "1 stages; a 0+0 beside, 1 layers held; 1 loads, 1 items, 0 locals; conditions 0 0 0; gain "
     "4.00, 42 registers"},
    {"a place that a local stands for", LAYERS("{ int l = i - 1; b[i][j][k] = a[l][j][k]; }"),
     "1 stages; a 0+0 beside, 1 layers held; 1 loads, 1 items, 0 locals; conditions 0 0 0; gain "
     "4.00, 40 registers"},
    {"layers turned", LAYERS("b[i][j][k] = a[j][i][k];"),
     "1 stages; a 0+0 beside, 1 layers held; 1 loads, 1 items, 0 locals; conditions 0 0 0; gain "
     "4.00, 40 registers"},
    {"up to and with the bound", CASE("for (int i = 1; i <= N - 2; i++) b[i][j][k] = a[i][j][k];"),
     "1 stages; a 0+0 beside, 1 layers held; 1 loads, 1 items, 0 locals; conditions 0 0 0; gain "
     "4.00, 40 registers"},
    {"conditions in parentheses",
     CASE("if (((k > 0)) && (((j < n)) && (n != 3)) && n) for (int i = 1; i < N - 1; i++) "
          "b[i][j][k] = (a[i - 1][j][k]) + a[i][j][k];"),
     "2 stages; a 0+0 beside, 2 layers held; 2 loads, 1 items, 0 locals; conditions 1 1 2; gain "
     "6.00, 48 registers"},
    {"conditions with signs and quotients",
     CASE("if (-k < 0 && !(j > N - 2) && k / 2 > 3 && (j % 4 + 1) > 0 && k < last) for (int i = 1; "
          "i < N - 1; i++) b[i][j][k] = a[i - 1][j][k] + a[i][j][k];"),
     "2 stages; a 0+0 beside, 2 layers held; 2 loads, 1 items, 0 locals; conditions 3 2 0; gain "
     "6.00, 48 registers"},
    {"much that stands in front",
     CASE("int l = k, m; { m = l / 2 + n % 4; } ; float x = 0; if (n) x = w[3]; for (int u = 0; u "
          "< 4; u++) x += w[u]; for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k] * x + m;"),
     "1 stages; a 0+0 beside, 1 layers held; 1 loads, 1 items, 0 locals; conditions 0 0 0; gain "
     "4.00, 42 registers"},
    {"flat arrays",
     KERNEL("const float *__restrict__ p, int n",
            "for (int i = 1; i < N - 1; i++) b[i][j][k] = p[(i * N + j) * N + k] + p[((i - 1) * N "
            "+ j) * N + k];") "void run(int n, float *p) { k<<<dim3(N / 32, N / 8), dim3(32, "
                              "8)>>>(a[0][0], n); }",
     "2 stages; p 0+0 beside, 2 layers held; 2 loads, 1 items, 0 locals; conditions 0 0 0; gain "
     "6.00, 48 registers"},
    {"flat arrays of the launch",
     KERNEL("const float *__restrict__ p, int n",
            "for (int i = 1; i < N - 1; i++) b[i][j][k] = p[(i * n + j) * n + k] + p[((i - 1) * n "
            "+ j) * n + k];") "void run(int n, float *p) { k<<<dim3(N / 32, N / 8), dim3(32, "
                              "8)>>>(a[0][0], n); }",
     "2 stages; p 0+0 beside, 2 layers held; 2 loads, 1 items, 0 locals; conditions 0 0 0; gain "
     "6.00, 48 registers"},
    {"flat arrays with a pitch",
     KERNEL("const float *__restrict__ p, int n, unsigned pitch",
            "for (int i = 1; i < N - 1; i++) "
            "b[i][j][k] = p[i * (n * 64) + j * "
            "64 + k];") "void run(int n, float "
                        "*p) { k<<<dim3(N / 32, "
                        "N / 8), dim3(32, "
                        "8)>>>(a[0][0], n, 3); "
                        "}",
     "1 stages; p 0+0 beside, 1 layers held; 1 loads, 1 items, 0 locals; conditions 0 0 0; gain "
     "4.00, 40 registers"},
    {"a loop in steps",
     LAYERS("{ float s = 0; for (int x = 0; x < 6; x += 2) s += a[i + x - 1][j][k]; b[i][j][k] = "
            "s; }"),
     "5 stages; a 0+0 beside, 1 layers held; 1 loads, 5 items, 1 locals; conditions 0 0 0; gain "
     "8.00, 110 registers"},
    {"a loop down",
     LAYERS(
         "{ float s = 0; for (int x = 2; x >= 0; x--) s += a[i + x - 1][j][k]; b[i][j][k] = s; }"),
     "a place that it loads is told by a local that changes"},
    {"nothing in it", LAYERS("{ ; b[i][j][k] = a[i][j][k]; }"),
     "1 stages; a 0+0 beside, 1 layers held; 1 loads, 1 items, 0 locals; conditions 0 0 0; gain "
     "4.00, 40 registers"},
    {"an array of two dimensions for all layers",
     LAYERS("b[i][j][k] = a[i][j][k] + plane[j & 1][3];"), "its rows load elements of their own"},
};

#define FOUR " + a[i][j][k] + a[i][j][k] + a[i][j][k] + a[i][j][k]"
#define SIXTEEN FOUR FOUR FOUR FOUR

static const struct transform_case declined[] = {
    {"no loop", CASE("b[1][j][k] = a[1][j][k];"),
     "what stands in front of its loop is more than indices and what all threads load"},
    {"nothing", CASE("float x = w[0];"), "it has no loop over layers"},
    {"two layers at a time",
     CASE("for (int i = 1; i < N / 2 - 1; i++) b[i][j][k] = a[2 * i][j][k] + a[2 * i + 1][j][k];"),
     "its rows, layers and neighbours are not told apart"},
    {"many iterations",
     LAYERS("{ float s = 0; for (int x = 0; x < 8; x++) for (int y = 0; y < 9; y++) for (int z = "
            "0; z < 8; z++) s += a[i][j + y][k + z] * x; b[i][j][k] = s; }"),
     "its loops have too many iterations"},
    {"seventeen locals",
     LAYERS("{ float s1 = a[i][j][k], s2 = s1, s3 = s2, s4 = s3, s5 = s4, s6 = s5, s7 = s6, s8 = "
            "s7, s9 = s8, t1 = s9, t2 = t1, t3 = t2, t4 = t3, t5 = t4, t6 = t5, t7 = t6, t8 = t7; "
            "b[i][j][k] = t8; }"),
     "it has too many locals"},
    {"sixty-five loads", LAYERS("b[i][j][k] = a[i][j][k]" SIXTEEN SIXTEEN SIXTEEN SIXTEEN ";"),
     "it has too many loads"},
    {"launches with layers",
     KERNEL("int n",
            "for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];") "void run(int n) { "
                                                                        "k<<<dim3(N / 32, N / 8, "
                                                                        "2), dim3(32, 8)>>>(n); }",
     "its launch may have layers"},
    {"a pointer from memory",
     KERNEL("float **x",
            "for (int i = 1; i < N - 1; i++) b[i][j][k] = x[i][k];") "void run(float **x) { "
                                                                     "k<<<dim3(N / 32, N / 8), "
                                                                     "dim3(32, 8)>>>(x); }",
     "it accesses memory that is not followed"},
    {"a condition on values",
     CASE("if (t[k] > 0) for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "a condition around its loop is made of more than indices and parameters"},
    {"a condition on x and y",
     CASE("if (j + k < n) for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "a condition around its loop is on x and y at once"},
    {"seventeen conditions",
     CASE("if (n > 1 && n > 2 && n > 3 && n > 4 && n > 5 && n > 6 && n > 7 && n > 8 && n > 9 && n "
          "> 10 && n > 11 && n > 12 && n > 13 && n > 14 && n > 15 && n > 16 && n > 17) "
          "for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "it has too many conditions"},
    {"a store in front",
     CASE("b[0][j][k] = 0; for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "what stands in front of its loop is more than indices and what all threads load"},
    {"a load of its own in front",
     CASE("float x = a[0][j][k]; for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k] + x;"),
     "what stands in front of its loop is more than indices and what all threads load"},
    {"down", CASE("for (int i = N - 2; i > 0; i--) b[i][j][k] = a[i][j][k];"),
     "its loop does not go up by one between bounds that the host knows"},
    {"by two", CASE("for (int i = 1; i < N - 1; i += 2) b[i][j][k] = a[i][j][k];"),
     "its loop does not go up by one between bounds that the host knows"},
    {"a bound from memory", CASE("for (int i = 1; i < t[0]; i++) b[i][j][k] = a[i][j][k];"),
     "its loop does not go up by one between bounds that the host knows"},
    {"a short loop of layers", CASE("for (int i = 1; i < 40; i++) b[i][j][k] = a[i][j][k];"),
     "its loop over layers is short"},
    {"a branch", LAYERS("if (i > n) b[i][j][k] = a[i][j][k];"),
     "the body of its loop has more than assignments and short loops"},
    {"a while loop in it",
     LAYERS("{ float s = 0; int l = 0; while (l < n) { s += a[i][j][k]; l++; } b[i][j][k] = s; }"),
     "it loads what it writes, or not always"},
    {"a store in a short loop", LAYERS("for (int x = 0; x < 3; x++) b[i][j][k] = a[i][j][k];"),
     "what it stores may be stored or loaded in another place"},
    {"a load of what is written", LAYERS("b[i][j][k] = b[i - 1][j][k] + a[i][j][k];"),
     "what it stores may be stored or loaded in another place"},
    {"an update", LAYERS("b[i][j][k] += a[i][j][k];"),
     "what it stores may be stored or loaded in another place"},
    {"a choice", LAYERS("b[i][j][k] = n ? a[i][j][k] : 0;"),
     "it loads under a condition in an expression"},
    {"a load for each row", LAYERS("b[i][j][k] = a[i][j][k] * c[0][j][0];"),
     "its rows load elements of their own"},
    {"a place from memory", LAYERS("b[i][j][k] = a[i][j][k] * w[t[0]];"),
     "a place that it loads is told by what it loads"},
    {"rows of another length", LAYERS("b[i][j][k] = line[i][j][k];"),
     "its rows do not begin at multiples of 16 bytes"},
    {"a place from a narrow type", LAYERS("b[i][j][k] = a[i][j][(unsigned char)k];"),
     "a place that it loads is converted from a type that does not hold those before it"},
    {"a load of no layer", LAYERS("b[i][j][k] = a[i][j][k] + c[3][j][k];"),
     "neighbours load what is not of the layers that its loop goes through"},
    {"an address", LAYERS("b[i][j][k] = a[i][j][k] + *(&w[0]);"), "it takes an address"},
    {"five arrays",
     LAYERS("b[i][j][k] = a[i][j][k] + c[i][j][k] + d[i][j][k] + e[i][j][k] + h[i][j][k];"),
     "it loads too many arrays"},
    {"nothing of rows", LAYERS("b[i][j][k] = w[i & 3];"), "its layers load nothing of rows"},
    {"the same element of all layers", LAYERS("b[0][j][k] = a[i][j][k];"),
     "its layers may store to the same elements"},
    {"a local that goes on",
     CASE("float s = 0; for (int i = 1; i < N - 1; i++) { s += a[i][j][k]; b[i][j][k] = s; }"),
     "a local goes from one layer to the next"},
    {"layers far apart",
     CASE("for (int i = 12; i < N - 1; i++) { float s = a[i][j][k]; s += a[i - 12][j][k]; "
          "b[i][j][k] = s; }"),
     "its layers are too far apart"},
    {"rows that need different elements",
     LAYERS("b[i][j][k] = a[i][j][k] + a[i][j + 1][k + 1] + a[i][j + 1][k + 2];"),
     "its rows need different elements"},
    {"places that change", LAYERS("{ int l = n; l += 1; b[i][j][k] = a[i][j][k] * w[l]; }"),
     "a place that it loads is told by a local that changes"},
    {"rows far apart", LAYERS("b[i][j][k] = a[i][j][k] + a[i][j + 20][k];"),
     "it loads too many rows"},
    {"loops nested deeply",
     LAYERS("{ float s = 0; for (int u = 0; u < 2; u++) for (int v = 0; v < 2; v++) for (int x = "
            "0; x < 2; x++) for (int y = 0; y < 2; y++) for (int z = 0; z < 2; z++) "
            "s += a[i + x][j][k] * (u + v + y + z); b[i][j][k] = s; }"),
     "its loops are nested too deeply"},
    {"many statements",
     LAYERS("{ float s = 0; for (int x = 0; x < 16; x++) { s += a[i + x - 1][j][k]; s += 1; s += "
            "2; s += 3; s += 4; s += 5; s += 6; } b[i][j][k] = s; }"),
     "it has too many statements"},
    {"a place from memory in a local",
     LAYERS("{ int at = t[i]; b[i][j][k] = a[i][j][k] + a[i - 1][j][k] + w[at]; }"),
     "a place that it loads is told by what it loads"},
    {"a condition on the grid",
     CASE("if (k < blockDim.x) for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "1 stages; a 0+0 beside, 1 layers held; 1 loads, 1 items, 0 locals; conditions 1 0 0; gain "
     "4.00, 40 registers"},
    {"a condition on a real number",
     KERNEL(
         "float f",
         "if (f > 0) for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];") "void run(int n, "
                                                                                "int *p) { "
                                                                                "k<<<dim3(N / 32, "
                                                                                "N / 8), dim3(32, "
                                                                                "8)>>>(2); }",
     "a condition around its loop is made of more than indices and parameters"},
    {"a condition on what changes",
     CASE("n = 3; if (n > k) for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "1 stages; a 0+0 beside, 1 layers held; 1 loads, 1 items, 0 locals; conditions 1 0 0; gain "
     "4.00, 40 registers"},
    {"a condition that steps",
     CASE("if (n-- > k) for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "a condition around its loop is made of more than indices and parameters"},
    {"a condition on memory",
     KERNEL("const int *q, int n", "if (*q > 0) for (int i = 1; i < N - 1; i++) b[i][j][k] = "
                                   "a[i][j][k];") "void run(int n, int *p) { k<<<dim3(N / 32, N / "
                                                  "8), dim3(32, 8)>>>(p, n); }",
     "a condition around its loop is made of more than indices and parameters"},
    {"a condition with an address",
     CASE("if (&a[1][j][k] != nullptr) for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "a condition around its loop is made of more than indices and parameters"},
    {"a quotient of the launch",
     CASE("if (k / n > 0) for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "a condition around its loop is made of more than indices and parameters"},
    {"a rest of a negative number",
     CASE("if (k % -3 > 0) for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "a condition around its loop is made of more than indices and parameters"},
    {"a condition on a sum of x and y",
     CASE("if (k + j < N) for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "a condition around its loop is on x and y at once"},
    {"many conditions",
     CASE("if (n != 1 && n != 2 && n != 3 && n != 4 && n != 5 && n != 6 && n != 7 && n != 8 && n "
          "!= 9 && n != 10 && n != 11 && n != 12 && n != 13 && n != 14 && n != 15 && n != 16 && n "
          "!= 17 && n != 18 && n != 19) for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "it has too many conditions"},
    {"a reference in front",
     CASE("const float &x = w[0]; for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k] * x;"),
     "it accesses memory that is not followed"},
    {"an atomic operation in front",
     CASE("atomicAdd(&t[0], 1); for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "what stands in front of its loop is more than indices and what all threads load"},
    {"a quotient in front",
     CASE("int l = k / n; for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k] + l;"),
     "what stands in front of its loop is more than indices and what all threads load"},
    {"rows of its own in front",
     CASE("float x = plane[j][3]; for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k] * x;"),
     "what stands in front of its loop is more than indices and what all threads load"},
    {"a while loop in front",
     CASE("while (n > 3) n /= 2; for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k] * n;"),
     "what stands in front of its loop is more than indices and what all threads load"},
    {"a switch in front",
     CASE("switch (n) { case 1: n = 2; } for (int i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k] * "
          "n;"),
     "what stands in front of its loop is more than indices and what all threads load"},
    {"layers down", CASE("for (int i = N - 2; i > 0; i--) b[i][j][k] = a[i][j][k];"),
     "its loop does not go up by one between bounds that the host knows"},
    {"an iterator from outside",
     CASE("int i; for (i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "its loop does not go up by one between bounds that the host knows"},
    {"layers in steps of the launch",
     CASE("for (int i = 1; i < N - 1; i += n) b[i][j][k] = a[i][j][k];"),
     "its loop does not go up by one between bounds that the host knows"},
    {"layers in wide numbers",
     CASE("for (long long i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "its loop does not go up by one between bounds that the host knows"},
    {"layers without a sign", CASE("for (unsigned i = 1; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "its loop does not go up by one between bounds that the host knows"},
    {"layers until another number",
     CASE("for (int i = 1; i != N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "its loop does not go up by one between bounds that the host knows"},
    {"layers from a table", CASE("for (int i = t[0]; i < N - 1; i++) b[i][j][k] = a[i][j][k];"),
     "its loop does not go up by one between bounds that the host knows"},
    {"layers to a table", CASE("for (int i = 1; i < t[0]; i++) b[i][j][k] = a[i][j][k];"),
     "its loop does not go up by one between bounds that the host knows"},
    {"no layers", CASE("for (;;) { if (n) break; b[1][j][k] = a[1][j][k]; }"),
     "its loop does not go up by one between bounds that the host knows"},
    {"an address in it", LAYERS("{ const float *x = &w[0]; b[i][j][k] = a[i][j][k] * *x; }"),
     "it takes an address"},
    {"what is written", LAYERS("b[i][j][k] = b[i - 1][j][k] + a[i][j][k];"),
     "what it stores may be stored or loaded in another place"},
    {"under a condition", LAYERS("b[i][j][k] = n ? a[i][j][k] : a[i - 1][j][k];"),
     "it loads under a condition in an expression"},
    {"rows that are longer", LAYERS("b[i][j][k] = line[i][j][k];"),
     "its rows do not begin at multiples of 16 bytes"},
    {"neighbours of no layer", LAYERS("b[i][j][k] = a[i][j][k] + plane[j][k];"),
     "neighbours load what is not of the layers that its loop goes through"},
    {"a narrow place", LAYERS("b[i][j][k] = a[i][j][(unsigned char)k];"),
     "a place that it loads is converted from a type that does not hold those before it"},
    {"a store in a loop of two", LAYERS("for (int x = 0; x < 2; x++) b[i][j][k] = a[i + x][j][k];"),
     "what it stores may be stored or loaded in another place"},
    {"an element that is added to", LAYERS("b[i][j][k] += a[i][j][k];"),
     "what it stores may be stored or loaded in another place"},
    {"stores to one layer", LAYERS("b[3][j][k] = a[i][j][k];"),
     "its layers may store to the same elements"},
    {"stores from the end", LAYERS("b[N - i][j][k] = a[i][j][k];"),
     "1 stages; a 0+0 beside, 1 layers held; 1 loads, 1 items, 0 locals; conditions 0 0 0; gain "
     "4.00, 40 registers"},
    {"a return in it", LAYERS("{ if (n) return; b[i][j][k] = a[i][j][k]; }"),
     "no shape: threads return from inside a loop or a nested statement"},
    {"a break in it", LAYERS("{ if (n) break; b[i][j][k] = a[i][j][k]; }"),
     "it loads what it writes, or not always"},
    {"a loop of unknown length in it",
     LAYERS("{ while (n > 3) n /= 2; b[i][j][k] = a[i][j][k] * n; }"),
     "the body of its loop has more than assignments and short loops"},
    {"a barrier in it", LAYERS("{ __syncthreads(); b[i][j][k] = a[i][j][k]; }"),
     "no shape: it has a barrier"},
    {"an atomic operation in it", LAYERS("{ atomicAdd(&t[i], 1); b[i][j][k] = a[i][j][k]; }"),
     "it takes an address"},
    {"a local that goes from layer to layer",
     CASE("float s = 0; for (int i = 1; i < N - 1; i++) { s += a[i][j][k]; b[i][j][k] = s; }"),
     "a local goes from one layer to the next"},
    {"a record in it", LAYERS("{ float2 x = {a[i][j][k], 2}; b[i][j][k] = x.x + x.y; }"),
     "the body of its loop has more than assignments and short loops"},
    {"a local whose address is taken",
     LAYERS("{ float x = a[i][j][k]; float *y = &x; b[i][j][k] = *y; }"), "it takes an address"},
    {"a condition on values in it", LAYERS("{ if (a[i][j][k] > 0) b[i][j][k] = a[i - 1][j][k]; }"),
     "it loads what it writes, or not always"},
    {"an else in it", LAYERS("{ if (n > i) b[i][j][k] = a[i][j][k]; else b[i][j][k] = 2; }"),
     "what it stores may be stored or loaded in another place"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }

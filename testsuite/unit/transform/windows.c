/* SPDX-License-Identifier: MIT */
/* windows.c - neighbours that go through windows of a run-time length: the elements of which arrays
 * stay in registers, and the gain that the model sees. */
#include "analysis/transform/coarsen/windows.h"

#include "testsuite/unit/transform/transform_support.h"

#include <string.h>

#define FRONT "__global__ float a[65536], b[65536], c[65536], w[64]; __global__ int t[65536];\n"
#define CASE(body) \
  "__global__ void k(int n, int r) { int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; " \
  "if (i < r || i >= n - r) return; " body " c[i] = s; }\n" \
  "void run(int n, int r) { k<<<(n + 255) / 256, 256>>>(n, r); }"

struct windows_seen {
  struct text *shown;
};

static bool note_window(struct ir_stmt *stmt, void *context)
{
  struct windows_seen *seen = context;

  if (stmt->kind == IR_STMT_DECL && !strncmp(stmt->var->name, "_w_", 3))
    text_format(seen->shown, " %s", stmt->var->name + 3);
  return true;
}

/* "gain 4.00: a": the arrays with windows. */
static void look(struct subject *s, struct text *shown)
{
  struct geometry lanes = {.block = {512, 1}, .threads = {128, 1}, .vector = {4, 1}};
  struct ir_var *totals[2];
  struct interior interior;
  struct ir_list verbatim = {0}, all = {0};
  struct windows_seen seen = {shown};

  if (!transform_shape(s, &lanes, totals, shown)) return;
  interior_of_windows(&s->code, &interior);
  struct ir_stmt *written = s->code.facts.kernel->body;
  code_drop_scan(&s->code);
  s->code.choice = ir_build_if(
      s->code.arena, interior.condition ? interior.condition : ir_build_int(s->code.arena, 1),
      interior.body);
  s->code.interior = &interior;
  ir_list_add(s->code.arena, &all, (struct ir_stmt *)s->code.choice);
  s->code.facts.kernel->body = ir_build_block(s->code.arena, &all);
  double gain = windows_rewrite(&s->code, &interior, written, 4, &verbatim);
  text_format(shown, "gain %.2f:", gain);
  ir_visit_stmts(interior.body, note_window, &seen);
}

static const struct transform_case found[] = {
    {"a radius", CASE("for (int u = -r; u <= r; u++) s += a[i + u];"), "gain 4.00: a"},
    {"weights", CASE("for (int u = -r; u <= r; u++) s += a[i + u] * w[u + r];"), "gain 4.00: a"},
    {"two arrays", CASE("for (int u = 0; u < r; u++) s += a[i + u] * b[i + u + 1];"),
     "gain 4.00: a b"},
    {"clamped", CASE("for (int u = -r; u <= r; u++) s += a[min(max(i + u, 0), n - 1)];"),
     "gain 4.00: a"},
    {"guarded", CASE("for (int u = -r; u <= r; u++) if (i + u >= 0 && i + u < n) s += a[i + u];"),
     "gain 4.00: a"},
    {"on data", CASE("for (int u = -r; u <= r; u++) if (t[u + r]) s += a[i + u];"), "gain 0.00:"},
    {"an end by data",
     CASE("for (int u = -r; u <= r; u++) { if (t[u + r]) break; s += a[i + u]; }"), "gain 0.00:"},
    {"every second", CASE("for (int u = -r; u <= r; u++) s += a[i + 2 * u];"), "gain 0.00:"},
    {"down", CASE("for (int u = r; u >= -r; u--) s += a[i + u];"), "gain 0.00:"},
    {"backwards", CASE("for (int u = -r; u <= r; u++) s += a[i - u];"), "gain 4.00: a"},
    {"of a constant length", CASE("for (int u = -2; u <= 2; u++) s += a[i + u];"), "gain 0.00:"},
    {"what it writes", CASE("for (int u = -r; u <= r; u++) s += c[i + u];"), "gain 0.00:"},
    {"a loop inside",
     CASE("for (int v = 0; v < r; v++) for (int u = 0; u < r; u++) s += a[v * n + i + u];"),
     "gain 4.00: a"},
};

static const struct transform_table tables[] = {TABLE(found, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }

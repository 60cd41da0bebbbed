/* SPDX-License-Identifier: MIT */
/* if_convert.c - ifs that store to an element in both arms: which become one store, as what, and
 * which stay. */
#include "analysis/transform/if_convert/if_convert.h"

#include <string.h>

#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "__global__ float a[4096], b[4096], c[4096], m[64][64]; __global__ int t[4096]; __global__ " \
  "short " \
  "h[4096]; __global__ bool f[4096];\n" \
  "enum colour : unsigned char { RED, GREEN }; __global__ colour e[4096]; struct pair { float x, " \
  "y; }; __global__ pair p[4096]; __device__ float one;\n"
#define KERNEL(params, body) \
  "__global__ void k(" params ") { int i = blockIdx.x * blockDim.x + threadIdx.x; " body " }\n"
#define RUN(args) "void run(int n) { k<<<32, 128>>>(" args "); }"
#define CASE(body) KERNEL("int n", body) RUN("n")

static bool selects(const char *line, size_t length)
{
  const char *found = strstr(line, " ? ");
  return found && found < line + length;
}

/* The selections, or why there are none. */
static void look(struct subject *s, struct text *shown)
{
  struct draft draft = {.code = s->code};
  unsigned count = if_convert(&draft);

  s->code = draft.code;
  if (count)
    transform_show_code(s, selects, (const char *[]){"convert<", NULL}, shown);
  else
    transform_show_decisions(s, DECISION_FORM, shown);
}

static const struct transform_case found[] = {
    {"a load that both make", CASE("if (a[i] > 0) b[i] = a[i]; else b[i] = 0;"),
     "((b)[i] = ((_v > (0)) ? _v : (0)))"},
    {"a local", CASE("float v = a[i]; if (v > 0) { b[i] = v; } else { b[i] = c[i]; }"),
     "((b)[i] = ((v > (0)) ? v : (c)[i]))"},
    {"the element itself", CASE("if (b[i] > 0) b[i] = b[i]; else b[i] = 1;"),
     "((b)[i] = ((_v > (0)) ? _v : (1)))"},
    {"a chain",
     CASE("float v = a[i]; if (v < 1) b[i] = 1; else if (v > 2) b[i] = 2; else b[i] = v;"),
     "((b)[i] = ((v < (1)) ? (1) : ((v > (2)) ? (2) : v)))"},
    {"a chain of loads",
     CASE("if (a[i] < 1) b[i] = 1; else if (a[i] > 2) b[i] = a[n]; else b[i] = a[i];"),
     "((b)[i] = ((_v < (1)) ? (1) : ((_v > (2)) ? (a)[n] : _v)))"},
    {"behind an if that stays",
     CASE("if (a[i] < 1) b[i] = 1; else { if (a[i] > 2) b[i] = 2; else b[i] = a[i]; c[i] = 1; }"),
     "((b)[i] = ((_v > (2)) ? (2) : _v))"},
    {"types", CASE("if (a[i] > 0) t[i] = 2.5; else t[i] = 3000000000u;"),
     "((t)[i] = (((a)[i] > (0)) ? cast<int>((2.5)) : cast<int>((3000000000))))"},
    {"a narrow type", CASE("if (a[i] > 0) h[i] = n; else h[i] = i;"),
     "((h)[i] = (((a)[i] > (0)) ? cast<short>((n)) : cast<short>((i))))"},
    {"bool", CASE("if (a[i] > 0) f[i] = true; else f[i] = n;"),
     "((f)[i] = (((a)[i] > (0)) ? 1 : cast<bool>((n))))"},
    {"enumerators", CASE("if (a[i] > 0) e[i] = RED; else e[i] = GREEN;"),
     "((e)[i] = (((a)[i] > (0)) ? 0 : 1))"},
    {"a member of the condition", CASE("if (p[i].x > 0) b[i] = 1; else b[i] = p[i].y;"),
     "((b)[i] = (((p)[i].x > (0)) ? (1) : (p)[i].y))"},
    {"two stores, a condition on memory",
     CASE("if (a[i] > b[i]) { b[i] = 1; t[i] = 2; } else { b[i] = 3; t[i] = 4; }"),
     "((b)[i] = (_c ? cast<float>((1)) : (3))); ((t)[i] = (_c ? 2 : 4))"},
    {"two stores, a condition on a local",
     CASE("float v = a[i]; if (v > 0) { b[i] = 1; t[i] = 2; } else { b[i] = 3; t[i] = 4; }"),
     "((b)[i] = ((v > (0)) ? cast<float>((1)) : (3))); ((t)[i] = ((v > (0)) ? 2 : 4))"},
    {"two stores, a load of both",
     CASE("if (a[i] > b[i]) { b[i] = a[i]; c[i] = a[i]; } else { b[i] = 3; c[i] = b[i]; }"),
     "((b)[i] = (_c ? _v : (3))); ((c)[i] = (_c ? (a)[i] : (b)[i]))"},
    {"behind &&", CASE("if (t[i] > 0 && a[t[i]] > 0) b[i] = a[t[i]]; else b[i] = t[i];"),
     "((b)[i] = (((_v > 0) && ((a)[_v] > (0))) ? (a)[_v] : (_v)))"},
    {"in a loop", CASE("for (int k = 0; k < n; k++) if (a[k] > 0) m[i][k] = 1; else m[i][k] = 2;"),
     "(((m)[i])[k] = (((a)[k] > (0)) ? cast<float>((1)) : (2)))"},
    {"a sum in the condition",
     CASE(
         "float s = 0; for (int k = 0; k < n; k++) s += a[k]; if (s > 0) b[i] = s; else b[i] = 0;"),
     "((b)[i] = ((s > (0)) ? s : (0)))"},
    {"in a switch", CASE("switch (n) { case 1: if (a[i] > 0) b[i] = 1; else b[i] = 2; }"),
     "((b)[i] = (((a)[i] > (0)) ? cast<float>((1)) : (2)))"},
    {"negations, casts and parentheses",
     CASE("if (a[i] > 0) t[i] = -(int)(t[i]) + (n * 2); else t[i] = ~n;"),
     "((t)[i] = (((a)[i] > (0)) ? (-cast<int>((t)[i]) + (n * 2)) : ~n))"},
    {"an index and a literal", CASE("if (a[i] > 0) t[i] = threadIdx.x + 1; else t[i] = 'x';"),
     "((t)[i] = (((a)[i] > (0)) ? cast<int>((((threadIdx.x) + (1)))) : (120)))"},
    {"a literal of a real", CASE("if (a[i] > 0) b[i] = 1.5f; else b[i] = -0.5f;"),
     "((b)[i] = (((a)[i] > (0)) ? 1.5f : -0.5f))"},
    {"conditions in conditions",
     CASE("if (a[i] > 0 || a[i] < -3) b[i] = a[i] > 1 ? a[i] : b[i]; else b[i] = a[i] + b[i];"),
     "((b)[i] = (((_v > (0)) || (_v < (-3))) ? ((_v > (1)) ? _v : (b)[i]) : (_v + (b)[i])))"},
};

static const struct transform_case declined[] = {
    {"no else", CASE("if (a[i] > 0) b[i] = 1;"), ""},
    {"indices alone", CASE("if (i == 0 || i == n - 1) b[i] = 0; else b[i] = a[i];"), ""},
    {"indices in a local", CASE("int r = i % 7; bool o = r > 3; if (o) b[i] = 0; else b[i] = 1;"),
     ""},
    {"an iterator", CASE("for (int k = 0; k < n; k++) if (k == 3) b[k] = 0; else b[k] = 1;"), ""},
    {"other arrays", CASE("if (a[i] > 0) b[i] = 1; else c[i] = 1;"), ""},
    {"more than stores", CASE("if (a[i] > 0) { b[i] = 1; return; } else b[i] = 2;"), ""},
    {"a local array", CASE("float l[4]; if (a[i] > 0) l[n] = 1; else l[n] = 2; b[i] = l[0];"), ""},
    {"a record", CASE("if (a[i] > 0) p[i] = p[n]; else p[i] = p[n + 1];"), ""},
    {"other elements", CASE("if (a[i] > 0) b[i] = 1; else b[i + 1] = 1;"),
     "b: the arms of its condition store to different elements"},
    {"an index of another type", CASE("if (a[i] > 0) b[i + 1] = 1; else b[i + 1u] = 1;"),
     "b: the arms of its condition store to different elements"},
    {"more stores in one arm", CASE("if (a[i] > 0) { b[i] = 1; t[i] = 1; } else b[i] = 2;"),
     "b: the arms of its condition store to different elements"},
    {"five stores",
     CASE("if (a[i] > 0) { b[i] = 1; c[i] = 1; t[i] = 1; h[i] = 1; f[i] = 1; } else { b[i] = 2; "
          "c[i] = 2; t[i] = 2; h[i] = 2; f[i] = 2; }"),
     "b: its arms store to more than four elements"},
    {"an update", CASE("if (a[i] > 0) b[i] += 1; else b[i] += 2;"),
     "b: an arm updates its element"},
    {"volatile", KERNEL("volatile float *v", "if (a[i] > 0) v[i] = 1; else v[i] = 2;") RUN("b"),
     "v: the element is volatile"},
    {"an effect in the condition", CASE("if (a[i++] > 0) b[i] = 1; else b[i] = 2;"),
     "b: its condition has an effect of its own"},
    {"an effect in an index", CASE("if (a[i] > 0) b[i++] = 1; else b[i++] = 2;"),
     "b: an index has an effect of its own"},
    {"an effect in a value", CASE("if (a[i] > 0) b[i] = n++; else b[i] = 2;"),
     "b: a value has an effect of its own"},
    {"two stores in one statement", CASE("if (a[i] > 0) b[i] = c[i] = 1; else b[i] = 2;"),
     "b: a value has an effect of its own"},
    {"a device variable", CASE("if (a[i] > 0) one = 1; else one = 2;"), ""},
    {"a place that steps", CASE("if (a[i] > 0) b[n++] = 1; else b[n++] = 2;"),
     "b: an index has an effect of its own"},
    {"a value that steps", CASE("if (a[i] > 0) b[i] = n++; else b[i] = 2;"),
     "b: a value has an effect of its own"},
    {"another value that steps", CASE("if (a[i] > 0) b[i] = 2; else b[i] = n--;"),
     "b: a value has an effect of its own"},
    {"an update on one side", CASE("if (a[i] > 0) b[i] = 2; else b[i] += 1;"),
     "b: an arm updates its element"},
    {"a call", CASE("if (a[i] > 0) b[i] = sqrtf(a[i]); else b[i] = a[i];"),
     "((b)[i] = ((_v > (0)) ? sqrtf(_v) : _v))"},
    {"a member behind a pointer",
     KERNEL("pair *v",
            "if (a[i] > 0) v->x = 1; else v->x = 2;") "void run(pair *v) { k<<<32, 128>>>(v); }",
     ""},
    {"an element behind a pointer",
     KERNEL("float *v",
            "if (a[i] > 0) *v = 1; else *v = 2;") "void run(float *v) { k<<<32, 128>>>(v); }",
     ""},
    {"a local whose address is taken",
     CASE("int l = 2; int *q = &l; if (a[i] > 0) t[i] = l; else t[i] = *q;"),
     "((t)[i] = (((a)[i] > (0)) ? l : *q))"},
    {"a reference", CASE("int l = 2; int &q = l; if (a[i] > 0) t[i] = q; else t[i] = l;"),
     "((t)[i] = (((a)[i] > (0)) ? q : l))"},
    {"a local that changes for its place",
     CASE("int l = i; l += 1; if (a[i] > 0) t[l] = 1; else t[l] = 2;"),
     "((t)[l] = (((a)[i] > (0)) ? 1 : 2))"},
    {"nothing on one side", CASE("if (a[i] > 0) b[i] = 1; else { }"), ""},
    {"two stores on one side", CASE("if (a[i] > 0) { b[i] = 1; c[i] = 2; } else b[i] = 2;"),
     "b: the arms of its condition store to different elements"},
    {"a volatile array",
     KERNEL("volatile float *v",
            "if (a[i] > 0) v[i] = 1; else v[i] = 2;") "void run(float *v) { k<<<32, 128>>>(v); }",
     "v: the element is volatile"},
};

static const struct transform_table tables[] = {TABLE(found, look), TABLE(declined, look)};

int main(void) { return transform_run(FRONT, tables, COUNT(tables)); }

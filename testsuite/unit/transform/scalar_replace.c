/* SPDX-License-Identifier: MIT */
/* scalar_replace.c - locals that are records: which give way to their members, and which stay. */
#include "analysis/transform/scalar_replace/scalar_replace.h"

#include "testsuite/unit/transform/transform_support.h"

#define FRONT \
  "struct pair { float a, b; }; struct open { char c; int n; float x; }; union both { float f; " \
  "int i; };\n" \
  "__global__ float3 v[4096], o[4096]; __global__ pair p[4096], q[4096]; __global__ open w[4096];" \
  " __global__ float b[4096]; __global__ int t[4096];\n" \
  "__device__ float length(float3 x) { return x.x + x.y; } " \
  "__device__ void set(float3 &x) { x.x = 1; } __device__ void grow(float &x) { x += 1; }\n"
#define CASE(body) \
  "__global__ void k(int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; " body " }\n" \
  "void run(int n) { k<<<32, 128>>>(n); }"

static void look(struct subject *s, struct text *shown)
{
  transform_show_form(s, plan_scalar_replace, (const char *[]){"r_", "(o)", "(q)", NULL}, shown);
}

static const struct transform_case apart[] = {
    {"a list", CASE("float3 r = {1, 2, 3}; r.x += n; o[i] = r;"),
     "var r_x: float = 1; var r_y: float = 2; var r_z: float = 3; (r_x += (n)); ((o)[i] = "
     "make_float3(r_x, r_y, r_z))"},
    {"an accessor",
     "struct owns { float a; __device__ float get() { return a; } };\n" CASE(
         "owns r; r.a = n; b[i] = r.get();"),
     "var r_a: float; (r_a = (n)); ((b)[i] = r_a)"},
    {"too short a list", CASE("float3 r = {1}; r.x += n; b[i] = r.z;"),
     "var r_x: float = 1; var r_y: float = 0; var r_z: float = 0; (r_x += (n)); ((b)[i] = r_z)"},
    {"nothing", CASE("float3 r; r.x = r.y = r.z = n; o[i] = r;"),
     "var r_x: float; var r_y: float; var r_z: float; (r_x = (r_y = (r_z = (n)))); ((o)[i] = "
     "make_float3(r_x, r_y, r_z))"},
    {"of zeros", CASE("float3 r = float3(); r.x = n; o[i] = r;"),
     "var r_x: float = 0; var r_y: float = 0; var r_z: float = 0; (r_x = (n)); ((o)[i] = "
     "make_float3(r_x, r_y, r_z))"},
    {"an element, then a member", CASE("float3 r = v[i]; r.x += n; o[i] = r;"),
     "var r_x: float = (v)[i].x; var r_y: float = (v)[i].y; var r_z: float = (v)[i].z; (r_x += "
     "(n)); ((o)[i] = make_float3(r_x, r_y, r_z))"},
    {"a turn", CASE("float3 r = v[i]; r = make_float3(r.y, r.x, 0); b[i] = r.x;"),
     "var r_x: float = (v)[i].x; var r_y: float = (v)[i].y; var r_z: float = (v)[i].z; var r_x_2: "
     "float = r_y; var r_y_2: float = r_x; var r_z_2: float = cast<float>((0)); (r_x = r_x_2); "
     "(r_y = r_y_2); (r_z = r_z_2); ((b)[i] = r_x)"},
    {"a choice", CASE("float3 r = v[i]; r = n > 3 ? v[0] : r; b[i] = r.x;"),
     "var r_x: float = (v)[i].x; var r_y: float = (v)[i].y; var r_z: float = (v)[i].z; var r_x_2: "
     "float = ((n > 3) ? (v)[0].x : r_x); var r_y_2: float = ((n > 3) ? (v)[0].y : r_y); var "
     "r_z_2: float = ((n > 3) ? (v)[0].z : r_z); (r_x = r_x_2); (r_y = r_y_2); (r_z = r_z_2); "
     "((b)[i] = r_x)"},
    {"a copy", CASE("float3 r = {1, 2, 3}, s; r.x = n; s = r; s.y = 1; o[i] = s;"),
     "var r_x: float = 1; var r_y: float = 2; var r_z: float = 3; (r_x = (n)); (s_x = r_x); (s_y = "
     "r_y); (s_z = r_z); ((o)[i] = make_float3(s_x, s_y, s_z))"},
    {"a type of the program", CASE("pair r = p[i]; r.a = n + r.b; q[i] = r;"),
     "var r_a: float = (p)[i].a; var r_b: float = (p)[i].b; (r_a = ((n) + r_b)); ((q)[i].a = r_a); "
     "((q)[i].b = r_b)"},
    {"a list of it", CASE("pair r = {1, 2}; r.a += n; b[i] = r.b;"),
     "var r_a: float = 1; var r_b: float = 2; (r_a += (n)); ((b)[i] = r_b)"},
    {"some of its members", CASE("open r = w[i]; r.x += n; b[i] = r.x;"),
     "var r_x: float = (w)[i].x; (r_x += (n)); ((b)[i] = r_x)"},
    {"by a value", CASE("float3 r = v[i]; r.x = n; b[i] = length(r);"),
     "var r_x: float = (v)[i].x; var r_y: float = (v)[i].y; var r_z: float = (v)[i].z; (r_x = "
     "(n)); ((b)[i] = callee length((make_float3(r_x, r_y, r_z))))"},
    {"one of two that are declared",
     CASE("float3 r = v[i], u = v[0]; r.x += n; o[i] = r; b[i] = u.x;"),
     "var r_x: float = (v)[i].x; var r_y: float = (v)[i].y; var r_z: float = (v)[i].z; (r_x += "
     "(n)); ((o)[i] = make_float3(r_x, r_y, r_z))"},
    {"in a loop",
     CASE("float3 r = {0, 0, 0}; for (int k = 0; k < n; k++) { float3 e = v[k]; e.x *= 2; r.x += "
          "e.x; r.y += e.y; } o[i] = r;"),
     "var r_x: float = 0; var r_y: float = 0; var r_z: float = 0; (r_x += e_x); (r_y += e_y); "
     "((o)[i] = make_float3(r_x, r_y, r_z))"},
    {"under an if", CASE("float3 r = v[i]; if (n > 3) r.x = 1; else r = v[0]; o[i] = r;"),
     "var r_x: float = (v)[i].x; var r_y: float = (v)[i].y; var r_z: float = (v)[i].z; (r_x = "
     "(1)); (r_x = (v)[0].x); (r_y = (v)[0].y); (r_z = (v)[0].z); ((o)[i] = make_float3(r_x, r_y, "
     "r_z))"},
    {"steps of a member", CASE("float3 r = v[i]; r.x++; --r.y; o[i] = r;"),
     "var r_x: float = (v)[i].x; var r_y: float = (v)[i].y; var r_z: float = (v)[i].z; r_x++; "
     "--r_y; ((o)[i] = make_float3(r_x, r_y, r_z))"},
    {"through a pointer", CASE("float3 *to = &v[i]; float3 r = *to; r.x = 1; *to = r; b[i] = r.y;"),
     "var r_x: float = *to.x; var r_y: float = *to.y; var r_z: float = *to.z; (r_x = (1)); (*to = "
     "make_float3(r_x, r_y, r_z)); ((b)[i] = r_y)"},
    {"stored in a switch",
     CASE("float3 r = v[i]; switch (n) { case 1: r.x = 1; break; default: o[i] = r; }"),
     "var r_x: float = (v)[i].x; var r_y: float = (v)[i].y; var r_z: float = (v)[i].z; (r_x = "
     "(1)); ((o)[i] = make_float3(r_x, r_y, r_z))"},
    {"three of four", CASE("float4 r = make_float4(1, 2, 3, n); r.w += 1; b[i] = r.w + r.x;"),
     "var r_x: float = cast<float>((1)); var r_y: float = cast<float>((2)); var r_z: float = "
     "cast<float>((3)); var r_w: float = cast<float>((n)); (r_w += (1)); ((b)[i] = (r_w + r_x))"},
    {"a choice of a choice",
     CASE("float3 r = {1, 2, 3}; r = n > 3 ? n > 5 ? v[1] : v[2] : v[0]; b[i] = r.y;"),
     "var r_x: float = 1; var r_y: float = 2; var r_z: float = 3; (r_x = ((n > 3) ? ((n > 5) ? "
     "(v)[1].x : (v)[2].x) : (v)[0].x)); (r_y = ((n > 3) ? ((n > 5) ? (v)[1].y : (v)[2].y) : "
     "(v)[0].y)); (r_z = ((n > 3) ? ((n > 5) ? (v)[1].z : (v)[2].z) : (v)[0].z)); ((b)[i] = r_y)"},
    {"in a condition", CASE("float3 r = v[i]; r.x += 1; if (r.x > r.y) b[i] = r.z;"),
     "var r_x: float = (v)[i].x; var r_y: float = (v)[i].y; var r_z: float = (v)[i].z; (r_x += "
     "(1)); if (r_x > r_y); ((b)[i] = r_z)"},
    {"its size", CASE("float3 r = v[i]; r.x = 1; b[i] = r.x + sizeof(r);"),
     "var r_x: float = (v)[i].x; var r_y: float = (v)[i].y; var r_z: float = (v)[i].z; (r_x = "
     "(1)); ((b)[i] = (r_x + (12)))"},
};

static const struct transform_case that_stay[] = {
    {"only read", CASE("float3 r = v[i]; b[i] = r.x + r.y;"), "stays"},
    {"a reference to it", CASE("float3 r = v[i]; r.x = 1; float3 &s = r; b[i] = s.x;"), "stays"},
    {"by reference", CASE("float3 r = v[i]; r.y = 2; set(r); b[i] = r.x;"), "stays"},
    {"its address", CASE("float3 r = v[i]; r.y = 2; float *s = &r.x; b[i] = s[1];"), "stays"},
    {"a reference to a member",
     CASE("float3 r = v[i]; r.y = 2; float &s = r.y; s = 3; b[i] = r.y;"), "stays"},
    {"a member by reference", CASE("float3 r = v[i]; r.y = 2; grow(r.y); b[i] = r.y;"), "stays"},
    {"a union", CASE("both r; r.f = n; b[i] = r.i;"), "stays"},
    {"with a gap, stored as a whole", CASE("open r = w[i]; r.x += n; w[i + 1] = r;"), "stays"},
    {"stored where it says", CASE("pair r = p[i]; r.a += n; q[t[i]] = r;"), "stays"},
    {"assigned in an expression", CASE("float3 r, s = v[i]; b[i] = (r = s).x;"), "stays"},
    {"in the head of a loop", CASE("for (float3 r = {0, 0, 0}; r.x < n; r.x++) b[i] = r.x;"),
     "stays"},
    {"made of an effect", CASE("pair r = {(float)t[i]++, 2}; r.a += n; b[i] = r.b;"), "stays"},
    {"an array of them", CASE("float3 r[2]; r[0].x = n; b[i] = r[0].x;"), "stays"},
    {"a volatile member",
     "struct loud { volatile float a; float b; };\n" CASE("loud r; r.a = n; b[i] = r.a + 1;"),
     "stays"},
    {"a bit field", "struct bits { int a : 3, b; };\n" CASE("bits r; r.a = n; t[i] = r.a;"),
     "stays"},
    {"an array in it", "struct row { float a[2]; };\n" CASE("row r; r.a[0] = n; b[i] = r.a[0];"),
     "stays"},
    {"a record in it", "struct nest { pair p; };\n" CASE("nest r; r.p.a = n; b[i] = r.p.a;"),
     "stays"},
    {"with a constructor",
     "struct made { float a; __device__ made() : a(3) {} };\n" CASE(
         "made r; r.a += n; b[i] = r.a;"),
     "stays"},
    {"a method of it",
     "struct owns { float a; __device__ float get() { float c = a; c *= c; return c; } };\n" CASE(
         "owns r; r.a = n; b[i] = r.get();"),
     "stays"},
    {"shared", CASE("__shared__ float3 r; r.x = n; b[i] = r.x;"), "stays"},
    {"a choice with an effect", CASE("float3 r = v[i]; r = t[i]++ ? v[1] : v[2]; b[i] = r.x;"),
     "stays"},
    {"made by a function",
     "__device__ float3 gives(int i) { return v[i]; }\n" CASE(
         "float3 r = gives(i); r.x += n; o[i] = r;"),
     "stays"},
    {"a whole of another type",
     CASE("pair r = p[i]; r.a = n; float2 q2 = *(float2 *)&r; b[i] = q2.x;"), "stays"},
};

int main(void)
{
  static const struct transform_table tables[] = {TABLE(apart, look), TABLE(that_stay, look)};
  return transform_run(FRONT, tables, COUNT(tables));
}

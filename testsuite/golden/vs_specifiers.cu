#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_d3942259; }
// args: -O0 --no-line
// Specifiers in every order, attributes, alignment, arrays without a size, initialisers of other forms.
alignas(16) static int a[4] MESI_VS(_vs_a_d3942259); static MESI_CONSTANT decltype(a) *_d_a;
[[maybe_unused]] static int b MESI_VS(_vs_b_d3942259); static MESI_CONSTANT decltype(b) *_d_b;
static	int c MESI_VS(_vs_c_d3942259); static MESI_CONSTANT decltype(c) *_d_c;
int static d MESI_VS(_vs_d_d3942259); static MESI_CONSTANT decltype(d) *_d_d;
static const int e[] = {1, 2, 3}; static MESI_CONSTANT decltype(e) *_d_e;
const int f = 3; static MESI_CONSTANT decltype(f) *_d_f;
extern const int g; static MESI_CONSTANT decltype(g) *_d_g;
static int h MESI_VS(_vs_h_d3942259), i MESI_VS(_vs_i_d3942259), j MESI_VS(_vs_j_d3942259); static MESI_CONSTANT decltype(h) *_d_h; extern "C" { MESI_HIDDEN mesi_page<decltype(h)> _vs_h_d3942259 = { decltype(h){5} }; } static MESI_CONSTANT decltype(i) *_d_i; extern "C" { MESI_HIDDEN mesi_page<decltype(i)> _vs_i_d3942259 = { decltype(i)(6) }; } static MESI_CONSTANT decltype(j) *_d_j; extern "C" { MESI_HIDDEN mesi_page<decltype(j)> _vs_j_d3942259 = { 7 }; }
static int l[2] MESI_VS(_vs_l_d3942259), m[2][2] MESI_VS(_vs_m_d3942259); static MESI_CONSTANT decltype(l) *_d_l; extern "C" { MESI_HIDDEN mesi_page<decltype(l)> _vs_l_d3942259 = { {1, 2} }; } static MESI_CONSTANT decltype(m) *_d_m; extern "C" { MESI_HIDDEN mesi_page<decltype(m)> _vs_m_d3942259 = { {{1, 2}, {3, 4}} }; }
static char text[5] MESI_VS(_vs_text_d3942259); static MESI_CONSTANT decltype(text) *_d_text; extern "C" { MESI_HIDDEN mesi_page<decltype(text)> _vs_text_d3942259 = { "text" }; }
alignas(8) [[maybe_unused]] static double n MESI_VS(_vs_n_d3942259); static MESI_CONSTANT decltype(n) *_d_n; extern "C" { MESI_HIDDEN mesi_page<decltype(n)> _vs_n_d3942259 = { 1.5 }; }
extern int o[], p; static MESI_CONSTANT decltype(o) *_d_o; static MESI_CONSTANT decltype(p) *_d_p;
static int (*q)[4] MESI_VS(_vs_q_d3942259), *r MESI_VS(_vs_r_d3942259), *s[3] MESI_VS(_vs_s_d3942259); static MESI_CONSTANT decltype(q) *_d_q; static MESI_CONSTANT decltype(r) *_d_r; static MESI_CONSTANT decltype(s) *_d_s;
static int (t) MESI_VS(_vs_t_d3942259), (u)[2] MESI_VS(_vs_u_d3942259); static MESI_CONSTANT decltype(t) *_d_t; extern "C" { MESI_HIDDEN mesi_page<decltype(t)> _vs_t_d3942259 = { 2 }; } static MESI_CONSTANT decltype(u) *_d_u;
__global__ void k() { auto &a = *_d_a; auto &b = *_d_b; auto &c = *_d_c; auto &d = *_d_d; auto &e = *_d_e; auto &f = *_d_f; auto &h = *_d_h; auto &i = *_d_i; auto &j = *_d_j; auto &l = *_d_l; auto &m = *_d_m; auto &text = *_d_text; auto &n = *_d_n; auto &o = *_d_o; auto &p = *_d_p; auto &r = *_d_r; auto &s = *_d_s; auto &q = *_d_q; auto &t = *_d_t; auto &u = *_d_u; a[0] = b + c + d + e[0] + f + h + i + j + l[0] + m[1][1] + text[0] + n + o[0] + p + *r + *s[0] + (*q)[1] + t + u[0]; }
__global__ void hidden(int *b) { int a = 3; { int c = a; b[c] = (*_d_a)[0] + (*_d_c); } auto g = [=](int d) { return d + a; }; b[0] = g(2) + sizeof((*_d_h)); return; }
int main() { (mesi_launch_begin(&_mesi_d3942259, 0), mesi_launch_range(0, 0, 0, 0, 4, MESI_WRITE), mesi_launch_range(4, 0, 4, 0, 0, MESI_READ), mesi_launch_range(9, 0, 4, 0, 0, MESI_READ), mesi_launch_range(10, 12, 16, 0, 0, MESI_READ), mesi_launch_range(11, 0, 1, 0, 0, MESI_READ), mesi_launch_range(13, 0, 4, 0, 0, MESI_READ), mesi_launch_range(19, 0, 4, 0, 0, MESI_READ), mesi_stream(0), k<<<1, 1>>>(), mesi_launch_end()); (mesi_launch_begin(&_mesi_d3942259, 1), mesi_launch_range(0, 0, 4, 0, 0, MESI_READ), mesi_stream(0), hidden<<<1, 1>>>(mesi_arg(a, MESI_READ_WRITE)), mesi_launch_end()); mesi_use_bytes(::a, 0, 4, MESI_READ); return a[0] + g; }

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(::a)> _vs_a_d3942259; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b_d3942259; }
extern "C" { MESI_HIDDEN mesi_page<decltype(::c)> _vs_c_d3942259; }
extern "C" { MESI_HIDDEN mesi_page<decltype(d)> _vs_d_d3942259; }
extern "C" { MESI_HIDDEN mesi_page<decltype(q)> _vs_q_d3942259; }
extern "C" { MESI_HIDDEN mesi_page<decltype(r)> _vs_r_d3942259; }
extern "C" { MESI_HIDDEN mesi_page<decltype(s)> _vs_s_d3942259; }
extern "C" { MESI_HIDDEN mesi_page<decltype(u)> _vs_u_d3942259; }
static const size_t _mesi_d3942259_map_16_offsets[] = {0};
static const struct mesi_pointer_map _mesi_d3942259_map_16 = {8, 1, _mesi_d3942259_map_16_offsets};
static const size_t _mesi_d3942259_map_17_offsets[] = {0};
static const struct mesi_pointer_map _mesi_d3942259_map_17 = {8, 1, _mesi_d3942259_map_17_offsets};
static const size_t _mesi_d3942259_map_18_offsets[] = {0};
static const struct mesi_pointer_map _mesi_d3942259_map_18 = {8, 1, _mesi_d3942259_map_18_offsets};
static const struct mesi_var _mesi_d3942259_vars[] = {
  {"a", (void *)&::a, sizeof(::a), &_d_a, 0, 0, "vs_specifiers.mcu:3"},
  {"b", (void *)&b, sizeof(b), &_d_b, 0, 0, "vs_specifiers.mcu:4"},
  {"c", (void *)&::c, sizeof(::c), &_d_c, 0, 0, "vs_specifiers.mcu:5"},
  {"d", (void *)&d, sizeof(d), &_d_d, 0, 0, "vs_specifiers.mcu:6"},
  {"e", (void *)&e, sizeof(e), &_d_e, MESI_VAR_CONST, 0, "vs_specifiers.mcu:7"},
  {"f", (void *)&f, sizeof(f), &_d_f, MESI_VAR_CONST, 0, "vs_specifiers.mcu:8"},
  {"g", (void *)&g, sizeof(g), &_d_g, MESI_VAR_EXTERN | MESI_VAR_CONST, 0, "vs_specifiers.mcu:9"},
  {"h", (void *)&::h, sizeof(::h), &_d_h, 0, 0, "vs_specifiers.mcu:10"},
  {"i", (void *)&i, sizeof(i), &_d_i, 0, 0, "vs_specifiers.mcu:10"},
  {"j", (void *)&j, sizeof(j), &_d_j, 0, 0, "vs_specifiers.mcu:10"},
  {"l", (void *)&l, sizeof(l), &_d_l, 0, 0, "vs_specifiers.mcu:11"},
  {"m", (void *)&m, sizeof(m), &_d_m, 0, 0, "vs_specifiers.mcu:11"},
  {"text", (void *)&text, sizeof(text), &_d_text, 0, 0, "vs_specifiers.mcu:12"},
  {"n", (void *)&n, sizeof(n), &_d_n, MESI_VAR_DOUBLE, 0, "vs_specifiers.mcu:13"},
  {"o", (void *)&o, 0, &_d_o, MESI_VAR_GUARDED | MESI_VAR_EXTERN, 0, "vs_specifiers.mcu:14"},
  {"p", (void *)&p, sizeof(p), &_d_p, MESI_VAR_GUARDED | MESI_VAR_EXTERN, 0, "vs_specifiers.mcu:14"},
  {"q", (void *)&q, sizeof(q), &_d_q, 0, &_mesi_d3942259_map_16, "vs_specifiers.mcu:15"},
  {"r", (void *)&r, sizeof(r), &_d_r, 0, &_mesi_d3942259_map_17, "vs_specifiers.mcu:15"},
  {"s", (void *)&s, sizeof(s), &_d_s, 0, &_mesi_d3942259_map_18, "vs_specifiers.mcu:15"},
  {"t", (void *)&t, sizeof(t), &_d_t, 0, 0, "vs_specifiers.mcu:16"},
  {"u", (void *)&u, sizeof(u), &_d_u, 0, 0, "vs_specifiers.mcu:16"},
};
static const struct mesi_site_use _mesi_d3942259_uses_0[] = {{0, MESI_READ_WRITE}, {1, MESI_READ}, {2, MESI_READ}, {3, MESI_READ}, {4, MESI_READ}, {5, MESI_READ}, {7, MESI_READ}, {8, MESI_READ}, {9, MESI_READ}, {10, MESI_READ}, {11, MESI_READ}, {12, MESI_READ}, {13, MESI_READ}, {14, MESI_READ}, {15, MESI_READ}, {17, MESI_READ}, {18, MESI_READ}, {16, MESI_READ}, {19, MESI_READ}, {20, MESI_READ}};
static const struct mesi_site_use _mesi_d3942259_uses_1[] = {{0, MESI_READ}, {2, MESI_READ}};
static const struct mesi_site _mesi_d3942259_sites[] = {
  {"k", "vs_specifiers.mcu:19", _mesi_d3942259_uses_0, 20, 0},
  {"hidden", "vs_specifiers.mcu:19", _mesi_d3942259_uses_1, 2, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_d3942259 = {MESI_ABI, "vs_specifiers.mcu", _mesi_d3942259_vars, 21, _mesi_d3942259_sites, 2}; }
MESI_REGISTER(_mesi_d3942259)

// runtime_emitted.cpp - a program as mesicc emits it, written by hand: for the host compiler with
// the CPU device, for nvcc (-x cu) with libmesi, and with -DMESI_CPU_BACKEND for the CPU backend.
// Prints what is wrong; exit status 0 when nothing is.
#ifdef __CUDACC__
#include <mesi_cuda.h>
#define STREAM mesi_stream(0)
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define THREAD ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#define KERNEL __global__
#elif defined(MESI_CPU_BACKEND)
#include <mesi_cpu.h>
#define STREAM mesi_stream(0)
#ifndef MESI_CONSTANT
#define MESI_CONSTANT __constant__
#endif
#define LAUNCH(kernel, grid, block, ...) \
  mesi_cpu::launch(kernel, mesi_cpu::config(grid, block), ##__VA_ARGS__)
#define THREAD ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#define KERNEL __global__
#else
#include "mesi_emitted.h"
#define MESI_CONSTANT
#define STREAM mesi_launch_stream(nullptr)
static int thread;
#define THREAD thread
#define KERNEL static
template <class... P, class... A>
static void launch(void (*kernel)(P...), int grid, int block, A... arguments)
{
  for (thread = 0; thread < grid * block; thread++) kernel(arguments...);
}
#define LAUNCH(kernel, grid, block, ...) launch(kernel, grid, block, ##__VA_ARGS__)
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options()
{
  return "handle_segv=0:allow_user_segv_handler=1:detect_leaks=0";
}
#endif
extern "C" {
extern struct mesi_file _mesi_emitted;
}
#define AT(site, launched) \
  (mesi_launch_begin(&_mesi_emitted, site), STREAM, launched, mesi_launch_end())

#include <cstdio>
#include <cstring>

enum { N = 64, LENGTH = 3000 };

struct node {
  float value;
  node *next;
};

struct view { // passed by value
  int count;
  float *data;
};

extern float a[N][N] MESI_VS(_vs_a);
static MESI_CONSTANT decltype(a) *_d_a;
static int n MESI_VS(_vs_n_1f00);
static MESI_CONSTANT decltype(n) *_d_n;
namespace ns
{
extern double result[3] MESI_VS(_vs_ns_result);
static MESI_CONSTANT decltype(result) *_d_result;
} // namespace ns
namespace
{
extern int hidden[10] MESI_VS(_vs_hidden_1f01);
MESI_CONSTANT decltype(hidden) *_d_hidden;
} // namespace
extern node *head MESI_VS(_vs_head);
static MESI_CONSTANT decltype(head) *_d_head;
extern float *p MESI_VS(_vs_p);
static MESI_CONSTANT decltype(p) *_d_p;

KERNEL void add(float (*x)[N], int extra, view v, const void *nothing, int (*unused)[])
{
  auto &n = *_d_n;
  int i = THREAD;
  if (nothing || !unused) return;
  if (i < N * N) x[i / N][i % N] += (float)(n + extra);
  if (i < v.count) v.data[i] = (float)i;
}

KERNEL void walk()
{
  auto &a = *_d_a;
  auto &result = *ns::_d_result;
  auto &hidden = *_d_hidden;
  auto &head = *_d_head;
  double sum = 0;
  for (node *e = head; e; e = e->next) {
    sum += e->value;
    e->value *= 2;
  }
  for (int i = 0; i < 10; i++) hidden[i] = 3 * i;
  result[0] = sum;
  result[1] = a[1][2];
  result[2] = sizeof a;
}

KERNEL void reverse()
{
  auto &head = *_d_head;
  node *done = nullptr;
  for (node *e = head; e;) {
    node *next = e->next;
    e->next = done;
    done = e;
    e = next;
  }
  head = done;
}

KERNEL void scale(float factor)
{
  auto &p = *_d_p;
  p[THREAD] *= factor;
}

static int wrong;

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      wrong++; \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
    } \
  } while (0)

extern const struct mesi_pointer_map _mesi_map_node;

static void build_list()
{
  for (int i = 0; i < LENGTH; i++) {
    node *e = (node *)mesi_malloc_typed(sizeof(node), &_mesi_map_node);
    e->value = 1;
    e->next = head;
    head = e;
  }
}

static void check_arrays()
{
  float *v = (float *)mesi_malloc(100000 * sizeof *v);
  view w = {100000, v};
  for (int round = 0; round < 3; round++) {
    AT(0, LAUNCH(add, 400, 256, mesi_arg(a, MESI_READ_WRITE), 2,
                 mesi_arg_record(w, MESI_READ_WRITE, {offsetof(view, data)}),
                 mesi_arg(nullptr, MESI_READ), mesi_arg((int(*)[])v, MESI_READ)));
    AT(1, LAUNCH(walk, 1, 1));
    n++;
  }
  CHECK(n == 8);
  CHECK(a[1][2] == 5 + 6 + 7 + 3 * 2);
  CHECK(mesi_touch(v, MESI_READ)[99999] == 99999);
  CHECK(hidden[9] == 27);
  CHECK(ns::result[0] == LENGTH * 4.0);
  CHECK(ns::result[1] == a[1][2]);
  CHECK(ns::result[2] == sizeof a);
  mesi_free(v);
}

static void check_list()
{
  int count = 0;
  head->value = 100;
  AT(2, LAUNCH(reverse, 1, 1));
  node *last = nullptr;
  for (node *e = head; e; e = e->next, count++) last = e;
  CHECK(count == LENGTH);
  CHECK(last->value == 100);
  CHECK(head->value == 8);
  while (head) {
    node *next = head->next;
    mesi_free(head);
    head = next;
  }
}

static void check_pointer()
{
  p = (float *)mesi_calloc(1024, sizeof *p);
  for (int i = 0; i < 1024; i++) p[i] = (float)i;
  for (int round = 0; round < 10; round++) AT(3, LAUNCH(scale, 4, 256, 2.0f));
  CHECK(p[1023] == 1023 * 1024.0f);
  p = (float *)mesi_realloc(p, 100000 * sizeof *p);
  CHECK(p[3] == 3 * 1024.0f);
  AT(3, LAUNCH(scale, 4, 256, 0.5f));
  float copy[4];
  std::memcpy(copy, mesi_touch(p, MESI_READ), sizeof copy);
  CHECK(copy[3] == 3 * 512.0f);
  mesi_use(&n, MESI_READ_WRITE);
  n = 1;
  mesi_free(p);
  p = nullptr;
}

int main()
{
  build_list();
  check_arrays();
  check_list();
  check_pointer();
  std::printf("%s\n", wrong ? "wrong" : "fine");
  return wrong != 0;
}

extern "C" {
MESI_HIDDEN mesi_page<decltype(a)> _vs_a;
MESI_HIDDEN mesi_page<decltype(n)> _vs_n_1f00 = {5};
MESI_HIDDEN mesi_page<decltype(ns::result)> _vs_ns_result = {{1, 2, 3}};
MESI_HIDDEN mesi_page<decltype(hidden)> _vs_hidden_1f01;
MESI_HIDDEN mesi_page<decltype(head)> _vs_head;
MESI_HIDDEN mesi_page<decltype(p)> _vs_p;
}
static const size_t _mesi_offsets_node[] = {offsetof(node, next)};
const struct mesi_pointer_map _mesi_map_node = {sizeof(node), 1, _mesi_offsets_node};
static const size_t _mesi_offsets_0[] = {0};
static const struct mesi_pointer_map _mesi_map_0 = {8, 1, _mesi_offsets_0};
static const struct mesi_var _mesi_vars[] = {
    {"a", (void *)&a, sizeof a, &_d_a, MESI_VAR_GUARDED, nullptr, "e.mcu:1"},
    {"n", (void *)&n, sizeof n, &_d_n, MESI_VAR_GUARDED, nullptr, "e.mcu:2"},
    {"ns::result", (void *)&ns::result, sizeof ns::result, &ns::_d_result, MESI_VAR_GUARDED,
     nullptr, "e.mcu:3"},
    {"hidden", (void *)&hidden, sizeof hidden, &_d_hidden, MESI_VAR_GUARDED, nullptr, "e.mcu:4"},
    {"head", (void *)&head, sizeof head, &_d_head, MESI_VAR_GUARDED, &_mesi_map_0, "e.mcu:5"},
    {"p", (void *)&p, sizeof p, &_d_p, MESI_VAR_GUARDED, &_mesi_map_0, "e.mcu:6"},
};
static const struct mesi_site_use _mesi_uses[] = {
    {1, MESI_READ},
    {0, MESI_READ},
    {2, MESI_WRITE},
    {3, MESI_WRITE},
    {4, MESI_READ | MESI_REACH_WRITE},
    {4, MESI_READ_WRITE},
    {5, MESI_READ | MESI_REACH_WRITE},
};
static const struct mesi_site _mesi_sites[] = {
    {"add", "e.mcu:40", _mesi_uses, 1, 0},
    {"walk", "e.mcu:41", _mesi_uses + 1, 4, 0},
    {"reverse", "e.mcu:42", _mesi_uses + 5, 1, 0},
    {"scale", "e.mcu:43", _mesi_uses + 6, 1, 0},
};
extern "C" {
struct mesi_file _mesi_emitted = {MESI_ABI, "e.mcu", _mesi_vars, 6, _mesi_sites, 4};
}
MESI_REGISTER(_mesi_emitted)

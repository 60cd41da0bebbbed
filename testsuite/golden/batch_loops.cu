#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_1b0cbcd8; }
// args: -O0 --no-line
// Loops of launches: which are batches, and which are not because something in them could tell.
#include <cstdio>

static float a[64] MESI_VS(_vs_a_1b0cbcd8), b[64] MESI_VS(_vs_b_1b0cbcd8); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b;
static int rounds MESI_VS(_vs_rounds_1b0cbcd8); static MESI_CONSTANT decltype(rounds) *_d_rounds;
__global__ void k(float *u, float *v) { v[threadIdx.x] = u[threadIdx.x]; }
template<class T> __global__ void t(T *u) { u[0] = 1; }
__global__ void over(float *u) { u[0] = 1; }
__global__ void over(int n) { auto &a = *_d_a; a[0] = n; }
void elsewhere();

static void step(float *u, float *v) { (mesi_launch_begin(&_mesi_1b0cbcd8, 0), mesi_stream(0), mesi_batched(k, 1, 64)(mesi_arg(u, MESI_READ), mesi_arg_range(v, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end()); }

void batches(int n) {
  { mesi_batch _mesi_batch; for (int i = 0; i < n; i++) (mesi_launch_begin(&_mesi_1b0cbcd8, 1), mesi_stream(0), mesi_batched(k, 1, 64)(mesi_arg(a, MESI_READ), mesi_arg_range(b, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end()); }
  float *u = a, *v = b;
  { mesi_batch _mesi_batch; while (n-- > 0) {
    dim3 grid(1, 1);
    (mesi_launch_begin(&_mesi_1b0cbcd8, 2), mesi_stream(0), mesi_batched(k, grid, 64, 128)(mesi_arg_range(u, 0, 256, 0, 0, MESI_READ), mesi_arg_range(v, 0, 0, 0, 256, MESI_WRITE | (mesi_no_alias(v, 0, 256, u, 0, 256) ? MESI_OVERWRITE : 0u))), mesi_launch_end());
    float *swap = u;
    u = v;
    v = swap;
  } }
  { mesi_batch _mesi_batch; do step(a, b);
  while (n++ < 5); }
  if (n)
    { mesi_batch _mesi_batch; for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) {
        if (j == 7) return;
        (mesi_launch_begin(&_mesi_1b0cbcd8, 3), mesi_stream(0), mesi_batched(k, i, j)(mesi_arg_range(a, 0, (long long)(dim3(j).x * 4), 0, 0, MESI_READ), mesi_arg_range(b, 0, 0, 0, (long long)(dim3(j).x * 4), MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
      } }
  for (int round = 0; round < 3; round++) {
    { mesi_batch _mesi_batch; for (int i = 0; i < n; i++) (mesi_launch_begin(&_mesi_1b0cbcd8, 4), mesi_stream(0), mesi_batched(k, 1, 64)(mesi_arg(a, MESI_READ), mesi_arg_range(b, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end()); }
    printf("%d\n", round);
  }
}

void others(int n, cudaStream_t stream) {
  for (int i = 0; i < n; i++) (mesi_launch_begin(&_mesi_1b0cbcd8, 5), k<<<1, 64, 0, mesi_stream(stream)>>>(mesi_arg(a, MESI_READ), mesi_arg_range(b, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
  for (int i = 0; i < n; i++) {
    (mesi_launch_begin(&_mesi_1b0cbcd8, 6), mesi_stream(0), k<<<1, 64>>>(mesi_arg(a, MESI_READ), mesi_arg_range(b, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
    elsewhere();
  }
  for (int i = 0; i < n; i++) {
    (mesi_launch_begin(&_mesi_1b0cbcd8, 7), mesi_stream(0), k<<<1, 64>>>(mesi_arg(a, MESI_READ), mesi_arg_range(b, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
    cudaDeviceSynchronize();
  }
  for (int i = 0; i < rounds; i++) (mesi_launch_begin(&_mesi_1b0cbcd8, 8), mesi_stream(0), k<<<1, 64>>>(mesi_arg(a, MESI_READ), mesi_arg_range(b, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
  for (int i = 0; i < n; i++) {
    (mesi_launch_begin(&_mesi_1b0cbcd8, 9), mesi_stream(0), k<<<1, 64>>>(mesi_arg(a, MESI_READ), mesi_arg_range(b, 0, 0, 0, 256, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
    mesi_use_bytes(b, 12, 16, MESI_READ); if (b[3] > 1) break;
  }
  { mesi_batch _mesi_batch; for (int i = 0; i < n; i++) (mesi_launch_begin(&_mesi_1b0cbcd8, 10), mesi_stream(0), mesi_batched(static_cast<void (*)(float *)>(t), 1, 1)(mesi_arg_range(&a[0], 0, 0, 0, 4, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end()); }
  for (int i = 0; i < n; i++) (mesi_launch_begin(&_mesi_1b0cbcd8, 11), mesi_stream(0), over<<<1, 1>>>(mesi_arg_range(a, 0, 0, 0, 4, MESI_WRITE | MESI_OVERWRITE)), mesi_launch_end());
  for (int i = 0; i < n; i++) n += i;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_1b0cbcd8; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b_1b0cbcd8; }
extern "C" { MESI_HIDDEN mesi_page<decltype(rounds)> _vs_rounds_1b0cbcd8; }
static const struct mesi_var _mesi_1b0cbcd8_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_FLOAT, 0, "batch_loops.mcu:5"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_FLOAT, 0, "batch_loops.mcu:5"},
  {"rounds", (void *)&rounds, sizeof(rounds), &_d_rounds, MESI_VAR_GUARDED, 0, "batch_loops.mcu:6"},
};
static const struct mesi_site _mesi_1b0cbcd8_sites[] = {
  {"k", "batch_loops.mcu:13", 0, 0, 0},
  {"k", "batch_loops.mcu:16", 0, 0, 0},
  {"k", "batch_loops.mcu:20", 0, 0, 0},
  {"k", "batch_loops.mcu:31", 0, 0, 0},
  {"k", "batch_loops.mcu:34", 0, 0, 0},
  {"k", "batch_loops.mcu:40", 0, 0, 0},
  {"k", "batch_loops.mcu:42", 0, 0, 0},
  {"k", "batch_loops.mcu:46", 0, 0, 0},
  {"k", "batch_loops.mcu:49", 0, 0, 0},
  {"k", "batch_loops.mcu:51", 0, 0, 0},
  {"t", "batch_loops.mcu:54", 0, 0, 0},
  {"over", "batch_loops.mcu:55", 0, 0, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_1b0cbcd8 = {MESI_ABI, "batch_loops.mcu", _mesi_1b0cbcd8_vars, 3, _mesi_1b0cbcd8_sites, 12}; }
MESI_REGISTER(_mesi_1b0cbcd8)

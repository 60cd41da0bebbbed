#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_27be3239; }
// args: -O0 --no-line -Rmesi=parts
// Launches that may go out in parts, each with the data of its blocks, and those that may not.
enum { N = 1 << 22, M = 1024 };
static float a[N] MESI_VS(_vs_a_27be3239), b[N] MESI_VS(_vs_b_27be3239), img[M][M] MESI_VS(_vs_img_27be3239), out[M][M] MESI_VS(_vs_out_27be3239); static MESI_CONSTANT decltype(a) *_d_a; static MESI_CONSTANT decltype(b) *_d_b; static MESI_CONSTANT decltype(img) *_d_img; static MESI_CONSTANT decltype(out) *_d_out;
static int sum MESI_VS(_vs_sum_27be3239), tickets[N] MESI_VS(_vs_tickets_27be3239), small[1000] MESI_VS(_vs_small_27be3239); static MESI_CONSTANT decltype(sum) *_d_sum; static MESI_CONSTANT decltype(tickets) *_d_tickets; static MESI_CONSTANT decltype(small) *_d_small;
__device__ static int mine(int i) { return i + (int)blockIdx.x; }
__global__ void scale(const float *p, float *q, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) q[i] = 2 * p[i]; }
// scale_part: scale for a run of blocks along x, from _run.first of _run.blocks.
__global__ void scale_part(const float *p, float *q, int n, const mesi_run _run) {
  int i = (blockIdx.x + _run.first) * blockDim.x + threadIdx.x;
  if (i < n) q[i] = 2 * p[i];
}
__global__ void rows() { auto &out = *_d_out; auto &img = *_d_img;
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (y > 0 && y < M - 1) out[y][x] = img[y - 1][x] + img[y + 1][x] + gridDim.y;
}
// rows_part: rows for a run of blocks along y, from _run.first of _run.blocks.
__global__ void rows_part(const mesi_run _run) {
  auto &out = *_d_out;
  auto &img = *_d_img;
  int x = blockIdx.x * 32 + threadIdx.x, y = (blockIdx.y + _run.first) * 8 + threadIdx.y;
  if (y > 0 && y < M - 1) out[y][x] = img[y - 1][x] + img[y + 1][x] + _run.blocks;
}
__global__ void clamped() { auto &b = *_d_b; auto &a = *_d_a; int i = blockIdx.x * 256 + threadIdx.x; b[i] = a[i > 0 ? i - 1 : 0]; }
// clamped_part: clamped for a run of blocks along x, from _run.first of _run.blocks.
__global__ void clamped_part(const mesi_run _run) {
  auto &b = *_d_b;
  auto &a = *_d_a;
  int i = (blockIdx.x + _run.first) * 256 + threadIdx.x; b[i] = a[i > 0 ? i - 1 : 0];
}
__global__ void count() { auto &a = *_d_a; auto &sum = *_d_sum; int i = blockIdx.x * 256 + threadIdx.x; if (a[i] > 0) atomicAdd(&sum, 1); }
// count_part: count for a run of blocks along x, from _run.first of _run.blocks.
__global__ void count_part(const mesi_run _run) {
  auto &a = *_d_a;
  auto &sum = *_d_sum;
  int i = (blockIdx.x + _run.first) * 256 + threadIdx.x;
  if (a[i] > 0) atomicAdd(&sum, 1);
}
__global__ void ticket() { auto &tickets = *_d_tickets; auto &sum = *_d_sum; int i = blockIdx.x * 256 + threadIdx.x; tickets[i] = atomicAdd(&sum, 1); }
__global__ void fence() { auto &b = *_d_b; auto &a = *_d_a; int i = blockIdx.x * 256 + threadIdx.x; b[i] = a[i]; __threadfence(); }
__global__ void calls() { auto &b = *_d_b; int i = blockIdx.x * 256 + threadIdx.x; b[i] = mine(i); }
__global__ void wait(volatile int *flag) { auto &b = *_d_b; auto &a = *_d_a; int i = blockIdx.x * 256 + threadIdx.x; while (!*flag) ; b[i] = a[i]; }
__global__ void shared(int n) { auto &a = *_d_a; auto &b = *_d_b; extern __shared__ float s[]; int i = blockIdx.x * 256 + threadIdx.x; s[threadIdx.x] = a[i]; b[i] = s[threadIdx.x]; }
__global__ void strided(int n) { auto &b = *_d_b; auto &a = *_d_a; for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) b[i] = a[i]; }
__global__ void few() { auto &small = *_d_small; small[blockIdx.x * 10 + threadIdx.x] = 1; }
void launches(int n, float *p, float *q, cudaStream_t s) {
  (mesi_launch_begin(&_mesi_27be3239, 0), mesi_launch_on_devices(), mesi_parted(scale, scale_part, 0, (n + 255) / 256, 256, 0, mesi_stream(s))(mesi_arg_range(p, 0, (long long)n * 4, 0, 0, MESI_READ, {1024, 0, 1024}, {}), mesi_arg_range(q, 0, 0, 0, (long long)n * 4, MESI_WRITE | (((long long)dim3((n + 255) / 256).x * 256 >= (long long)n) && mesi_no_alias(q, 0, (long long)n * 4, p, 0, (long long)n * 4) ? MESI_OVERWRITE : 0u), {}, {1024, 0, 1024}), n), mesi_launch_end());
  (mesi_launch_begin(&_mesi_27be3239, 1), mesi_launch_on_devices(), mesi_launch_range(0, 0, 0, 4096, 4190208, MESI_WRITE | MESI_OVERWRITE, {}, {32768, 0, 32768}), mesi_launch_range(1, 0, 4194304, 0, 0, MESI_READ, {32768, -4096, 36864}, {}), mesi_stream(0), mesi_parted(rows, rows_part, 1, dim3(M / 32, M / 8), dim3(32, 8))(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_27be3239, 2), mesi_launch_on_devices(), mesi_launch_range(0, 0, 0, 0, 16777216, MESI_WRITE | MESI_OVERWRITE, {}, {1024, 0, 1024}), mesi_launch_range(1, 0, 16777212, 0, 0, MESI_READ, {1024, -4, 1020}, {}), mesi_stream(0), mesi_parted(clamped, clamped_part, 0, N / 256, 256)(), mesi_launch_end()); (mesi_launch_begin(&_mesi_27be3239, 3), mesi_launch_on_devices(), mesi_launch_range(0, 0, 16777216, 0, 0, MESI_READ, {1024, 0, 1024}, {}), mesi_stream(0), mesi_parted(count, count_part, 0, N / 256, 256)(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_27be3239, 4), mesi_launch_range(0, 0, 0, 0, 16777216, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), ticket<<<N / 256, 256>>>(), mesi_launch_end()); (mesi_launch_begin(&_mesi_27be3239, 5), mesi_launch_range(0, 0, 0, 0, 16777216, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), fence<<<N / 256, 256>>>(), mesi_launch_end()); (mesi_launch_begin(&_mesi_27be3239, 6), mesi_launch_range(0, 0, 0, 0, 16777216, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), calls<<<N / 256, 256>>>(), mesi_launch_end()); (mesi_launch_begin(&_mesi_27be3239, 7), mesi_launch_range(0, 0, 0, 0, 16777216, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), wait<<<N / 256, 256>>>(mesi_arg(&sum, MESI_READ)), mesi_launch_end());
  (mesi_launch_begin(&_mesi_27be3239, 8), mesi_launch_range(1, 0, 0, 0, 16777216, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), shared<<<N / 256, 256, 1024>>>(n), mesi_launch_end()); (mesi_launch_begin(&_mesi_27be3239, 9), mesi_launch_range(0, 0, 0, 0, (long long)n * 4, MESI_WRITE | MESI_OVERWRITE), mesi_launch_range(1, 0, (long long)n * 4, 0, 0, MESI_READ), mesi_stream(0), strided<<<512, 256>>>(n), mesi_launch_end()); (mesi_launch_begin(&_mesi_27be3239, 10), mesi_launch_range(0, 0, 0, 0, 4000, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), few<<<100, 10>>>(), mesi_launch_end()); (mesi_launch_begin(&_mesi_27be3239, 11), mesi_launch_range(0, 0, 0, 0, 1024, MESI_WRITE | MESI_OVERWRITE), mesi_launch_range(1, 0, 1020, 0, 0, MESI_READ), mesi_stream(0), clamped<<<1, 256>>>(), mesi_launch_end());
}
int main() { launches(N, a, b, 0); }

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a_27be3239; }
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b_27be3239; }
extern "C" { MESI_HIDDEN mesi_page<decltype(img)> _vs_img_27be3239; }
extern "C" { MESI_HIDDEN mesi_page<decltype(out)> _vs_out_27be3239; }
extern "C" { MESI_HIDDEN mesi_page<decltype(sum)> _vs_sum_27be3239; }
extern "C" { MESI_HIDDEN mesi_page<decltype(tickets)> _vs_tickets_27be3239; }
extern "C" { MESI_HIDDEN mesi_page<decltype(small)> _vs_small_27be3239; }
static const struct mesi_var _mesi_27be3239_vars[] = {
  {"a", (void *)&a, sizeof(a), &_d_a, MESI_VAR_FLOAT, 0, "launch_parts.mcu:4"},
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_FLOAT, 0, "launch_parts.mcu:4"},
  {"img", (void *)&img, sizeof(img), &_d_img, MESI_VAR_FLOAT, 0, "launch_parts.mcu:4"},
  {"out", (void *)&out, sizeof(out), &_d_out, MESI_VAR_FLOAT, 0, "launch_parts.mcu:4"},
  {"sum", (void *)&sum, sizeof(sum), &_d_sum, 0, 0, "launch_parts.mcu:5"},
  {"tickets", (void *)&tickets, sizeof(tickets), &_d_tickets, 0, 0, "launch_parts.mcu:5"},
  {"small", (void *)&small, sizeof(small), &_d_small, 0, 0, "launch_parts.mcu:5"},
};
static const struct mesi_site_use _mesi_27be3239_uses_1[] = {{3, MESI_READ_WRITE}, {2, MESI_READ}};
static const struct mesi_site_use _mesi_27be3239_uses_2[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site_use _mesi_27be3239_uses_3[] = {{0, MESI_READ}, {4, MESI_READ_WRITE | MESI_SUM_INT}};
static const struct mesi_site_use _mesi_27be3239_uses_4[] = {{5, MESI_READ_WRITE}, {4, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_27be3239_uses_5[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site_use _mesi_27be3239_uses_6[] = {{1, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_27be3239_uses_7[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site_use _mesi_27be3239_uses_8[] = {{0, MESI_READ}, {1, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_27be3239_uses_9[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site_use _mesi_27be3239_uses_10[] = {{6, MESI_READ_WRITE}};
static const struct mesi_site_use _mesi_27be3239_uses_11[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site _mesi_27be3239_sites[] = {
  {"scale", "launch_parts.mcu:22", 0, 0, 0},
  {"rows", "launch_parts.mcu:23", _mesi_27be3239_uses_1, 2, 0},
  {"clamped", "launch_parts.mcu:24", _mesi_27be3239_uses_2, 2, 0},
  {"count", "launch_parts.mcu:24", _mesi_27be3239_uses_3, 2, 0},
  {"ticket", "launch_parts.mcu:25", _mesi_27be3239_uses_4, 2, 0},
  {"fence", "launch_parts.mcu:25", _mesi_27be3239_uses_5, 2, 0},
  {"calls", "launch_parts.mcu:25", _mesi_27be3239_uses_6, 1, 0},
  {"wait", "launch_parts.mcu:25", _mesi_27be3239_uses_7, 2, 0},
  {"shared", "launch_parts.mcu:26", _mesi_27be3239_uses_8, 2, 0},
  {"strided", "launch_parts.mcu:26", _mesi_27be3239_uses_9, 2, 0},
  {"few", "launch_parts.mcu:26", _mesi_27be3239_uses_10, 1, 0},
  {"clamped", "launch_parts.mcu:26", _mesi_27be3239_uses_11, 2, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_27be3239 = {MESI_ABI, "launch_parts.mcu", _mesi_27be3239_vars, 7, _mesi_27be3239_sites, 12}; }
MESI_REGISTER(_mesi_27be3239)

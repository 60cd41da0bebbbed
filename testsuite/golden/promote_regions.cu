#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_4f22c958; }
// args: -O2 --no-line --mapping=never
// Where an update is sure to happen, and under which condition the register is kept where it is not.
#define NEXT __syncthreads();
extern int b[64] MESI_VS(_vs_b); static MESI_CONSTANT decltype(b) *_d_b;
__global__ void writes(int n, unsigned u, long l) { auto &b = *_d_b;
  int i = threadIdx.x, k;
  for (int k = 0; k < n; k++) { if (k) b[i] += 1; else b[i] = 2; } NEXT
  for (int k = 0; k < n; k++) { if (k) b[i] += 1; } NEXT
  for (int k = 0; k < n; k++) { n > 3 && (b[i] += 1); } NEXT
  for (int k = 0; k < n; k++) { n > 3 || b[i]++; } NEXT
  for (int k = 0; k < n; k++) { k ? b[i]++ : 0; } NEXT
  for (int k = 0; k < n; k++) { (b[i]++, k) ? 0 : 1; } NEXT
  for (int k = 0; k < n; k++) { int d = b[i]++, e = d; ++b[i]; } NEXT
  do b[i] += n--; while (n > 0); NEXT
  while (n < 10) b[i] += n++; NEXT
  for (k = 0; k < n; k++) b[i] += 1; NEXT
  for (k = 0; k < n; k++) b[i] += 2;
  b[i] += k; NEXT
  for (k = n; 0 < k; k--) b[i] += 3; NEXT
  for (unsigned k = u; k > 0; k--) b[i] += 4; NEXT
  for (unsigned k = n; k < u; k++) b[i] += 5; NEXT
  for (long k = n; k <= l; k++) b[i] += 6; NEXT
  for (int k = i; k != n; k++) b[i] += 7; NEXT
  for (int k = 0; k <= 3; k++) b[i] += 8; NEXT
  for (int k = 3; k > 0; k--) b[i] += 9; NEXT
  for (int k = 3; k >= 0; k--) b[i] += 10; NEXT
  for (unsigned k = 0; k < 4u; k++) b[i] += 11; NEXT
  for (int k = 4; k < 4; k++) b[i] += 12; NEXT
  for (;;) { b[i] += 13; if (b[i] > 100) break; } NEXT
  b[i] = b[i + 1];
  for (int k = 0; k < n; k++) for (int j = 0; j < 3; j++) b[i] += j; NEXT
  if (n) for (int k = 0; k < n; k++) b[i] += 14;
  else while (n < 5) { b[i] += n++; } NEXT
  switch (n) { case 1: for (int k = 0; k < n; k++) b[i] += 15; } NEXT
  for (int k = 0; k < n; k++) { k++; b[i] += k; } NEXT
  for (int k = 0; k < n; k++) { { ; } { int x; x = k; } continue; b[i] += 1; } NEXT
}
// writes_cached: writes with array elements in registers over loops and the following in shared memory, for blocks of 64 threads.
//   b[0 .. +64]  256 bytes, copied in and out, 255.5 accesses per thread, 0.998 per byte
__global__ void writes_cached(int n, unsigned u, long l) {
  auto &b = *_d_b;
  __shared__ int _s_b[64];
  const int _t = threadIdx.x;
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    _s_b[_i0] = b[_i0];
  __syncthreads();
  int i = threadIdx.x, k;
  if (0 < n) {
    int _r_b = _s_b[threadIdx.x];
    for (int k = 0; k < n; k++) {
      if (k) _r_b += 1;
      else
        _r_b = 2;
    }
    _s_b[threadIdx.x] = _r_b;
  }
  __syncthreads();
  for (int k = 0; k < n; k++) {
    if (k) _s_b[threadIdx.x] += 1;
  }
  __syncthreads();
  for (int k = 0; k < n; k++) {
    n > 3 && (_s_b[threadIdx.x] += 1);
  }
  __syncthreads();
  for (int k = 0; k < n; k++) {
    n > 3 || _s_b[threadIdx.x]++;
  }
  __syncthreads();
  for (int k = 0; k < n; k++) {
    k ? _s_b[threadIdx.x]++ : 0;
  }
  __syncthreads();
  if (0 < n) {
    int _r_b_2 = _s_b[threadIdx.x];
    for (int k = 0; k < n; k++) {
      (_r_b_2++, k) ? 0 : 1;
    }
    _s_b[threadIdx.x] = _r_b_2;
  }
  __syncthreads();
  if (0 < n) {
    int _r_b_3 = _s_b[threadIdx.x];
    for (int k = 0; k < n; k++) {
      int d = _r_b_3++, e = d; ++_r_b_3;
    }
    _s_b[threadIdx.x] = _r_b_3;
  }
  __syncthreads();
  int _r_b_4 = _s_b[threadIdx.x];
  do _r_b_4 += n--;
  while (n > 0);
  _s_b[threadIdx.x] = _r_b_4;
  __syncthreads();
  while (n < 10) _s_b[threadIdx.x] += n++;
  __syncthreads();
  for (k = 0; k < n; k++) _s_b[threadIdx.x] += 1;
  __syncthreads();
  int _r_b_5 = _s_b[threadIdx.x];
  for (k = 0; k < n; k++) _r_b_5 += 2;
  _r_b_5 += k;
  _s_b[threadIdx.x] = _r_b_5;
  __syncthreads();
  for (k = n; 0 < k; k--) _s_b[threadIdx.x] += 3;
  __syncthreads();
  if (u > 0) {
    int _r_b_6 = _s_b[threadIdx.x];
    for (unsigned int k = u; k > 0; k--) _r_b_6 += 4;
    _s_b[threadIdx.x] = _r_b_6;
  }
  __syncthreads();
  if (n < u) {
    int _r_b_7 = _s_b[threadIdx.x];
    for (unsigned int k = n; k < u; k++) _r_b_7 += 5;
    _s_b[threadIdx.x] = _r_b_7;
  }
  __syncthreads();
  if (n <= l) {
    int _r_b_8 = _s_b[threadIdx.x];
    for (long k = n; k <= l; k++) _r_b_8 += 6;
    _s_b[threadIdx.x] = _r_b_8;
  }
  __syncthreads();
  if (i != n) {
    int _r_b_9 = _s_b[threadIdx.x];
    for (int k = i; k != n; k++) _r_b_9 += 7;
    _s_b[threadIdx.x] = _r_b_9;
  }
  __syncthreads();
  int _r_b_10 = _s_b[threadIdx.x];
  for (int k = 0; k <= 3; k++) _r_b_10 += 8;
  _s_b[threadIdx.x] = _r_b_10;
  __syncthreads();
  int _r_b_11 = _s_b[threadIdx.x];
  for (int k = 3; k > 0; k--) _r_b_11 += 9;
  _s_b[threadIdx.x] = _r_b_11;
  __syncthreads();
  int _r_b_12 = _s_b[threadIdx.x];
  for (int k = 3; k >= 0; k--) _r_b_12 += 10;
  _s_b[threadIdx.x] = _r_b_12;
  __syncthreads();
  int _r_b_13 = _s_b[threadIdx.x];
  for (unsigned int k = 0; k < 4u; k++) _r_b_13 += 11;
  _s_b[threadIdx.x] = _r_b_13;
  __syncthreads();
  if (4 < 4) {
    int _r_b_14 = _s_b[threadIdx.x];
    for (int k = 4; k < 4; k++) _r_b_14 += 12;
    _s_b[threadIdx.x] = _r_b_14;
  }
  __syncthreads();
  for (;;) {
    _s_b[threadIdx.x] += 13;
    if (_s_b[threadIdx.x] > 100) break;
  }
  __syncthreads();
  _s_b[threadIdx.x] = _s_b[threadIdx.x + 1];
  if (0 < n) {
    int _r_b_15 = _s_b[threadIdx.x];
    for (int k = 0; k < n; k++)
      for (int j = 0; j < 3; j++) _r_b_15 += j;
    _s_b[threadIdx.x] = _r_b_15;
  }
  __syncthreads();
  if (n) {
    if (0 < n) {
      int _r_b_16 = _s_b[threadIdx.x];
      for (int k = 0; k < n; k++) _r_b_16 += 14;
      _s_b[threadIdx.x] = _r_b_16;
    }
  } else
    while (n < 5) {
      _s_b[threadIdx.x] += n++;
    }
  __syncthreads();
  switch (n) {
    case 1:
    for (int k = 0; k < n; k++) _s_b[threadIdx.x] += 15;
  }
  __syncthreads();
  for (int k = 0; k < n; k++) {
    k++; _s_b[threadIdx.x] += k;
  }
  __syncthreads();
  for (int k = 0; k < n; k++) {
    {
      ;
    }
    {
      int x; x = k;
    }
    continue; b[i] += 1;
  }
  __syncthreads();
  __syncthreads();
  for (int _i0 = _t; _i0 < 64; _i0 += 64)
    b[_i0] = _s_b[_i0];
}
int main() { (mesi_launch_begin(&_mesi_4f22c958, 0), mesi_stream(0), writes_cached<<<1, 64>>>(40, 3, 5), mesi_launch_end()); }

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(b)> _vs_b; }
static const struct mesi_var _mesi_4f22c958_vars[] = {
  {"b", (void *)&b, sizeof(b), &_d_b, MESI_VAR_GUARDED, 0, "promote_regions.mcu:4"},
};
static const struct mesi_site_use _mesi_4f22c958_uses_0[] = {{0, MESI_READ_WRITE}};
static const struct mesi_site _mesi_4f22c958_sites[] = {
  {"writes", "promote_regions.mcu:38", _mesi_4f22c958_uses_0, 1, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_4f22c958 = {MESI_ABI, "promote_regions.mcu", _mesi_4f22c958_vars, 1, _mesi_4f22c958_sites, 1}; }
MESI_REGISTER(_mesi_4f22c958)

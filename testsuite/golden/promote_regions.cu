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
// writes_promoted: writes with array elements in registers over loops.
__global__ void writes_promoted(int n, unsigned u, long l) {
  auto &b = *_d_b;
  int _n = n;
  int i = threadIdx.x, k;
  if (0 < _n) {
    int _r_b = b[i];
    for (int k_2 = 0; k_2 < _n; k_2++) {
      if (k_2) _r_b += 1;
      else
        _r_b = 2;
    }
    b[i] = _r_b;
  }
  __syncthreads();
  for (int k_3 = 0; k_3 < _n; k_3++) {
    if (k_3) b[i] += 1;
  }
  __syncthreads();
  for (int k_4 = 0; k_4 < _n; k_4++) {
    _n > 3 && (b[i] += 1);
  }
  __syncthreads();
  for (int k_5 = 0; k_5 < _n; k_5++) {
    _n > 3 || b[i]++;
  }
  __syncthreads();
  for (int k_6 = 0; k_6 < _n; k_6++) {
    k_6 ? b[i]++ : 0;
  }
  __syncthreads();
  if (0 < _n) {
    int _r_b_2 = b[i];
    for (int k_7 = 0; k_7 < _n; k_7++) {
      (_r_b_2++, k_7) ? 0 : 1;
    }
    b[i] = _r_b_2;
  }
  __syncthreads();
  if (0 < _n) {
    int _r_b_3 = b[i];
    for (int k_8 = 0; k_8 < _n; k_8++) {
      int d = _r_b_3++; ++_r_b_3;
    }
    b[i] = _r_b_3;
  }
  __syncthreads();
  int _r_b_4 = b[i];
  do _r_b_4 += _n--;
  while (_n > 0);
  b[i] = _r_b_4;
  __syncthreads();
  while (_n < 10) b[i] += _n++;
  __syncthreads();
  for (k = 0; k < _n; k++) b[i] += 1;
  __syncthreads();
  int _r_b_5 = b[i];
  for (k = 0; k < _n; k++) _r_b_5 += 2;
  _r_b_5 += k;
  b[i] = _r_b_5;
  __syncthreads();
  for (k = _n; 0 < k; k--) b[i] += 3;
  __syncthreads();
  if (u > 0) {
    int _r_b_6 = b[i];
    for (unsigned int k_9 = u; k_9 > 0; k_9--) _r_b_6 += 4;
    b[i] = _r_b_6;
  }
  __syncthreads();
  if (_n < u) {
    int _r_b_7 = b[i];
    for (unsigned int k_10 = _n; k_10 < u; k_10++) _r_b_7 += 5;
    b[i] = _r_b_7;
  }
  __syncthreads();
  if (_n <= l) {
    int _r_b_8 = b[i];
    for (long k_11 = _n; k_11 <= l; k_11++) _r_b_8 += 6;
    b[i] = _r_b_8;
  }
  __syncthreads();
  if (i != _n) {
    int _r_b_9 = b[i];
    for (int k_12 = i; k_12 != _n; k_12++) _r_b_9 += 7;
    b[i] = _r_b_9;
  }
  __syncthreads();
  int _r_b_10 = b[i];
  for (int k_13 = 0; k_13 <= 3; k_13++) _r_b_10 += 8;
  b[i] = _r_b_10;
  __syncthreads();
  int _r_b_11 = b[i];
  for (int k_14 = 3; k_14 > 0; k_14--) _r_b_11 += 9;
  b[i] = _r_b_11;
  __syncthreads();
  int _r_b_12 = b[i];
  for (int k_15 = 3; k_15 >= 0; k_15--) _r_b_12 += 10;
  b[i] = _r_b_12;
  __syncthreads();
  int _r_b_13 = b[i];
  for (unsigned int k_16 = 0; k_16 < 4u; k_16++) _r_b_13 += 11;
  b[i] = _r_b_13;
  __syncthreads();
  if (4 < 4) {
    int _r_b_14 = b[i];
    for (int k_17 = 4; k_17 < 4; k_17++) _r_b_14 += 12;
    b[i] = _r_b_14;
  }
  __syncthreads();
  for (;;) {
    b[i] += 13;
    if (b[i] > 100) break;
  }
  __syncthreads();
  b[i] = b[i + 1];
  if (0 < _n) {
    int _r_b_15 = b[i];
    for (int k_18 = 0; k_18 < _n; k_18++)
      for (int j = 0; j < 3; j++) _r_b_15 += j;
    b[i] = _r_b_15;
  }
  __syncthreads();
  if (_n) {
    if (0 < _n) {
      int _r_b_16 = b[i];
      for (int k_19 = 0; k_19 < _n; k_19++) _r_b_16 += 14;
      b[i] = _r_b_16;
    }
  } else
    while (_n < 5) {
      b[i] += _n++;
    }
  __syncthreads();
  switch (_n) {
    case 1:
    for (int k_20 = 0; k_20 < _n; k_20++) b[i] += 15;
  }
  __syncthreads();
  for (int k_21 = 0; k_21 < _n; k_21++) {
    k_21++; b[i] += k_21;
  }
  __syncthreads();
  for (int k_22 = 0; k_22 < _n; k_22++) {
    {
      ;
    }
    {
    }
  }
  __syncthreads();
}
int main() { (mesi_launch_begin(&_mesi_4f22c958, 0), mesi_stream(0), writes_promoted<<<1, 64>>>(40, 3, 5), mesi_launch_end()); }

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

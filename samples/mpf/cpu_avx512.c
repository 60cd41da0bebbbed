/* cpu_avx512.c - the vector loops for AVX-512. */
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,prefer-vector-width=512")
#define BYTES 64
#define ROWS 14
#define VECTORS 2
#define ISA mpf_cpu_avx512
#include "cpu_loops.h"

/* cpu_sse.c - the vector loops for any x86-64. */
#define BYTES 16
#define ROWS 6
#define VECTORS 2
#define ISA mpf_cpu_sse
#include "cpu_loops.h"

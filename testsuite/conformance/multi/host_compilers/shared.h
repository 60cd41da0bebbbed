/* Included by files that mesicc, gcc and g++ translate. */
#ifndef SHARED_H
#define SHARED_H
#include "mesi.h"
#ifdef __cplusplus
extern "C" {
#endif

struct point { float x, y; };
extern __global__ float field[256];
extern __global__ struct point points[8];
extern __global__ int steps;

float c_sum(void);
void c_scale(float by);
float cpp_sum(void);
void cpp_fill(int from, int to);

#ifdef __cplusplus
}
#endif
#endif

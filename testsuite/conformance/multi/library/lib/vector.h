#ifndef VECTOR_H
#define VECTOR_H
#include "mesi.h"
extern __global__ double vector[512];
extern __global__ int calls;
void vector_set(int n, double value);
void vector_add(int n, double value);
double vector_sum(int n);
#endif

#pragma once
enum { ROWS = 5, COLS = 8 };
extern __global__ int field[ROWS][COLS];
extern __global__ int counter, *last_seen;
__global__ void add_counter(void);
void other_double(void);
int other_sum(void);

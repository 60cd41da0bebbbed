#pragma once
static __global__ int once = 5; // no newline at the end
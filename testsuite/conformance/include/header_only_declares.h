// Declares what another file defines, as a library's header would.
#pragma once
#define SIDE 12
extern __global__ float field[SIDE][SIDE];
__global__ void smooth(float to[][SIDE], const float from[][SIDE]);

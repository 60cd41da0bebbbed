// Tiled transpose with padding, 2-D blocks, pitched memory.
#include <cstdio>

#define TILE 32
#define ROWS 8

__global__ void transpose(float *out, size_t out_pitch, const float *in, size_t in_pitch, int width, int height) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = *(const float *)((const char *)in + (y + j) * in_pitch + x * sizeof(float));
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (x < height && y + j < width)
      *(float *)((char *)out + (y + j) * out_pitch + x * sizeof(float)) = tile[threadIdx.x][threadIdx.y + j];
}

static float a[100][77], b[77][100];

int main() {
  float *in, *out;
  size_t in_pitch, out_pitch;
  for (int y = 0; y < 100; y++)
    for (int x = 0; x < 77; x++) a[y][x] = y * 1000 + x;
  cudaMallocPitch(&in, &in_pitch, sizeof a[0], 100);
  cudaMallocPitch((void **)&out, &out_pitch, sizeof b[0], 77);
  cudaMemcpy2D(in, in_pitch, a, sizeof a[0], sizeof a[0], 100, cudaMemcpyHostToDevice);
  dim3 grid((77 + TILE - 1) / TILE, (100 + TILE - 1) / TILE), block(TILE, ROWS);
  transpose<<<grid, block>>>(out, out_pitch, in, in_pitch, 77, 100);
  cudaMemcpy2D(b, sizeof b[0], out, out_pitch, sizeof b[0], 77, cudaMemcpyDeviceToHost);
  for (int y = 0; y < 100; y++)
    for (int x = 0; x < 77; x++)
      if (b[x][y] != a[y][x]) return 1;
  std::printf("ok\n");
  return 0;
}

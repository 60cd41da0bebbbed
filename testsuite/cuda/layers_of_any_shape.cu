// args: --mapping=always
// Blocks of several layers whose shape only the run knows: each condition on the layer, the row and
// the column stays, for shapes that part the space in every way.
#include <cstdio>

enum { W = 37, H = 21, L = 9, ALL = W * H * L };

#define IDS \
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, \
      z = blockIdx.z * blockDim.z + threadIdx.z;
#define KERNEL(name) __global__ void name(const float *a, float *b, int w, int h, int l)

KERNEL(inside)
{
  IDS int i = (z * h + y) * w + x;
  if (x > 0 && y > 0 && z > 0 && x < w - 1 && y < h - 1 && z < l - 1)
    b[i] = a[i - 1] + a[i + 1] + a[i - w] + a[i + w] + a[i - w * h] + a[i + w * h];
}

KERNEL(above)
{
  IDS if (z == 0 || x >= w || y >= h || z >= l) return;
  b[(z * h + y) * w + x] = a[(z * h + y) * w + x] - a[((z - 1) * h + y) * w + x];
}

KERNEL(border)
{
  IDS if (x >= w || y >= h || z >= l) return;
  int i = (z * h + y) * w + x;
  if (z > 0 && z + 1 < l)
    b[i] = a[i - w * h] * 2 + a[i + w * h];
  else
    b[i] = a[i];
}

static float h[ALL], r[ALL];

static float wanted(int k, int x, int y, int z)
{
  int i = (z * H + y) * W + x, up = W * H;
  if (k == 0)
    return x > 0 && y > 0 && z > 0 && x < W - 1 && y < H - 1 && z < L - 1
               ? h[i - 1] + h[i + 1] + h[i - W] + h[i + W] + h[i - up] + h[i + up]
               : 0;
  if (k == 1) return z ? h[i] - h[i - up] : 0;
  return z > 0 && z + 1 < L ? h[i - up] * 2 + h[i + up] : h[i];
}

static int run(int k, float *a, float *b, dim3 block)
{
  dim3 grid((W + block.x - 1) / block.x, (H + block.y - 1) / block.y, (L + block.z - 1) / block.z);

  cudaMemset(b, 0, sizeof r);
  if (k == 0) inside<<<grid, block>>>(a, b, W, H, L);
  if (k == 1) above<<<grid, block>>>(a, b, W, H, L);
  if (k == 2) border<<<grid, block>>>(a, b, W, H, L);
  cudaMemcpy(r, b, sizeof r, cudaMemcpyDeviceToHost);
  for (int i = 0; i < ALL; i++)
    if (r[i] != wanted(k, i % W, i / W % H, i / W / H)) {
      printf("kernel %d, blocks of %u x %u x %u: b[%d] is %g\n", k, block.x, block.y, block.z, i,
             r[i]);
      return 1;
    }
  return 0;
}

int main(int argc, char **)
{
  unsigned shapes[][3] = {{8, 8, 4}, {32, 2, 2}, {16, 16, 1}, {4, 4, 16}, {64, 1, 3}, {1, 1, 1}};
  float *a, *b;
  int failed = 0;

  for (int i = 0; i < ALL; i++) h[i] = i * 7 % 32;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof r);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  for (auto &s : shapes)
    for (int k = 0; k < 3; k++) failed |= run(k, a, b, dim3(s[0], s[1] * argc, s[2]));
  puts(failed ? "FAILED" : "ok");
  return failed;
}

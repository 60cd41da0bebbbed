// args: --mapping=always
// Static tables of constants in kernels and device functions: the kernels are analysed, and their
// threads read the table's values. A static variable that changes keeps its value from launch to
// launch; a table's address leads to it.
#include <cstdio>
#include <cstdlib>

static int failures;

static void expect(const char *name, const float *got, const float *want, int count)
{
  for (int i = 0; i < count; i++)
    if (got[i] != want[i]) {
      printf("%s: element %d is %g, not %g\n", name, i, got[i], want[i]);
      failures++;
      return;
    }
}

__global__ void smooth(const float *in, float *out, int w, int h)
{
  static const float weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
  static constexpr int reach = 1;
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float sum = 0;
  for (int j = -reach; j <= reach; j++)
    for (int i = -reach; i <= reach; i++) sum += weight[j + 1][i + 1] * in[(y + j) * w + x + i];
  out[y * w + x] = sum;
}

template <typename T> __device__ T cross(const T *in, int w, int x, int y)
{
  static const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
  static const T weight[] = {1, 2, 3, 4};
  T sum = -4 * in[y * w + x];
  for (int d = 0; d < 4; d++) sum += weight[d] * in[(y + dy[d]) * w + x + dx[d]];
  return sum;
}

__global__ void crosses(const float *in, float *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  out[y * w + x] = cross<float>(in, w, x, y);
}

__device__ const float *row_of(int row)
{
  static const float rows[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  return rows[row];
}

__global__ void rows(const float *in, float *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = in[y * w + x] * row_of(y & 1)[x & 3];
}

__global__ void turns(const float *in, float *out, int w, int h)
{
  static float turn = 2;
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 && y == 0 && w < 3) turn = 3;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float sum = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) sum += in[(y + j) * w + x + i];
  out[y * w + x] = sum * turn;
}

static void compute(float *want, const float *in, int w, int h, int which)
{
  static const float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int at = y * w + x;
      bool inner = x > 0 && y > 0 && x < w - 1 && y < h - 1;
      float sum = 0;
      for (int k = 0; k < 9 && inner && which == 0; k++)
        sum += weights[k] * in[at + (k / 3 - 1) * w + k % 3 - 1];
      if (which == 1 && inner)
        sum = -4 * in[at] + in[at + 1] + 2 * in[at - 1] + 3 * in[at + w] + 4 * in[at - w];
      if (which == 2) sum = in[at] * ((y & 1) * 4 + (x & 3) + 1);
      for (int k = 0; k < 9 && inner && which == 3; k++)
        sum += in[at + (k / 3 - 1) * w + k % 3 - 1];
      if (which == 3) sum *= 3;
      want[at] = sum;
    }
}

int main()
{
  static const char *const names[] = {"smooth", "crosses", "rows", "turns"};
  const int w = 133, h = 70, count = w * h;
  float *in, *out, *host = (float *)malloc(count * sizeof *host);
  float *got = (float *)malloc(count * sizeof *got), *want = (float *)malloc(count * sizeof *want);
  for (int i = 0; i < count; i++) host[i] = i * 37 % 101;
  cudaMalloc(&in, count * sizeof *in);
  cudaMalloc(&out, count * sizeof *out);
  cudaMemcpy(in, host, count * sizeof *in, cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  for (int which = 0; which < 4; which++) {
    cudaMemset(out, 0, count * sizeof *out);
    if (which == 0) smooth<<<grid, block>>>(in, out, w, h);
    if (which == 1) crosses<<<grid, block>>>(in, out, w, h);
    if (which == 2) rows<<<grid, block>>>(in, out, w, h);
    if (which == 3) turns<<<grid, block>>>(in, out, 2, h);
    if (which == 3) turns<<<grid, block>>>(in, out, w, h);
    cudaMemcpy(got, out, count * sizeof *got, cudaMemcpyDeviceToHost);
    compute(want, host, w, h, which);
    expect(names[which], got, want, count);
  }
  printf(failures ? "failed\n" : "ok\n");
  return failures != 0;
}

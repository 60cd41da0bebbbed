// args: --mapping=always
// Two loops over neighbouring rows, as one: with constants, arguments, negative sizes, a pitch, a
// use of one iterator alone, a loop that is left, and three loops.
#include <cstdio>
#include <cstdlib>

static int failures;

static void expect(const char *name, const int *got, const int *want, int count)
{
  for (int i = 0; i < count; i++)
    if (got[i] != want[i]) {
      printf("%s: element %d is %d, not %d\n", name, i, got[i], want[i]);
      failures++;
      return;
    }
}

__global__ void planes(int *out, const int *in, int count, int h, int w)
{
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < count) {
    int sum = 1;
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        sum += in[p * h * w + y * w + x];
    out[p] = sum;
  }
}

__global__ void pitched(int *out, const int *in, int count, int h, int w, int pitch)
{
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < count) {
    int sum = 2;
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        sum += in[p * h * pitch + y * pitch + x];
    out[p] = sum;
  }
}

__global__ void weighted(int *out, const int *in, int count, int h, int w)
{
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < count) {
    int sum = 3;
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        sum += in[(p * h + y) * w + x] * (y + 1);
    out[p] = sum;
  }
}

__global__ void until(int *out, const int *in, int count, int h, int w)
{
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < count) {
    int sum = 4;
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        if (in[(p * h + y) * w + x] == 3)
          break;
        sum += in[(p * h + y) * w + x];
      }
    out[p] = sum;
  }
}

enum { COUNT = 40, H = 9, W = 14, IMAGES = 3 };

// sizes that all launches share: the sum of a plane, and one in which rows have weights
__global__ void fixed(int *__restrict__ out, const int *__restrict__ in, int count)
{
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < count) {
    int sum = 0;
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++)
        sum += in[p * H * W + y * W + x];
    out[p] = sum;
  }
}

__global__ void fixed_weighted(int *__restrict__ out, const int *__restrict__ in, int count)
{
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < count) {
    int sum = 0;
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++)
        sum += in[p * H * W + y * W + x] * (y + 1);
    out[p] = sum;
  }
}

__global__ void channels(int *__restrict__ out, const int *__restrict__ in, int images, int count,
                         int h, int w)
{
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= count)
    return;
  int sum = 0;
  for (int n = 0; n < images; n++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        sum += in[((n * count + c) * h + y) * w + x];
  int most = -100;
  for (int n = 0; n < images; n++)
    for (int j = 0; j < h * w; j++) {
      int at = n * count * h * w + c * h * w + j;
      most = max(most, in[at]);
    }
  out[c] = sum * 100 + most;
}

// indices that a loop names, one of a number that changes behind that
__global__ void named(int *__restrict__ out, const int *__restrict__ in, int rows, int n)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  int sum = 0;
  for (int j = 0; j < n; j++) {
    int at = r * n + j;
    sum += in[at];
  }
  for (int j = 0; j < n; j++) {
    int from = r * n, at = from + j;
    from = 0;
    out[at] = in[at] - sum + from;
  }
}

static int *in, *out, *want;

static void check_planes(int h, int w)
{
  static const char *const names[] = {"planes", "pitched", "weighted", "until"};
  int count = h * w > COUNT * H ? 2 : COUNT;

  for (int which = 0; which < 4; which++) {
    if (which == 0)
      planes<<<(COUNT + 31) / 32, 32>>>(out, in, count, h, w);
    else if (which == 1)
      pitched<<<(COUNT + 31) / 32, 32>>>(out, in, count, h, w, w + 3);
    else if (which == 2)
      weighted<<<(COUNT + 31) / 32, 32>>>(out, in, count, h, w);
    else
      until<<<(COUNT + 31) / 32, 32>>>(out, in, count, h, w);
    cudaDeviceSynchronize();
    for (int p = 0; p < count; p++) {
      want[p] = which + 1;
      for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
          int pitch = which == 1 ? w + 3 : w, value = in[(p * h + y) * pitch + x];
          if (which == 3 && value == 3)
            break;
          want[p] += which == 2 ? value * (y + 1) : value;
        }
    }
    expect(names[which], out, want, count);
  }
}

static void check_fixed()
{
  for (int weighted = 0; weighted < 2; weighted++) {
    if (weighted)
      fixed_weighted<<<(COUNT + 31) / 32, 32>>>(out, in, COUNT);
    else
      fixed<<<(COUNT + 31) / 32, 32>>>(out, in, COUNT);
    cudaDeviceSynchronize();
    for (int p = 0; p < COUNT; p++) {
      want[p] = 0;
      for (int j = 0; j < H * W; j++)
        want[p] += in[p * H * W + j] * (weighted ? j / W + 1 : 1);
    }
    expect(weighted ? "weighted rows of a fixed size" : "rows of a fixed size", out, want, COUNT);
  }
}

static void check_channels()
{
  channels<<<(COUNT + 31) / 32, 32>>>(out, in, IMAGES, COUNT, H, W);
  cudaDeviceSynchronize();
  for (int c = 0; c < COUNT; c++) {
    int sum = 0, most = -100;
    for (int n = 0; n < IMAGES; n++)
      for (int j = 0; j < H * W; j++) {
        int value = in[(n * COUNT + c) * H * W + j];
        sum += value;
        most = value > most ? value : most;
      }
    want[c] = sum * 100 + most;
  }
  expect("channels", out, want, COUNT);
}

static void check_named(int n)
{
  named<<<1, 32>>>(out, in, 30, n);
  cudaDeviceSynchronize();
  for (int r = 0; r < 30; r++) {
    int sum = 0;
    for (int j = 0; j < n; j++)
      sum += in[r * n + j];
    for (int j = 0; j < n; j++)
      want[r * n + j] = in[r * n + j] - sum;
  }
  expect("named", out, want, 30 * n);
}

int main(int argc, char **argv)
{
  int size = IMAGES * COUNT * H * (W + 3);
  (void)argv;
  cudaMallocManaged(&in, size * sizeof(int));
  cudaMallocManaged(&out, size * sizeof(int));
  cudaMallocManaged(&want, size * sizeof(int));
  for (int i = 0; i < size; i++)
    in[i] = i * 7 % 13 - 6;
  int sizes[][2] = {{H, W}, {H * argc, 70}, {-H, -W}, {H, -W}, {0, W}, {1, 100}};
  for (auto &s : sizes)
    check_planes(s[0], s[1]);
  check_fixed();
  check_channels();
  check_named(50 * argc);
  printf("%s\n", failures ? "wrong" : "right");
  return failures != 0;
}

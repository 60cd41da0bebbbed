// args: --mapping=always
// Rows that begin at an offset of the block (batches, heads), quotients of arguments as sizes and
// bounds, also -1, 0 and negative ones, and blocks with threads that rest.
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

// the bound is a quotient that only threads with work compute
__global__ void product(float *__restrict__ out, const float *__restrict__ a,
                        const float *__restrict__ b, int n, int all, int parts)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    int m = all / parts;
    float sum = 0;
    for (int k = 0; k < m; k++)
      sum += a[y * n + k] * b[k * n + x];
    out[y * n + x] = sum;
  }
}

// the bound is loaded by threads with work
__global__ void loaded(float *__restrict__ out, const float *__restrict__ a,
                       const float *__restrict__ b, int n, const int *__restrict__ bound)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    int m = *bound;
    float sum = 0;
    for (int k = 0; k < m; k++)
      sum += a[y * n + k] * b[k * n + x];
    out[y * n + x] = sum;
  }
}

// scores of heads: a flat id of four digits, the lower half alone
__global__ void scores(float *out, const float *in, int batch, int places, int channels, int heads)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int all = batch * heads * places * places;
  if (i < all) {
    int t2 = i % places, t = (i / places) % places;
    if (t2 > t) {
      out[i] = -1;
      return;
    }
    int h = (i / (places * places)) % heads, b = i / (heads * places * places);
    int row = channels * 3, size = channels / heads;
    const float *q = in + b * places * row + t * row + h * size;
    const float *k = in + b * places * row + t2 * row + h * size + channels;
    float sum = 0;
    for (int c = 0; c < size; c++)
      sum += q[c] * k[c];
    out[i] = sum / heads;
  }
}

// layers along z, of which two numbers are made
__global__ void layers(float *__restrict__ out, const float *__restrict__ a,
                       const float *__restrict__ b, int n, int m, int heads, int apart)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z, h = z % heads, g = z / heads;
  if (x < n && y < n) {
    float sum = 0;
    for (int k = 0; k < m; k++)
      sum += a[g * apart + h * m + y * n + k] * b[z * 5 + x * n + k];
    out[(z * n + y) * n + x] = sum;
  }
}

static float *numbers(int count, int step)
{
  float *ret;
  cudaMallocManaged(&ret, count * sizeof(float));
  for (int i = 0; i < count; i++)
    ret[i] = i * step % 11 - 5;
  return ret;
}

int main(int argc, char **argv)
{
  int n = 70, m;
  (void)argv;
  float *a = numbers(3 * n * n * 4, 7), *b = numbers(3 * n * n * 4, 3);
  float *out = numbers(6 * n * n, 0), *want = numbers(6 * n * n, 0);
  int *bound;
  cudaMallocManaged(&bound, sizeof(int));
  for (int parts = -1; parts < 4; parts++) {
    if (!parts)
      continue;
    int all = parts < 0 ? -40 : 40 * argc;
    m = all / parts;
    product<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(out, a, b, n, all, parts);
    cudaDeviceSynchronize();
    for (int i = 0; i < n * n; i++) {
      want[i] = 0;
      for (int k = 0; k < m; k++)
        want[i] += a[i / n * n + k] * b[k * n + i % n];
    }
    expect("product", out, want, n * n);
    *bound = m;
    loaded<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(out, a, b, n, bound);
    cudaDeviceSynchronize();
    expect("loaded", out, want, n * n);
  }
  out[0] = 77;
  product<<<1, dim3(16, 16)>>>(out, a, b, 0, 40, argc - 1); // no thread divides
  cudaDeviceSynchronize();
  want[0] = 77;
  expect("nobody", out, want, 1);

  int batch = 2, places = 37, channels = 24, heads = 3, size = channels / heads, row = 3 * channels;
  int all = batch * heads * places * places;
  scores<<<(all + 127) / 128, 128>>>(out, a, batch, places, channels, heads);
  cudaDeviceSynchronize();
  for (int i = 0; i < all; i++) {
    int t2 = i % places, t = i / places % places;
    int h = i / (places * places) % heads, g = i / (heads * places * places);
    const float *q = a + (g * places + t) * row + h * size;
    const float *k = a + (g * places + t2) * row + h * size + channels;
    float sum = 0;
    for (int c = 0; c < size; c++)
      sum += q[c] * k[c];
    want[i] = t2 > t ? -1 : sum / heads;
  }
  expect("scores", out, want, all);

  for (int heads = 1; heads < 4; heads++) {
    layers<<<dim3((n + 15) / 16, (n + 15) / 16, 5), dim3(16, 16)>>>(out, a, b, n, 33, heads,
                                                                    n * n + 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < 5 * n * n; i++) {
      int z = i / (n * n), y = i / n % n, x = i % n;
      want[i] = 0;
      for (int k = 0; k < 33; k++)
        want[i] += a[z / heads * (n * n + 3) + z % heads * 33 + y * n + k] *
                   b[z * 5 + x * n + k];
    }
    expect("layers", out, want, 5 * n * n);
  }
  printf("%s\n", failures ? "wrong" : "right");
  return failures != 0;
}

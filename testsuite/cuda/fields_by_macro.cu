// args: --mapping=always
// A solver's fields are reached through macros with the names of their arrays, at unsigned indices
// that may wrap around, and a sweep goes through the layers of a volume by integers that are chosen
// at its sides and step by a whole layer.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define POINTS (blockDim.x * gridDim.x)
#define point (threadIdx.x + (blockIdx.x * blockDim.x))
#define field(p, q) (p[((q) - 1) * (POINTS) + point])
#define RATE(q) field(RATE, q)
#define MASS(q) field(MASS, q)
#define HEAT(q) field(HEAT, q)

enum { FIELDS = 6 };

__global__ void react(const float *RATE, const float *MASS, float *HEAT)
{
  HEAT(1) = RATE(1) * MASS(1) + RATE(2) * MASS(2);
  HEAT(2) = RATE(3) * MASS(3) - RATE(2) * MASS(1);
  HEAT(3) = RATE(4) + RATE(5) + RATE(6) + MASS(4) * MASS(5) * MASS(6);
  for (int q = 4; q <= FIELDS; q++) HEAT(q) = HEAT(q - 3) + RATE(q);
}

// The value at each side of the volume is that of the element itself.
__global__ void sweep(const float *in, float *out, int nx, int ny, int nz)
{
  int i = blockDim.x * blockIdx.x + threadIdx.x, j = blockDim.y * blockIdx.y + threadIdx.y;
  if (i >= nx || j >= ny) return;
  int here = i + j * nx, layer = nx * ny;
  int west = i == 0 ? here : here - 1, east = i == nx - 1 ? here : here + 1;
  int north = j == 0 ? here : here - nx, south = j == ny - 1 ? here : here + nx;
  float below, middle = in[here], above = in[here];
  for (int k = 0; k < nz; k++) {
    below = middle;
    middle = above;
    above = k < nz - 1 ? in[here + layer] : above;
    out[here] = 2 * middle + in[west] + 3 * in[east] + 5 * in[north] + 7 * in[south] + below - above;
    here += layer;
    west += layer;
    east += layer;
    north += layer;
    south += layer;
  }
}

static int fields(int blocks, int threads)
{
  int points = blocks * threads, wrong = 0;
  std::vector<float> rate(points * FIELDS), mass(points * FIELDS), heat(points * FIELDS);
  for (int i = 0; i < points * FIELDS; i++) rate[i] = i % 7, mass[i] = i % 5;
  float *a, *b, *c;
  size_t bytes = rate.size() * sizeof(float);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemcpy(a, rate.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, mass.data(), bytes, cudaMemcpyHostToDevice);
  react<<<blocks, threads>>>(a, b, c);
  cudaMemcpy(heat.data(), c, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < points; i++) {
    const float *r = &rate[i], *m = &mass[i];
    int p = points;
    float want[FIELDS] = {r[0] * m[0] + r[p] * m[p], r[2 * p] * m[2 * p] - r[p] * m[0],
                          r[3 * p] + r[4 * p] + r[5 * p] + m[3 * p] * m[4 * p] * m[5 * p]};
    for (int q = 3; q < FIELDS; q++) want[q] = want[q - 3] + r[q * p];
    for (int q = 0; q < FIELDS; q++) wrong += heat[q * p + i] != want[q];
  }
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return wrong;
}

static int volumes(int nx, int ny, int nz)
{
  int size = nx * ny * nz, layer = nx * ny, wrong = 0;
  std::vector<float> in(size), out(size);
  for (int i = 0; i < size; i++) in[i] = i * 3 % 11;
  float *a, *b;
  cudaMalloc(&a, size * sizeof(float));
  cudaMalloc(&b, size * sizeof(float));
  cudaMemcpy(a, in.data(), size * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(16, 4), grid((nx + 15) / 16, (ny + 3) / 4);
  sweep<<<grid, block>>>(a, b, nx, ny, nz);
  cudaMemcpy(out.data(), b, size * sizeof(float), cudaMemcpyDeviceToHost);
  for (int k = 0, at = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++, at++) {
        float west = in[i ? at - 1 : at], east = in[i < nx - 1 ? at + 1 : at],
              north = in[j ? at - nx : at], south = in[j < ny - 1 ? at + nx : at],
              below = in[k ? at - layer : at], above = in[k < nz - 1 ? at + layer : at];
        wrong += out[at] != 2 * in[at] + west + 3 * east + 5 * north + 7 * south + below - above;
      }
  cudaFree(a);
  cudaFree(b);
  return wrong;
}

int main()
{
  int wrong = fields(4, 64) + fields(3, 128) + volumes(32, 8, 5) + volumes(19, 7, 4) + volumes(1, 1, 1);
  printf("%s\n", wrong ? "FAILED" : "ok");
  return wrong != 0;
}

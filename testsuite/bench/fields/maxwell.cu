// Maxwell in 3-D by structures of pointers, managed memory, PML in 1-D coefficient arrays; probes;
// energy.
#include "helpers.h"
struct Fields {
  float *Ex, *Ey, *Ez, *Hx, *Hy, *Hz;
};
struct Pml {
  float *be, *ce, *bh, *ch;
};
struct Dim {
  unsigned nx, ny, nz;
};
#define AT(f, i, j, k) (f)[((k)*d.ny + (j)) * d.nx + (i)]
__constant__ Dim c_dim;
__constant__ float c_dt, c_dx;

__global__ void update_h(Fields F, Dim d, float ch)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
           k = blockIdx.z;
  if (i >= d.nx - 1 || j >= d.ny - 1 || k >= d.nz - 1) return;
  AT(F.Hx, i, j, k) -= ch * ((AT(F.Ez, i, j + 1, k) - AT(F.Ez, i, j, k)) -
                             (AT(F.Ey, i, j, k + 1) - AT(F.Ey, i, j, k)));
  AT(F.Hy, i, j, k) -= ch * ((AT(F.Ex, i, j, k + 1) - AT(F.Ex, i, j, k)) -
                             (AT(F.Ez, i + 1, j, k) - AT(F.Ez, i, j, k)));
  AT(F.Hz, i, j, k) -= ch * ((AT(F.Ey, i + 1, j, k) - AT(F.Ey, i, j, k)) -
                             (AT(F.Ex, i, j + 1, k) - AT(F.Ex, i, j, k)));
}
__global__ void update_e(Fields F, const float *eps, Dim d, float ce)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= d.nx || j >= d.ny) return;
  for (unsigned k = 1; k < d.nz; k++) {
    float s = ce / AT(eps, i, j, k);
    AT(F.Ex, i, j, k) += s * ((AT(F.Hz, i, j, k) - AT(F.Hz, i, j - 1, k)) -
                              (AT(F.Hy, i, j, k) - AT(F.Hy, i, j, k - 1)));
    AT(F.Ey, i, j, k) += s * ((AT(F.Hx, i, j, k) - AT(F.Hx, i, j, k - 1)) -
                              (AT(F.Hz, i, j, k) - AT(F.Hz, i - 1, j, k)));
    AT(F.Ez, i, j, k) += s * ((AT(F.Hy, i, j, k) - AT(F.Hy, i - 1, j, k)) -
                              (AT(F.Hx, i, j, k) - AT(F.Hx, i, j - 1, k)));
  }
}
__global__ void pml_x(float *Ey, const float *Hz, float *psi, Pml p, int width)
{
  const Dim &d = c_dim;
  int i = threadIdx.x, j = blockIdx.x * blockDim.y + threadIdx.y, k = blockIdx.y;
  if (i < 1 || i >= width || j >= (int)d.ny) return;
  int q = (k * d.ny + j) * width + i;
  psi[q] = p.be[i] * psi[q] + p.ce[i] * (AT(Hz, i, j, k) - AT(Hz, i - 1, j, k)) / c_dx;
  AT(Ey, i, j, k) -= c_dt * psi[q];
}
__global__ void dft_probe(const float *E, float2 *acc, unsigned long long n, float cosw, float sinw)
{
  unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
  if (i < n) {
    float2 a = acc[i];
    a.x += E[i] * cosw;
    a.y -= E[i] * sinw;
    acc[i] = a;
  }
}
__global__ void energy(Fields F, Dim d, double *out)
{
  double e = 0;
  unsigned n = d.nx * d.ny * d.nz;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    e += (double)F.Ex[i] * F.Ex[i] + (double)F.Ey[i] * F.Ey[i] + (double)F.Ez[i] * F.Ez[i] +
         (double)F.Hx[i] * F.Hx[i] + (double)F.Hy[i] * F.Hy[i] + (double)F.Hz[i] * F.Hz[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = e;
}
__global__ void poynting(Fields F, Dim d, float *S, unsigned plane)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i + 1 < d.nx && j + 1 < d.ny) {
    float ex = 0.5f * (AT(F.Ex, i, j, plane) + AT(F.Ex, i, j + 1, plane)),
          ey = 0.5f * (AT(F.Ey, i, j, plane) + AT(F.Ey, i + 1, j, plane));
    float hx = 0.25f * (AT(F.Hx, i, j, plane) + AT(F.Hx, i + 1, j, plane) +
                        AT(F.Hx, i, j, plane + 1) + AT(F.Hx, i + 1, j, plane + 1));
    float hy = 0.25f * (AT(F.Hy, i, j, plane) + AT(F.Hy, i, j + 1, plane) +
                        AT(F.Hy, i, j, plane + 1) + AT(F.Hy, i, j + 1, plane + 1));
    S[j * d.nx + i] = ex * hy - ey * hx;
  }
}
__global__ void drude(float *E, float *J, const float *mask, float a, float b, int total)
{
  int stride = blockDim.x * gridDim.x;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < total; i += stride) {
    if (mask[i] > 0.5f) {
      float j = a * J[i] + b * E[i];
      E[i] -= 0.5f * (J[i] + j);
      J[i] = j;
    }
  }
}
int main(int argc, char **argv)
{
  unsigned n = argc > 1 ? atoi(argv[1]) : 24;
  int it = argc > 2 ? atoi(argv[2]) : 2;
  Dim d = {n, n + 2, n + 1};
  size_t m = (size_t)d.nx * d.ny * d.nz;
  Fields F;
  float **all[6] = {&F.Ex, &F.Ey, &F.Ez, &F.Hx, &F.Hy, &F.Hz};
  for (int i = 0; i < 6; i++) {
    cudaMallocManaged((void **)all[i], m * sizeof(float));
    for (size_t k = 0; k < m; k++) (*all[i])[k] = rnd() - 0.5f;
  }
  float *eps = random_floats(m, 1, 4), *J = zeros<float>(m), *mask = random_floats(m, 0, 1),
        *S = zeros<float>(d.nx * d.ny);
  int width = 12;
  Pml p = {random_floats(width, 0.5f, 1), random_floats(width, -0.1f, 0),
           random_floats(width, 0.5f, 1), random_floats(width, -0.1f, 0)};
  float *psi = zeros<float>((size_t)width * d.ny * d.nz);
  float2 *acc = zeros<float2>(m);
  double *en = zeros<double>(64 * 128);
  float dt = 0.01f, dx = 0.1f;
  cudaMemcpyToSymbol(c_dim, &d, sizeof d);
  cudaMemcpyToSymbol(c_dt, &dt, 4);
  cudaMemcpyToSymbol(c_dx, &dx, 4);
  dim3 bl(32, 4), g((d.nx + 31) / 32, (d.ny + 3) / 4);
  for (int t = 0; t < it; t++) {
    update_h<<<dim3(g.x, g.y, d.nz), bl>>>(F, d, 0.05f);
    update_e<<<g, bl>>>(F, eps, d, 0.05f);
    pml_x<<<dim3((d.ny + 7) / 8, d.nz), dim3(16, 8)>>>(F.Ey, F.Hz, psi, p, width);
    dft_probe<<<(unsigned)((m + 255) / 256), 256>>>(F.Ez, acc, m, cosf(0.1f * t), sinf(0.1f * t));
    drude<<<60, 256>>>(F.Ex, J, mask, 0.9f, 0.1f, (int)m);
    energy<<<64, 128>>>(F, d, en);
    poynting<<<g, bl>>>(F, d, S, n / 2);
  }
  cudaDeviceSynchronize();
  show("Ex", F.Ex, m);
  show("Ey", F.Ey, m);
  show("Hz", F.Hz, m);
  show("acc", acc, m);
  show("en", en, 64 * 128);
  show("S", S, (size_t)d.nx * d.ny);
  show("psi", psi, (size_t)width * d.ny * d.nz);
}

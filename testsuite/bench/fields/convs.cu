// Convolutions and pooling in [N][C][H][W], sizes in a struct, managed memory.
#include <cstdio>
#include <cstdlib>

struct Shape {
  int n, c, h, w, k, r, s, stride, pad, dil, oh, ow;
};

__global__ void conv2d(const float *in, const float *wt, const float *bias, float *out, int C,
                       int H, int W, int K, int R, int S, int stride, int pad, int dil, int OH,
                       int OW)
{
  int ow = blockIdx.x * blockDim.x + threadIdx.x;
  int oh = blockIdx.y * blockDim.y + threadIdx.y;
  int nk = blockIdx.z;
  int n = nk / K, k = nk % K;
  if (ow >= OW || oh >= OH) return;
  float acc = bias[k];
  for (int c = 0; c < C; c++)
    for (int r = 0; r < R; r++)
      for (int s = 0; s < S; s++) {
        int ih = oh * stride - pad + r * dil;
        int iw = ow * stride - pad + s * dil;
        if (ih >= 0 && ih < H && iw >= 0 && iw < W)
          acc += in[((n * C + c) * H + ih) * W + iw] * wt[((k * C + c) * R + r) * S + s];
      }
  out[((n * K + k) * OH + oh) * OW + ow] = acc;
}

__global__ void conv2d_flat(const float *in, const float *wt, float *out, Shape p)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= p.n * p.k * p.oh * p.ow) return;
  int x = idx % p.ow, y = (idx / p.ow) % p.oh, k = (idx / (p.ow * p.oh)) % p.k;
  int n = idx / (p.k * p.oh * p.ow);
  float acc = 0;
  for (int c = 0; c < p.c; c++)
    for (int r = 0; r < p.r; r++)
      for (int s = 0; s < p.s; s++) {
        int iy = y * p.stride - p.pad + r, ix = x * p.stride - p.pad + s;
        if (iy < 0 || iy >= p.h || ix < 0 || ix >= p.w) continue;
        acc += in[((n * p.c + c) * p.h + iy) * p.w + ix] * wt[((k * p.c + c) * p.r + r) * p.s + s];
      }
  out[idx] = acc;
}

__global__ void depthwise3x3(const float *in, const float *wt, float *out, int C, int H, int W)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int nc = blockIdx.z, c = nc % C;
  if (x >= W || y >= H) return;
  float s = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int yy = y + i - 1, xx = x + j - 1;
      if (yy >= 0 && yy < H && xx >= 0 && xx < W)
        s += in[(nc * H + yy) * W + xx] * wt[c * 9 + i * 3 + j];
    }
  out[(nc * H + y) * W + x] = s;
}

__global__ void maxpool(const float *in, float *out, int C, int H, int W, int k, int stride, int OH,
                        int OW)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= C * OH * OW) return;
  int ox = idx % OW, oy = (idx / OW) % OH, c = idx / (OW * OH);
  float m = -1e30f;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) {
      int y = oy * stride + i, x = ox * stride + j;
      if (y < H && x < W) m = fmaxf(m, in[(c * H + y) * W + x]);
    }
  out[idx] = m;
}

__global__ void im2col(const float *im, float *col, int C, int H, int W, int k, int stride, int pad,
                       int OH, int OW)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= C * OH * OW) return;
  int w = idx % OW, h = idx / OW % OH, c = idx / OW / OH;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) {
      int y = h * stride - pad + i, x = w * stride - pad + j;
      col[(((c * k + i) * k + j) * OH + h) * OW + w] =
          y >= 0 && x >= 0 && y < H && x < W ? im[(c * H + y) * W + x] : 0;
    }
}

__global__ void conv_transpose(const float *in, const float *wt, float *out, int C, int K, int H,
                               int W, int R, int stride, int OH, int OW)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      k = blockIdx.z;
  if (x >= OW || y >= OH) return;
  float s = 0;
  for (int c = 0; c < C; c++)
    for (int i = 0; i < R; i++)
      for (int j = 0; j < R; j++) {
        int a = y - i, b = x - j;
        if (a < 0 || b < 0 || a % stride || b % stride) continue;
        a /= stride, b /= stride;
        if (a < H && b < W) s += in[(c * H + a) * W + b] * wt[((c * K + k) * R + i) * R + j];
      }
  out[(k * OH + y) * OW + x] = s;
}

__global__ void conv1d(const float *in, const float *wt, float *out, int C, int K, int L, int R)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y;
  int OL = L - R + 1;
  if (t >= OL) return;
  float s = 0;
  for (int c = 0; c < C; c++)
    for (int r = 0; r < R; r++) s += in[c * L + t + r] * wt[(k * C + c) * R + r];
  out[k * OL + t] = s;
}

static void fill(float *p, int n, int seed)
{
  for (int i = 0; i < n; i++) p[i] = ((i * 17 + seed) % 31 - 15) / 16.f;
}
static void show(const char *name, const float *p, int n)
{
  cudaDeviceSynchronize();
  double s = 0;
  for (int i = 0; i < n; i++) s += p[i] * (1 + i % 3);
  printf("%s %.6g\n", name, s);
}

int main(int argc, char **argv)
{
  int H = argc > 1 ? atoi(argv[1]) : 20, C = argc > 2 ? atoi(argv[2]) : 3, N = 2, K = 2 * C,
      W = H + 2;
  int reps = argc > 3 ? atoi(argv[3]) : 1, stride = argc > 4 ? atoi(argv[4]) : 2,
      R = argc > 5 ? atoi(argv[5]) : 3;
  int pad = R / 2, OH = (H + 2 * pad - R) / stride + 1, OW = (W + 2 * pad - R) / stride + 1;
  float *in, *wt, *bias, *out;
  int most = N * K * H * W * (stride == 1 ? 1 : 4) + C * R * R * OH * OW;
  cudaMallocManaged(&in, sizeof(float) * N * C * H * W);
  cudaMallocManaged(&wt, sizeof(float) * K * C * R * R * 9);
  cudaMallocManaged(&bias, sizeof(float) * K);
  cudaMallocManaged(&out, sizeof(float) * most);
  fill(in, N * C * H * W, 3), fill(wt, K * C * R * R * 9, 5), fill(bias, K, 7), fill(out, most, 0);
  Shape p = {N, C, H, W, K, R, R, stride, pad, 1, OH, OW};
  dim3 t(16, 16), g((OW + 15) / 16, (OH + 15) / 16, N * K), gi((W + 15) / 16, (H + 15) / 16, N * C);
  int PH = (H - R) / stride + 1, PW = (W - R) / stride + 1, TH = (H - 1) * stride + R,
      TW = (W - 1) * stride + R;
  for (int i = 0; i < reps; i++) {
    bool last = i == reps - 1;
    conv2d<<<g, t>>>(in, wt, bias, out, C, H, W, K, R, R, stride, pad, 1, OH, OW);
    if (last) show("conv2d", out, N * K * OH * OW);
    conv2d_flat<<<(N * K * OH * OW + 255) / 256, 256>>>(in, wt, out, p);
    if (last) show("conv2d_flat", out, N * K * OH * OW);
    depthwise3x3<<<gi, t>>>(in, wt, out, C, H, W);
    if (last) show("depthwise", out, N * C * H * W);
    maxpool<<<(N * C * PH * PW + 255) / 256, 256>>>(in, out, N * C, H, W, R, stride, PH, PW);
    if (last) show("maxpool", out, N * C * PH * PW);
    im2col<<<(C * OH * OW + 255) / 256, 256>>>(in, out, C, H, W, R, stride, pad, OH, OW);
    if (last) show("im2col", out, C * R * R * OH * OW);
    conv_transpose<<<dim3((TW + 15) / 16, (TH + 15) / 16, K), t>>>(in, wt, out, C, K, H, W, R,
                                                                   stride, TH, TW);
    if (last) show("conv_transpose", out, K * TH * TW);
    conv1d<<<dim3((H * W - R + 256) / 256, K), 256>>>(in, wt, out, C, K, H * W, R);
    if (last) show("conv1d", out, K * (H * W - R + 1));
  }
  cudaDeviceSynchronize();
  return 0;
}

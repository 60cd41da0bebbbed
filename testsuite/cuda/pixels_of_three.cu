// Arrays of records of three numbers of one or two bytes, the toolkit's and the program's own: read,
// written, both, in rows and from addresses that are not aligned; members that are stored alone.
// args: --mapping=always
#include <cstdio>
#include <vector>

typedef unsigned char byte;
struct Pixel { byte r, g, b; };
struct Deep { short x, y, z; };

#define ID                                        \
  int i = blockIdx.x * blockDim.x + threadIdx.x;  \
  if (i >= n) return

__global__ void grey(const uchar3 *in, byte *out, int n)
{
  ID;
  uchar3 p = in[i];
  out[i] = (byte)(.25f * p.x + .5f * p.y + .125f * p.z);
}

__global__ void grey_rows(const Pixel *in, byte *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = (byte)((in[y * w + x].r * 77 + in[y * w + x].g * 150) >> 8);
}

__global__ void turned(const uchar3 *in, uchar3 *out, int n)
{
  ID;
  uchar3 p = in[i];
  out[i] = make_uchar3(p.z, 255 - p.x, p.y);
}

__global__ void darker(Pixel *image, int n, int by)
{
  ID;
  Pixel p = image[i];
  p.r = p.r > by ? p.r - by : 0;
  p.b = p.b / 2;
  image[i] = p;
}

__global__ void wide(const Pixel *in, float *out, int n)
{
  ID;
  const Pixel &p = in[i];
  out[i] = p.r + 256.f * p.g + p.b / 256.f;
}

__global__ void shorts(const Deep *in, Deep *out, int n)
{
  ID;
  Deep d = in[i], e;
  e.x = d.z;
  e.y = d.x - d.y;
  e.z = d.y;
  out[i] = e;
}

__global__ void one_member(const Pixel *in, Pixel *out, int n)
{
  ID;
  out[i].g = in[i].b;
}

__global__ void neighbours(const Pixel *in, byte *out, int n)
{
  ID;
  if (i + 1 < n) out[i] = in[i].r + in[i + 1].g;
}

static int wrong = 0;

template <class T> static void compare(const char *what, const T *d, const std::vector<T> &want)
{
  std::vector<T> got(want.size());
  cudaMemcpy(got.data(), d, got.size() * sizeof(T), cudaMemcpyDeviceToHost);
  const byte *a = (const byte *)got.data(), *b = (const byte *)want.data();
  for (size_t i = 0; i < want.size() * sizeof(T); i++)
    if (a[i] != b[i] && wrong++ < 20)
      printf("%s: byte %zu is %d, not %d\n", what, i, a[i], b[i]);
}

template <class T> static T *device(const std::vector<T> &h, size_t more)
{
  T *d;
  cudaMalloc(&d, (h.size() + more) * sizeof(T));
  cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}

static void pixels(int n, int shift)
{
  std::vector<Pixel> in(n + shift), image, ones(n, Pixel{1, 2, 3});
  std::vector<byte> out(n);
  std::vector<uchar3> round(n);
  std::vector<float> sums(n);
  for (int i = 0; i < n + shift; i++) in[i] = Pixel{(byte)(i * 7), (byte)(i * 3 + 1), (byte)(i / 5)};
  Pixel *d = device(in, 0), *p = d + shift, *set = device(ones, 0);
  byte *o = device(out, 0);
  uchar3 *u = device(round, 0);
  float *f = device(sums, 0);
  image.assign(in.begin() + shift, in.end());
  int blocks = (n + 127) / 128;
  for (int i = 0; i < n; i++)
    out[i] = (byte)(.25f * image[i].r + .5f * image[i].g + .125f * image[i].b);
  grey<<<blocks, 128>>>((uchar3 *)p, o, n);
  compare("grey", o, out);
  for (int i = 0; i < n; i++) round[i] = make_uchar3(image[i].b, 255 - image[i].r, image[i].g);
  turned<<<blocks, 128>>>((uchar3 *)p, u, n);
  compare("turned", u, round);
  for (int i = 0; i < n; i++) sums[i] = image[i].r + 256.f * image[i].g + image[i].b / 256.f;
  wide<<<blocks, 128>>>(p, f, n);
  compare("wide", f, sums);
  for (int i = 0; i < n; i++) ones[i].g = image[i].b;
  one_member<<<blocks, 128>>>(p, set, n);
  compare("one_member", set, ones);
  for (int i = 0; i + 1 < n; i++) out[i] = image[i].r + image[i + 1].g;
  neighbours<<<blocks, 128>>>(p, o, n);
  compare("neighbours", o, out);
  for (int i = 0; i < n; i++) {
    image[i].r = image[i].r > 40 ? image[i].r - 40 : 0;
    image[i].b /= 2;
  }
  darker<<<blocks, 128>>>(p, n, 40);
  compare("darker", p, image);
}

static void rows(int w, int h)
{
  std::vector<Pixel> in(w * h);
  std::vector<byte> out(w * h);
  for (int i = 0; i < w * h; i++) {
    in[i] = Pixel{(byte)(i * 5), (byte)(i * 11), (byte)i};
    out[i] = (byte)((in[i].r * 77 + in[i].g * 150) >> 8);
  }
  byte *o = device(out, 0);
  cudaMemset(o, 0, w * h);
  grey_rows<<<dim3((w + 31) / 32, (h + 3) / 4), dim3(32, 4)>>>(device(in, 0), o, w, h);
  compare("grey_rows", o, out);
}

static void deep(int n)
{
  std::vector<Deep> in(n), out(n);
  for (int i = 0; i < n; i++) {
    in[i] = Deep{(short)(i * 31), (short)(7 - i), (short)(i / 3)};
    out[i] = Deep{in[i].z, (short)(in[i].x - in[i].y), in[i].y};
  }
  Deep *o = device(std::vector<Deep>(n), 0);
  shorts<<<(n + 127) / 128, 128>>>(device(in, 0), o, n);
  compare("shorts", o, out);
}

int main()
{
  for (int n : {10000, 16384, 37}) pixels(n, 0);
  pixels(9000, 3);
  pixels(8192, 16);
  rows(2112, 5);
  rows(1000, 3);
  rows(33, 17);
  deep(8192);
  deep(5000);
  if (cudaDeviceSynchronize() != cudaSuccess) wrong++;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}

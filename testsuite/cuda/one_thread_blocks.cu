// args: --mapping=always
// Blocks of one thread, as beginners' books have them, with classes that have constructors and
// operators. Classes that only compute do not keep a kernel as written; those that write their
// members, or copy otherwise than by bytes, are seen to do so.
#include <cstdio>
#include <cstdlib>

enum { SIDE = 40, CELLS = SIDE * SIDE };

// Operators that are not const, though they write nothing.
struct Point {
  float r, i;
  __host__ __device__ Point(float a, float b) : r(a), i(b) {}
  __host__ __device__ float size() { return r * r + i * i; }
  __host__ __device__ Point operator*(const Point &a)
  {
    return Point(r * a.r - i * a.i, i * a.r + r * a.i);
  }
  __host__ __device__ Point operator+(const Point &a) { return Point(r + a.r, i + a.i); }
};

__host__ __device__ int steps(int x, int y)
{
  Point c(-0.75f, 0.125f), a((float)(x - SIDE / 2) / 16, (float)(y - SIDE / 2) / 16);
  for (int k = 0; k < 20; k++) {
    a = a * a + c;
    if (a.size() > 1000) return k;
  }
  return 20;
}

__global__ void picture(unsigned char *out)
{
  int x = blockIdx.x, y = blockIdx.y, at = x + y * gridDim.x;
  int v = steps(x, y);
  out[at * 2] = 12 * v;
  out[at * 2 + 1] = 7;
}

// Each call of a temporary, or of a local, writes a member: by =, by a step, behind this.
struct Walk {
  int at, count;
  __host__ __device__ Walk(int a) : at(a), count(0) {}
  __host__ __device__ int next()
  {
    this->at = at * 5 % 101;
    return at;
  }
  __host__ __device__ int third() { return next() + next() + next(); }
  __host__ __device__ int counted() { return at + 10 * ++count; }
  __host__ __device__ Walk from() { return Walk(at + 1); }
  // Writes a local of the class, and no member.
  __host__ __device__ int ahead()
  {
    Walk copy(at);
    copy.at = copy.at + 2;
    copy.count += copy.at;
    return copy.count;
  }
};

__host__ __device__ int walked(int first)
{
  Walk walk(first);
  int sum = walk.ahead() + walk.from().ahead();
  for (int k = 0; k < 3; k++) sum += walk.next() * (k + 1);
  sum += walk.third() + walk.counted();
  return sum + 100 * walk.counted() + walk.ahead() + walk.at;
}

__global__ void walks(int *out) { out[blockIdx.x] = walked(blockIdx.x); }

// Copies count: neither = nor the copy is one of bytes.
struct Counted {
  int value, copies;
  __host__ __device__ Counted(int v) : value(v), copies(0) {}
  __host__ __device__ Counted(const Counted &o) : value(o.value), copies(o.copies + 1) {}
  __host__ __device__ Counted &operator=(const Counted &o)
  {
    value = o.value;
    copies = o.copies + 10;
    return *this;
  }
  __host__ __device__ int sum(Counted o) { return o.copies + value; }
};

__host__ __device__ int copied(int first)
{
  Counted a(first), b(2);
  b = a;
  Counted c(b);
  return c.copies * 100 + a.sum(c);
}

__global__ void copies(int *out) { out[blockIdx.x] = copied(blockIdx.x); }

// The number of blocks by itself, in blocks of several threads.
__global__ void grids(int *out)
{
  int i = blockIdx.x * 4 + threadIdx.x;
  out[i] = i + 1000 * gridDim.x;
}

// Members of a block that meet in a function: with one thread it meets nobody.
__device__ int met(int x)
{
  __shared__ int place[1];
  place[0] = x;
  __syncthreads();
  return place[0] * 3;
}

__global__ void meets(int *out) { out[blockIdx.x] = met(blockIdx.x); }

static int compared(const char *what, const int *out, int count, int (*wanted)(int))
{
  static int host[CELLS];
  int bad = 0;
  cudaMemcpy(host, out, (size_t)count * sizeof *host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; i++)
    if (host[i] != wanted(i) && bad++ < 3)
      printf("%s: [%d] is %d, not %d\n", what, i, host[i], wanted(i));
  return bad;
}

static int of_grids(int i) { return i + 1000 * (CELLS / 4); }
static int of_meets(int i) { return i * 3; }

int main(int argc, char **argv)
{
  int side = argc > 1 ? atoi(argv[1]) : SIDE, cells = side * side, bad = 0;
  static unsigned char host[CELLS * 2];
  unsigned char *image;
  int *out;
  cudaMalloc(&image, CELLS * 2);
  cudaMalloc(&out, CELLS * sizeof *out);
  picture<<<dim3(side, side), 1>>>(image);
  cudaMemcpy(host, image, CELLS * 2, cudaMemcpyDeviceToHost);
  for (int i = 0; i < cells; i++) {
    int wanted = 12 * steps(i % side, i / side) % 256;
    if ((host[i * 2] != wanted || host[i * 2 + 1] != 7) && bad++ < 3)
      printf("picture: [%d] is %d, not %d\n", i, host[i * 2], wanted);
  }
  walks<<<cells, 1>>>(out);
  bad += compared("walks", out, cells, walked);
  copies<<<cells, 1>>>(out);
  bad += compared("copies", out, cells, copied);
  grids<<<cells / 4, 4>>>(out);
  bad += compared("grids", out, cells, of_grids);
  meets<<<cells, 1>>>(out);
  bad += compared("meets", out, cells, of_meets);
  printf(bad ? "%d wrong\n" : "right\n", bad);
  return bad != 0;
}

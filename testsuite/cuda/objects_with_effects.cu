// Objects whose constructors, destructors and copies write memory that the kernel uses: in kernels,
// in device functions, as members and bases, as temporaries.
#include <cstdio>
#include <vector>

const int N = 4096;
__device__ int counted;

struct adds {
  __device__ adds(int *p) { *p += 1; }
};
struct at_end {
  int *p;
  __device__ at_end(int *q) : p(q) {}
  __device__ ~at_end() { *p *= 2; }
};
struct counts_copies {
  int value;
  __device__ counts_copies(int n) : value(n) {}
  __device__ counts_copies(const counts_copies &other) : value(other.value) { atomicAdd(&counted, 1); }
};
struct holds {
  adds first;
  int value;
  __device__ holds(int *p, int n) : first(p), value(n) {}
};
struct derived : at_end {
  __device__ derived(int *q) : at_end(q) {}
};
struct plain {
  int x, y;
  __device__ plain(int a, int b) : x(a), y(b) {}
};

__global__ void made(int *a, int *b)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  adds one(a + i);
  b[i] = a[i] * a[i] + a[i];
}

__global__ void ended(int *a, int *b)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  {
    at_end last(a + i);
    b[i] = a[i] * a[i];
  }
  b[i] += a[i] * a[i] + a[i];
}

__global__ void copied(const int *a, int *b)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  counts_copies one(a[i]), two = one;
  b[i] = two.value * a[i] + a[i];
}

__global__ void members(int *a, int *b)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  holds h(a + i, 3);
  b[i] = a[i] * a[i] + a[i] + h.value;
}

__device__ int through(int *p)
{
  derived d(p);
  return *p + 1;
}

__global__ void called(int *a, int *b)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = through(a + i);
  b[i] = a[i] * a[i] + a[i] + v;
}

__global__ void temporary(int *a, int *b)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * a[i];
  adds(a + i);
  b[i] += a[i] * a[i] + a[i];
}

__global__ void harmless(const int *a, int *b)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  plain p(a[i], 2);
  b[i] = p.x * p.y + a[i] * a[i];
}

int main()
{
  std::vector<int> a(N), b(N);
  int *da, *db, wrong = 0;
  cudaMalloc(&da, N * sizeof(int));
  cudaMalloc(&db, N * sizeof(int));
  for (int k = 0; k < 7; k++) {
    for (int i = 0; i < N; i++) a[i] = i % 37;
    cudaMemcpy(da, a.data(), N * sizeof(int), cudaMemcpyHostToDevice);
    switch (k) {
    case 0: made<<<N / 128, 128>>>(da, db); break;
    case 1: ended<<<N / 128, 128>>>(da, db); break;
    case 2: copied<<<N / 128, 128>>>(da, db); break;
    case 3: members<<<N / 128, 128>>>(da, db); break;
    case 4: called<<<N / 128, 128>>>(da, db); break;
    case 5: temporary<<<N / 128, 128>>>(da, db); break;
    case 6: harmless<<<N / 128, 128>>>(da, db); break;
    }
    cudaMemcpy(b.data(), db, N * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
      int x = i % 37, y = x + 1;
      int expected[] = {y * y + y,         x * x + 4 * x * x + 2 * x, x * x + x,    y * y + y + 3,
                        4 * x * x + 2 * x + x + 1, x * x + y * y + y,  2 * x + x * x};
      if (b[i] != expected[k] && wrong++ < 5)
        printf("kernel %d, %d: %d, not %d\n", k, i, b[i], expected[k]);
    }
  }
  int copies = 0;
  cudaMemcpyFromSymbol(&copies, counted, sizeof copies);
  if (copies != N) printf("%d copies\n", copies), wrong++;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}

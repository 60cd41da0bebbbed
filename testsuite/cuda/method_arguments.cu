// args: --mapping=always
// Launches whose arguments and shapes come from methods of the host: of class templates, of several
// statements, through references, handles and smart pointers, by conversions; and methods that
// change something, which each launch has to call once.
#include <cstdio>
#include <memory>
#include <vector>
#include <cuda_runtime.h>

enum { N = 80 };

__global__ void square(const float *a, float *c, int n)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * a[k * n + col];
  c[row * n + col] = sum;
}

static int asked;

template <class T> class buffer {
public:
  explicit buffer(size_t n) : size_(n) { cudaMalloc((void **)&p_, n * sizeof(T)); }
  buffer(const buffer &) = delete;
  ~buffer() { cudaFree(p_); }
  T *data() { return p_; }
  const T *data() const { return p_; }
  size_t size() const { return size_; }
  operator T *() { return p_; }
  operator const T *() const { return p_; }
  T *checked()
  {
    if (!p_) throw "no memory";
    T *found = p_;
    size_t left = size_;
    while (left > size_ / 2) left -= 1;
    return left ? found : nullptr;
  }
  T *counted()
  {
    asked++;
    return p_;
  }
  T *stepped() { return p_ + step_++ % 1; }
  int steps() const { return step_; }

private:
  T *p_ = nullptr;
  size_t size_;
  int step_ = 0;
};

template <class T> class handle {
public:
  explicit handle(T *raw) : raw_(raw) {}
  T *operator->() const { return raw_; }
  T &operator*() const { return *raw_; }
  T *get() const { return raw_; }

private:
  T *raw_;
};

struct matrix {
  buffer<float> store;
  int width;
  explicit matrix(int n) : store(n * n), width(n) {}
  float *row(int i)
  {
    int at = i * width;
    return store.data() + at;
  }
  int columns() const { return width; }
  dim3 grid() const
  {
    dim3 g;
    g.x = (width + 15) / 16;
    g.y = g.x;
    return g;
  }
};

struct shape {
  virtual ~shape() {}
  virtual int size() const
  {
    asked++;
    return N;
  }
};

static float in[N * N], out[N * N], expected[N * N];
static int failures;

static void check(const char *name, float *from)
{
  cudaMemcpy(out, from, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemset(from, 0, sizeof out);
  for (int i = 0; i < N * N; i++)
    if (out[i] != expected[i]) {
      printf("%s: [%d] is %g, not %g\n", name, i, out[i], expected[i]);
      failures++;
      return;
    }
}

static void count(const char *name, int is, int should)
{
  if (is == should) return;
  printf("%s: %d, not %d\n", name, is, should);
  failures++;
}

template <class T> static void by_reference(const buffer<T> &from, buffer<T> &to, int n)
{
  square<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(from.data(), to.data(), n);
}

int main()
{
  const dim3 grid((N + 15) / 16, (N + 15) / 16), block(16, 16);
  buffer<float> a(N * N), c(N * N);

  for (int i = 0; i < N * N; i++) in[i] = (float)(i * 7 % 11 - 5);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) expected[i * N + j] += in[i * N + k] * in[k * N + j];
  cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);

  square<<<grid, block>>>(a.data(), c.data(), (int)(c.size() / N));
  check("data", c);
  square<<<grid, block>>>(a, c, N);
  check("conversions", c);
  square<<<grid, block>>>(a.checked(), c.checked(), N);
  check("checked", c);
  by_reference(a, c, N);
  check("references", c);

  handle<buffer<float>> ha(&a), hc(&c);
  square<<<grid, block>>>(ha->data(), (*hc).data(), (int)ha->size() / N);
  check("handles", c);
  handle<float> raw(c.data());
  square<<<grid, block>>>(ha.get()->data(), &*raw, N);
  check("raw handles", c);

  std::unique_ptr<matrix> m(new matrix(N));
  square<<<m->grid(), block>>>(a.data(), m->row(0), m->columns());
  check("unique_ptr", m->row(0));
  std::shared_ptr<matrix> s = std::make_shared<matrix>(N);
  square<<<s->grid(), block>>>(a.data(), s.get()->row(0), s->columns());
  check("shared_ptr", s->row(0));
  std::vector<float *> pointers = {a.data(), c.data()};
  square<<<grid, block>>>(pointers[0], pointers.at(1), N);
  check("vector", c);

  square<<<grid, block>>>(a.counted(), c.counted(), N);
  check("counted", c);
  count("counted", asked, 2);
  square<<<grid, block>>>(a.stepped(), c.stepped(), N);
  check("stepped", c);
  count("stepped", a.steps() + c.steps(), 2);
  shape of;
  shape *any = &of;
  square<<<grid, block>>>(a.data(), c.data(), any->size());
  check("virtual", c);
  count("virtual", asked, 3);
  printf(failures ? "wrong\n" : "ok\n");
  return failures != 0;
}

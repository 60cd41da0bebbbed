// args: --mapping=always
// Types and kernels in namespaces without a name: parameters, elements, template arguments. One name
// stands outside as well, with other members. Launches in methods give members of the object, by
// their name alone, through a pointer, of an object in it.
#include <cstdio>
#include <vector>

namespace {

struct domain {
  int rows, cols, depth;
  const int *left;
};

struct number {
  int value;
};

enum class side { plain, turned };

__global__ void product(domain d, const int *right, int *out)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= d.rows || j >= d.cols) return;
  int sum = 0;
  for (int k = 0; k < d.depth; k++) sum += d.left[i * d.depth + k] * right[k * d.cols + j];
  out[i * d.cols + j] = sum;
}

template <class T> __global__ void product_of(const T *left, const T *right, T *out, int n)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  int sum = 0;
  for (int k = 0; k < n; k++) sum += left[i * n + k].value * right[k * n + j].value;
  out[i * n + j].value = sum;
}

template <side S> __global__ void on_side(const int *left, const int *right, int *out, int n)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  int sum = 0;
  for (int k = 0; k < n; k++)
    sum += left[i * n + k] * (S == side::plain ? right[k * n + j] : right[j * n + k]);
  out[i * n + j] = sum;
}

} // namespace

namespace lib {

struct cell { // not the one below
  int value[3];
};

namespace {

struct cell {
  int value, weight;
};

__global__ void gather(const cell *cells, const int *x, int *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int j = 0; j < n; j++) {
    cell c = cells[i * n + j];
    sum += c.value * c.weight * x[j];
  }
  out[i] = sum;
}

void run(const int *cells, const int *x, int *out, int n)
{
  gather<<<(n + 31) / 32, 32>>>((const cell *)cells, x, out, n);
}

} // namespace

void cells(const int *from, const int *x, int *out, int n) { run(from, x, out, n); }
size_t size() { return sizeof(lib::cell[2]); }

} // namespace lib

class solver {
  struct part {
    domain of;
  };
  int n_, *right_, *out_;
  domain domain_;
  part part_, *at_ = &part_;
  std::vector<int> left_host_, right_host_;
  int wrong_ = 0;

  void expect(const char *what, bool turned = false)
  {
    std::vector<int> have(n_ * n_);
    wrong_ += cudaMemcpy(have.data(), out_, have.size() * sizeof(int), cudaMemcpyDeviceToHost) !=
              cudaSuccess;
    for (int i = 0; i < n_; i++)
      for (int j = 0; j < n_; j++) {
        int sum = 0;
        for (int k = 0; k < n_; k++)
          sum += left_host_[i * n_ + k] * right_host_[turned ? j * n_ + k : k * n_ + j];
        if (have[i * n_ + j] != sum && wrong_++ < 5)
          printf("%s: [%d][%d] is %d, not %d\n", what, i, j, have[i * n_ + j], sum);
      }
    cudaMemset(out_, 0, n_ * n_ * sizeof(int));
  }

public:
  explicit solver(int n) : n_(n), domain_{n, n, n, nullptr}, left_host_(n * n), right_host_(n * n)
  {
    int *left;
    size_t size = n * n * sizeof(int);
    cudaMalloc(&left, size);
    cudaMalloc(&right_, size);
    cudaMalloc(&out_, size);
    for (int i = 0; i < n * n; i++) {
      left_host_[i] = i * 7 % 23 - 11;
      right_host_[i] = i * 5 % 19 - 9;
    }
    cudaMemcpy(left, left_host_.data(), size, cudaMemcpyHostToDevice);
    cudaMemcpy(right_, right_host_.data(), size, cudaMemcpyHostToDevice);
    domain_.left = left;
    part_.of = domain_;
  }

  int run()
  {
    dim3 block(16, 16), grid((n_ + 15) / 16, (n_ + 15) / 16);
    product<<<grid, block>>>(domain_, right_, out_);
    expect("a member");
    product<<<grid, block>>>(part_.of, right_, out_);
    expect("a member of a member");
    product<<<grid, block>>>(at_->of, right_, out_);
    expect("through a pointer");
    product_of<<<grid, block>>>((const number *)domain_.left, (const number *)right_,
                                (number *)out_, n_);
    expect("a type as an argument");
    on_side<side::plain><<<grid, block>>>(domain_.left, right_, out_, n_);
    expect("an enumerator");
    on_side<side::turned><<<grid, block>>>(domain_.left, right_, out_, n_);
    expect("another enumerator", true);
    return wrong_;
  }

  int run_cells()
  {
    int n = 60;
    std::vector<int> from(n * n * 2), x(n), have(n);
    int *cells, *factors;
    for (int i = 0; i < n * n * 2; i++) from[i] = i * 3 % 17 - 8;
    for (int i = 0; i < n; i++) x[i] = i % 5 - 2;
    cudaMalloc(&cells, from.size() * sizeof(int));
    cudaMalloc(&factors, n * sizeof(int));
    cudaMemcpy(cells, from.data(), from.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(factors, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    lib::cells(cells, factors, out_, n);
    cudaMemcpy(have.data(), out_, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
      int sum = 0;
      for (int j = 0; j < n; j++) sum += from[2 * (i * n + j)] * from[2 * (i * n + j) + 1] * x[j];
      if (have[i] != sum && wrong_++ < 5) printf("cells: [%d] is %d, not %d\n", i, have[i], sum);
    }
    return wrong_ + (lib::size() != 6 * sizeof(int));
  }
};

int main()
{
  solver s(75);
  if (s.run() || s.run_cells()) return 1;
  printf("ok\n");
  return 0;
}

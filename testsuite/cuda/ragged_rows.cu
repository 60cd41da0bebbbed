// args: --mapping=always
// Ranges of neighbouring threads, as rows of a matrix: short, long, empty ones, one of everything,
// ranges in any order; sums whose order matters, loops that are left, what the iterator is behind
// them, several loops, a stride of the grid, two arrays of bounds, guards on both sides.
#include <cstdio>
#include <cstdlib>

enum { ROWS = 700, ELEMENTS = 6000, VECTORS = 3 };
struct edge {
  int to;
  short weight, kind;
};

static int failures;

static void expect(const char *name, const char *shape, const long long *got, const long long *want)
{
  for (int i = 0; i < ROWS * VECTORS; i++)
    if (got[i] != want[i]) {
      printf("%s, %s: element %d is %lld, not %lld\n", name, shape, i, got[i], want[i]);
      failures++;
      return;
    }
}

__global__ void product(long long *out, const int *row, const int *col, const float *val,
                        const float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int j = row[i]; j < row[i + 1]; j++) sum += val[j] * x[col[j]];
    out[i] = (long long)sum;
  }
}

// Another result in another order; an early return; 64 bits.
__global__ void ordered(long long *out, const long long *row, const int *col, const double *val, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const long long begin = row[i], end = row[i + 1];
  unsigned long long h = 7;
  for (long long j = begin; j < end; j++) {
    int c = col[j];
    h = h * 31 + (unsigned long long)(c + (int)val[j]);
  }
  out[i] = (long long)h;
}

__global__ void graph(long long *out, const int *row, const int *col, const int *seen, int *found, int n)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) {
    int news = 0;
    for (int e = row[v]; e < row[v + 1]; e++) {
      int u = col[e];
      if (!seen[u]) {
        found[u] = 1;
        news++;
      }
    }
    out[v] = news;
  }
}

// What the iterator is behind the loop, with a break and a continue.
__global__ void left_early(long long *out, const int *row, const int *col, int limit, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j;
  if (i < n) {
    unsigned h = 1;
    for (j = row[i]; j < row[i + 1]; j++) {
      if (col[j] % 7 == 3) continue;
      h = h * 17 + (unsigned)col[j];
      if (h % 64 == (unsigned)limit) break;
    }
    out[i] = (long long)h * 65536 + j;
  }
}

__global__ void returning(long long *out, const int *row, const int *col, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned h = 3;
    for (int j = row[i]; j < row[i + 1]; j++) {
      h = h * 13 + (unsigned)col[j];
      if (h % 32 == 5) {
        out[i] = h;
        return;
      }
    }
    out[i] = -(long long)h;
  }
}

__global__ void vectors(long long *out, const int *row, const int *col, const int *val, const int *x,
                        int n, int m, int count)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int v = 0; v < count; v++) {
      unsigned sum = 1;
      for (int j = row[i]; j < row[i + 1]; j++)
        sum = sum * 3 + (unsigned)(val[j] * x[v * m + col[j]] + v);
      out[v * n + i] = sum;
    }
}

__global__ void strided(long long *out, const int *row, const edge *edges, int n)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    unsigned h = 9;
    for (int j = row[i]; j != row[i + 1]; j++) h = h * 5 + (unsigned)(edges[j].to * edges[j].weight);
    out[i] = h;
  }
}

// Bounds of two arrays; short rows of words.
__global__ void padded(long long *out, const unsigned *first, const unsigned *last, const int *words, int n)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned h = 2;
    for (unsigned j = first[i]; j < last[i]; j++)
      for (int d = 0; d < 3; d++) h = h * 11 + (unsigned)words[3 * j + d];
    out[i] = h;
  }
}

__global__ void same_words(long long *out, const unsigned *first, const unsigned *last, const int *words, int n)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned h = 2;
    for (unsigned j = first[i]; j < last[i]; j++)
      h = h * 11 + (unsigned)words[3 * j] * 5 + (unsigned)words[3 * j + 2];
    out[i] = h;
  }
}

// Threads between two numbers, and two loops.
__global__ void between(long long *out, const int *row, const int *col, const int *val, int from, int to)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = 4;
  if (!(i < from || i >= to)) {
    for (int j = row[i]; j < row[i + 1]; j++) h = h * 3 + (unsigned)col[j];
    for (int j = row[i]; j < row[i + 1]; j++) h = h * 7 + (unsigned)val[j];
    out[i] = h;
  }
}

// The kernel writes what it reads by.
__global__ void renamed(long long *out, const int *row, int *col, const int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned h = 5;
    for (int j = row[i]; j < row[i + 1]; j++) {
      h = h * 3 + (unsigned)x[col[j]];
      col[j] = (col[j] + 1) % ROWS;
      h = h * 3 + (unsigned)x[col[j]];
    }
    out[i] = h;
  }
}

// The kernel moves the ends of the ranges while it goes over them.
__global__ void shrinking(long long *out, int *row, const int *col, int n)
{
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    unsigned h = 5;
    for (int j = row[i]; j < row[i + 1]; j++) {
      h = h * 3 + (unsigned)col[j];
      if (h % 8 == 1 && row[i + 1] > j + 2) row[i + 1] -= 1;
    }
    out[i] = h;
  }
}

__global__ void narrower(long long *out, const int *row, const int *end, int *moved, const int *col, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned h = 5;
    for (int j = row[i]; j < moved[i]; j++) {
      h = h * 3 + (unsigned)col[j];
      if (h % 8 == 1 && moved[i] > row[i]) moved[i] -= 1;
    }
    out[i] = h + (unsigned)end[i];
  }
}

// ---- on the host ----

static int row[ROWS + 1], col[ELEMENTS], val[ELEMENTS], seen[ROWS], x[ROWS * VECTORS];
static unsigned lasts[ROWS];
static int words[3 * ELEMENTS];
static edge edges[ELEMENTS];
static long long want[ROWS * VECTORS];
static unsigned state = 1;

static unsigned next_random()
{
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

static const char *const shapes[] = {"short", "long",        "power law", "mostly empty",
                                     "empty", "in any order", "one row",   "one late row"};

static int length_of(int shape, int i)
{
  unsigned r = next_random();
  switch (shape) {
  case 0: return 3 + (int)(r % 5);
  case 1: return 5 + (int)(r % 7);
  case 2: return r % 64 == 0 ? 300 : (int)(r % 4);
  case 3: return r % 8 == 0 ? (int)(r / 8 % 40) : 0;
  case 6: return i == 0 ? ELEMENTS : 0;
  case 7: return i == ROWS - 3 ? 5000 : (int)(r % 2);
  default: return 0;
  }
}

static void make_rows(int shape)
{
  row[0] = 0;
  for (int i = 0; i < ROWS; i++) {
    int to = shape == 5 ? (int)(next_random() % 700) + 8 * i : row[i] + length_of(shape, i);
    row[i + 1] = to < ELEMENTS ? to : ELEMENTS;
  }
  for (int i = 0; i < ROWS; i++) {
    int length = row[i + 1] - row[i];
    lasts[i] = (unsigned)(length > 2 && i % 3 == 0 ? row[i] + length / 2 : row[i + 1]);
  }
}

template <typename T> static T *on_device(const T *from, int count)
{
  T *to;
  cudaMalloc(&to, count * sizeof(T));
  cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}

static long long got[ROWS * VECTORS];
static long long *out;

static void begin()
{
  for (int i = 0; i < ROWS * VECTORS; i++) want[i] = -1;
  cudaMemcpy(out, want, sizeof want, cudaMemcpyHostToDevice);
}

static void end(const char *name, int shape)
{
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  expect(name, shapes[shape], got, want);
}

template <typename T> static void copy_as(T *to, const int *from, int count)
{
  for (int i = 0; i < count; i++) to[i] = (T)from[i];
}

static float val_f[ELEMENTS], x_f[ROWS];
static double val_d[ELEMENTS];
static long long row_l[ROWS + 1];
static unsigned row_u[ROWS];

static void run(int shape, int block)
{
  make_rows(shape);
  copy_as(row_l, row, ROWS + 1);
  copy_as(row_u, row, ROWS);
  int *d_row = on_device(row, ROWS + 1), *d_col = on_device(col, ELEMENTS),
      *d_val = on_device(val, ELEMENTS), *d_seen = on_device(seen, ROWS),
      *d_x = on_device(x, ROWS * VECTORS), *d_words = on_device(words, 3 * ELEMENTS);
  float *d_val_f = on_device(val_f, ELEMENTS), *d_x_f = on_device(x_f, ROWS);
  double *d_val_d = on_device(val_d, ELEMENTS);
  long long *d_row_l = on_device(row_l, ROWS + 1);
  unsigned *d_first = on_device(row_u, ROWS), *d_last = on_device(lasts, ROWS);
  edge *d_edges = on_device(edges, ELEMENTS);
  int grid = (ROWS + block - 1) / block;

  begin();
  product<<<grid, block>>>(out, d_row, d_col, d_val_f, d_x_f, ROWS);
  for (int i = 0; i < ROWS; i++) {
    float sum = 0;
    for (int j = row[i]; j < row[i + 1]; j++) sum += val_f[j] * x_f[col[j]];
    want[i] = (long long)sum;
  }
  end("product", shape);

  begin();
  ordered<<<grid, block>>>(out, d_row_l, d_col, d_val_d, ROWS);
  for (int i = 0; i < ROWS; i++) {
    unsigned long long h = 7;
    for (int j = row[i]; j < row[i + 1]; j++) h = h * 31 + (unsigned long long)(col[j] + val[j]);
    want[i] = (long long)h;
  }
  end("ordered", shape);

  begin();
  int *found = on_device(seen, ROWS);
  graph<<<grid, block>>>(out, d_row, d_col, d_seen, found, ROWS);
  for (int i = 0; i < ROWS; i++) {
    want[i] = 0;
    for (int j = row[i]; j < row[i + 1]; j++) want[i] += !seen[col[j]];
  }
  end("graph", shape);
  cudaFree(found);

  begin();
  left_early<<<grid, block>>>(out, d_row, d_col, 9, ROWS);
  for (int i = 0; i < ROWS; i++) {
    unsigned h = 1;
    int j;
    for (j = row[i]; j < row[i + 1]; j++) {
      if (col[j] % 7 == 3) continue;
      h = h * 17 + (unsigned)col[j];
      if (h % 64 == 9) break;
    }
    want[i] = (long long)h * 65536 + j;
  }
  end("left early", shape);

  begin();
  returning<<<grid, block>>>(out, d_row, d_col, ROWS);
  for (int i = 0; i < ROWS; i++) {
    unsigned h = 3;
    bool back = false;
    for (int j = row[i]; j < row[i + 1] && !back; j++) {
      h = h * 13 + (unsigned)col[j];
      back = h % 32 == 5;
    }
    want[i] = back ? (long long)h : -(long long)h;
  }
  end("returning", shape);

  begin();
  vectors<<<grid, block>>>(out, d_row, d_col, d_val, d_x, ROWS, ROWS, VECTORS);
  for (int v = 0; v < VECTORS; v++)
    for (int i = 0; i < ROWS; i++) {
      unsigned sum = 1;
      for (int j = row[i]; j < row[i + 1]; j++)
        sum = sum * 3 + (unsigned)(val[j] * x[v * ROWS + col[j]] + v);
      want[v * ROWS + i] = sum;
    }
  end("vectors", shape);

  if (shape != 5) {
    begin();
    strided<<<2, block>>>(out, d_row, d_edges, ROWS);
    for (int i = 0; i < ROWS; i++) {
      unsigned h = 9;
      for (int j = row[i]; j < row[i + 1]; j++) h = h * 5 + (unsigned)(edges[j].to * edges[j].weight);
      want[i] = h;
    }
    end("strided", shape);
  }

  begin();
  padded<<<grid, block>>>(out, d_first, d_last, d_words, ROWS);
  for (int i = 0; i < ROWS; i++) {
    unsigned h = 2;
    for (unsigned j = row_u[i]; j < lasts[i]; j++)
      for (int d = 0; d < 3; d++) h = h * 11 + (unsigned)words[3 * j + d];
    want[i] = h;
  }
  end("padded", shape);

  begin();
  same_words<<<grid, block>>>(out, d_first, d_first + 1, d_words, ROWS - 1);
  for (int i = 0; i < ROWS - 1; i++) {
    unsigned h = 2;
    for (unsigned j = row_u[i]; j < row_u[i + 1]; j++)
      h = h * 11 + (unsigned)words[3 * j] * 5 + (unsigned)words[3 * j + 2];
    want[i] = h;
  }
  end("same words", shape);

  begin();
  between<<<grid, block>>>(out, d_row, d_col, d_val, 5, ROWS - 70);
  for (int i = 5; i < ROWS - 70; i++) {
    unsigned h = 4;
    for (int j = row[i]; j < row[i + 1]; j++) h = h * 3 + (unsigned)col[j];
    for (int j = row[i]; j < row[i + 1]; j++) h = h * 7 + (unsigned)val[j];
    want[i] = h;
  }
  end("between", shape);

  begin();
  int *moved = on_device(row + 1, ROWS);
  narrower<<<grid, block>>>(out, d_row, d_seen, moved, d_col, ROWS);
  for (int i = 0; i < ROWS; i++) {
    unsigned h = 5;
    int last = row[i + 1];
    for (int j = row[i]; j < last; j++) {
      h = h * 3 + (unsigned)col[j];
      if (h % 8 == 1 && last > row[i]) last--;
    }
    want[i] = h + (unsigned)seen[i];
  }
  end("narrower", shape);
  cudaFree(moved);

  begin();
  shrinking<<<grid, block>>>(out, d_row, d_col, ROWS);
  for (int i = 0; i < ROWS; i += 2) {
    unsigned h = 5;
    int last = row[i + 1];
    for (int j = row[i]; j < last; j++) {
      h = h * 3 + (unsigned)col[j];
      if (h % 8 == 1 && last > j + 2) last--;
    }
    want[i] = h;
  }
  if (shape < 5) end("shrinking", shape);
  cudaMemcpy(d_row, row, sizeof row, cudaMemcpyHostToDevice);

  if (shape != 5) {
    begin();
    renamed<<<grid, block>>>(out, d_row, d_col, d_x, ROWS);
    for (int i = 0; i < ROWS; i++) {
      unsigned h = 5;
      for (int j = row[i]; j < row[i + 1]; j++)
        h = (h * 3 + (unsigned)x[col[j]]) * 3 + (unsigned)x[(col[j] + 1) % ROWS];
      want[i] = h;
    }
    end("renamed", shape);
  }
  cudaFree(d_row);
  cudaFree(d_col);
  cudaFree(d_val);
  cudaFree(d_seen);
  cudaFree(d_x);
  cudaFree(d_words);
  cudaFree(d_val_f);
  cudaFree(d_x_f);
  cudaFree(d_val_d);
  cudaFree(d_row_l);
  cudaFree(d_first);
  cudaFree(d_last);
  cudaFree(d_edges);
}

int main()
{
  static const int blocks[] = {64, 100, 33, 256};

  for (int j = 0; j < ELEMENTS; j++) {
    col[j] = (int)(next_random() % ROWS);
    val[j] = (int)(next_random() % 9) - 4;
    val_f[j] = (float)val[j];
    val_d[j] = val[j];
    edges[j] = {col[j], (short)val[j], 1};
    for (int d = 0; d < 3; d++) words[3 * j + d] = (int)(next_random() % 100);
  }
  for (int i = 0; i < ROWS; i++) {
    seen[i] = next_random() % 2;
    x_f[i] = (float)(next_random() % 5);
  }
  for (int i = 0; i < ROWS * VECTORS; i++) x[i] = (int)(next_random() % 11);
  cudaMalloc(&out, sizeof want);
  for (int shape = 0; shape < 8; shape++) run(shape, blocks[shape % 4]);
  run(2, 1);
  cudaFree(out);
  puts(failures ? "FAILED" : "ok");
  return failures != 0;
}

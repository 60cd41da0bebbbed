// Structures that are named by local references and pointers; references whose index changes while
// they live.
#include <cstdio>
#include <cstdlib>

enum { BODIES = 700, WEIGHTS = 16 };

struct body {
  int x, y, mass;
};

__global__ void bodies(int *out, const body *all, int count)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const body &self = all[i];
  int sum = 0;
  for (int j = 0; j < count; j++) {
    const auto &other = all[j];
    sum += other.mass * (other.x - self.x) + (other.y ^ self.y);
  }
  out[i] = sum;
}

__global__ void behind_pointers(int *out, const body *all, int count)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const body *self = all + i;
  int sum = 0;
  for (int j = 0; j < count; j++) {
    const body *other = &all[j];
    sum += other->mass * (other->x - self->x) + (other->y ^ self->y);
  }
  out[i] = sum;
}

__global__ void weighted(body *all, const int *weights, int count)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  body *self = &all[i];
  for (int k = 0; k < WEIGHTS; k++) {
    self->x += weights[k * count + i];
    self->y -= weights[k] * self->mass;
  }
}

// `at` moves on while the reference stays.
__global__ void turned(int *sums, const int *weights, int count)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int at = i;
  int &sum = sums[at];
  at = count - 1 - i;
  for (int k = 0; k < WEIGHTS; k++) sum += weights[k * count + at];
}

// What the index was loaded from changes while the reference stays.
__global__ void replaced(int *sums, const int *weights, int *place, int count)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int &sum = sums[place[i]];
  place[i] = 0;
  for (int k = 0; k < WEIGHTS; k++) sum += weights[k * count + i];
}

// ... stays
__global__ void gathered(int *sums, const body *all, const int *place, int count)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const body &other = all[place[i]];
  for (int k = 0; k < WEIGHTS; k++) sums[i] += other.x * k + other.mass;
}

static int failures;

static void expect(const char *what, int index, int have, int want)
{
  if (have == want) return;
  if (failures++ < 8) printf("%s, %d: %d, not %d\n", what, index, have, want);
}

static int of_a(int i) { return i * 7 % 23 - 11; }
static int of_b(int i) { return i * 5 % 19 - 9; }

template <typename T> static T *device(const T *from, int count)
{
  T *to;
  if (cudaMalloc(&to, count * sizeof(T))) exit(1);
  cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}

static void sums(int count)
{
  static body all[BODIES], moved_all[BODIES];
  static int have[BODIES], weights[WEIGHTS * BODIES];
  for (int i = 0; i < count; i++) all[i] = {i * 3 % 41, i * 11 % 37, i % 7};
  for (int i = 0; i < WEIGHTS * count; i++) weights[i] = of_a(i);
  body *d = device(all, count);
  int *out = device(have, count), *dw = device(weights, WEIGHTS * count);
  for (int form = 0; form < 2; form++) {
    if (form == 0) bodies<<<(count + 127) / 128, 128>>>(out, d, count);
    if (form == 1) behind_pointers<<<(count + 127) / 128, 128>>>(out, d, count);
    cudaMemcpy(have, out, count * sizeof *have, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++) {
      int sum = 0;
      for (int j = 0; j < count; j++)
        sum += all[j].mass * (all[j].x - all[i].x) + (all[j].y ^ all[i].y);
      expect(form ? "behind_pointers" : "bodies", i, have[i], sum);
    }
  }
  weighted<<<(count + 127) / 128, 128>>>(d, dw, count);
  cudaMemcpy(moved_all, d, count * sizeof *d, cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; i++) {
    int x = all[i].x, y = all[i].y;
    for (int k = 0; k < WEIGHTS; k++) {
      x += weights[k * count + i];
      y -= weights[k] * all[i].mass;
    }
    expect("weighted x", i, moved_all[i].x, x);
    expect("weighted y", i, moved_all[i].y, y);
  }
  cudaFree(d);
  cudaFree(out);
  cudaFree(dw);
}

static void places(int count)
{
  static body all[BODIES];
  static int sums[BODIES], weights[WEIGHTS * BODIES], place[BODIES], have[BODIES];
  for (int i = 0; i < count; i++) {
    all[i] = {i * 3 % 41, i * 11 % 37, i % 7};
    sums[i] = of_b(i);
    place[i] = (i * 3 + 1) % count; /* each once, as 3 is no divisor */
  }
  for (int i = 0; i < WEIGHTS * count; i++) weights[i] = of_a(i);
  body *d = device(all, count);
  int *dw = device(weights, WEIGHTS * count), grid = (count + 127) / 128;
  const char *names[] = {"turned", "replaced", "gathered"};
  for (int form = 0; form < 3; form++) {
    int *ds = device(sums, count), *dp = device(place, count);
    if (form == 0) turned<<<grid, 128>>>(ds, dw, count);
    if (form == 1) replaced<<<grid, 128>>>(ds, dw, dp, count);
    if (form == 2) gathered<<<grid, 128>>>(ds, d, dp, count);
    cudaMemcpy(have, ds, count * sizeof *have, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++) {
      int at = form == 1 ? place[i] : i, sum = sums[at];
      for (int k = 0; k < WEIGHTS; k++)
        sum += form == 2 ? all[place[i]].x * k + all[place[i]].mass
                         : weights[k * count + (form == 0 ? count - 1 - i : i)];
      expect(names[form], at, have[at], sum);
    }
    cudaFree(ds);
    cudaFree(dp);
  }
  cudaFree(d);
  cudaFree(dw);
}

int main(int argc, char **argv)
{
  int count = argc > 1 ? atoi(argv[1]) : 300;
  sums(count);
  sums(BODIES);
  places(count + 2 - count % 3); /* no multiple of 3 */
  if (failures) return 1;
  puts("ok");
  return 0;
}

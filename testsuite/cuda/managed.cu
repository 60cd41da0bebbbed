// Managed memory: variables and allocations used by both sides.
#include <cstdio>

__managed__ int total = 0;
__managed__ float weights[4] = {0.5f, 1.5f, 2.5f, 3.5f};

struct Node { int value; Node *next; };

__global__ void sum_list(const Node *head) {
  for (const Node *n = head; n; n = n->next) total += n->value;
}

__global__ void weigh(float *x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] *= weights[i % 4];
}

int main() {
  Node *head = nullptr;
  for (int i = 1; i <= 10; i++) {
    Node *n;
    cudaMallocManaged(&n, sizeof *n);
    n->value = i;
    n->next = head;
    head = n;
  }
  sum_list<<<1, 1>>>(head);
  cudaDeviceSynchronize();
  while (head) {
    Node *next = head->next;
    cudaFree(head);
    head = next;
  }
  float *x;
  cudaMallocManaged((void **)&x, 100 * sizeof *x);
  for (int i = 0; i < 100; i++) x[i] = i;
  weights[0] = 10;
  weigh<<<1, 32>>>(x, 100);
  cudaDeviceSynchronize();
  for (int i = 0; i < 100; i++)
    if (x[i] != i * (i % 4 ? 0.5f + i % 4 : 10.0f)) return 2;
  cudaFree(x);
  std::printf("%d\n", total);
  return total != 55;
}

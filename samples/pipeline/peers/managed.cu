/* managed: __managed__ variables; pages move when they are touched. */
#include "../pipeline.h"
#include "kernels.h"

__managed__ float in[FRAMES][PIXELS], out[FRAMES][PIXELS], smoothed[PIXELS], root[PIXELS];

static void process(void)
{
  for (int f = 0; f < FRAMES; f++) {
    smooth<<<BLOCKS, BLOCK>>>(in[f], smoothed);
    take_root<<<BLOCKS, BLOCK>>>(smoothed, root);
    sigmoid<<<BLOCKS, BLOCK>>>(root, out[f]);
  }
  cudaDeviceSynchronize();
}

int main()
{
  float sum = 0;

  fill(in[0]);
  for (int round = 0; round < WARM_UP; round++) {
    change(in[0], round);
    process();
    sum += look(out[0], round);
  }
  double start = now_ms();
  for (int round = 0; round < ROUNDS; round++) {
    change(in[0], round);
    process();
    sum += look(out[0], round);
  }
  return verdict(in[0], out[0], now_ms() - start, sum);
}

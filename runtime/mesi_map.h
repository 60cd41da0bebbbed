/* mesi_map.h - launches of kernels that the compiler has mapped to threads in another way. Included by mesi_cuda.h and
 * mesi_cpu.h, behind the declaration of dim3. C++14 or later.
 */
#ifndef MESI_MAP_H
#define MESI_MAP_H

/* The grid of a launch whose kernel has another mapping to threads, and its threads as the source has them. */
struct mesi_mapping {
  dim3 grid;
  int total_x, total_y;
};

inline mesi_mapping &mesi_mapped()
{
  static thread_local mesi_mapping mapping;
  return mapping;
}

/* Covers grid x block threads with blocks of block_x x block_y. */
inline void mesi_map(dim3 grid, dim3 block, unsigned block_x, unsigned block_y)
{
  mesi_mapping &mapping = mesi_mapped();
  unsigned long long x = (unsigned long long)grid.x * block.x, y = (unsigned long long)grid.y * block.y;
  mapping.grid = dim3((unsigned)((x + block_x - 1) / block_x), (unsigned)((y + block_y - 1) / block_y), grid.z);
  mapping.total_x = (int)x;
  mapping.total_y = (int)y;
}

#endif

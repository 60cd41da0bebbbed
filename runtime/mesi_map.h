/* mesi_map.h - what kernels need that the compiler has mapped to threads in another way, and their launches. Included by mesi_cuda.h and
 * mesi_cpu.h, behind the declaration of dim3. C++14 or later.
 */
#ifndef MESI_MAP_H
#define MESI_MAP_H

/* The grid of a launch whose kernel has another mapping to threads, and its threads as the source has them. */
struct mesi_mapping {
  dim3 grid, block;
  int total_x, total_y;
  bool mapped;
};

inline mesi_mapping &mesi_mapped() /* of the launch that this thread is at */
{
  static thread_local mesi_mapping mapping;
  return mapping;
}

/* Covers grid x block threads with blocks of block_x x block_y elements for `threads`; where the launch has less than `least`
 * threads it keeps its shape, for the kernel as written. */
inline void mesi_map(dim3 grid, dim3 block, unsigned block_x, unsigned block_y, dim3 threads, unsigned long long least)
{
  mesi_mapping &mapping = mesi_mapped();
  unsigned long long x = (unsigned long long)grid.x * block.x, y = (unsigned long long)grid.y * block.y;
  mapping.mapped = x * y >= least;
  mapping.grid = grid;
  mapping.block = block;
  if (mapping.mapped) {
    mapping.grid = dim3((unsigned)((x + block_x - 1) / block_x), (unsigned)((y + block_y - 1) / block_y), grid.z);
    mapping.block = threads;
  }
  mapping.total_x = (int)x;
  mapping.total_y = (int)y;
}

/* Copies MesiBytes (4, 8 or 16, aligned to that) from device memory to shared memory, zeros where `mesi_inside_` is false;
 * finished after mesi_copy_wait, for the threads that a barrier behind it lets see it. At once below sm_80 and on the CPU. */
template<int MesiBytes> static __device__ inline void mesi_copy_async(void *mesi_to_, const void *mesi_from_, bool mesi_inside_ = true)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned mesi_shared_ = (unsigned)__cvta_generic_to_shared(mesi_to_);
  if (MesiBytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(mesi_shared_), "l"(mesi_from_), "r"(mesi_inside_ ? 16 : 0) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" : : "r"(mesi_shared_), "l"(mesi_from_), "n"(MesiBytes),
                 "r"(mesi_inside_ ? MesiBytes : 0) : "memory");
#else
  unsigned *mesi_words_ = (unsigned *)mesi_to_;
  for (int mesi_i_ = 0; mesi_i_ < MesiBytes / 4; mesi_i_++)
    mesi_words_[mesi_i_] = mesi_inside_ ? ((const unsigned *)mesi_from_)[mesi_i_] : 0;
#endif
}

/* Ends a batch of copies; waits for all batches of this thread. */
static __device__ inline void mesi_copy_commit()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

static __device__ inline void mesi_copy_wait()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

#endif

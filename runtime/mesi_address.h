/* SPDX-License-Identifier: MIT */
/* mesi_address.h - launches by a kernel's address, as mesicc emits them. Included by mesi_cuda.h
 * and mesi_cpu.h.
 *
 *     mesi_by_address(&file, site, k, true)((void *)k, grid, block, args, bytes, stream)
 *
 * is cudaLaunchCooperativeKernel with these arguments (false: cudaLaunchKernel), for a kernel that
 * may use VS variables and whose arguments may lead to VS data. It launches k with copies of the
 * arguments. mesi_by_config(&file, site)(&config, k, a, n) is cudaLaunchKernelEx for such a kernel.
 */
#ifndef MESI_ADDRESS_H
#define MESI_ADDRESS_H

#include <tuple>
#include <type_traits>
#include <utility>

template <class... MesiP> struct mesi_addressed_kernel {
  const struct mesi_file *file;
  unsigned site;
  void (*kernel)(MesiP...);
  bool cooperative;

  template <std::size_t... MesiI>
  cudaError_t launch(dim3 grid, dim3 block, void **args, std::size_t shared, cudaStream_t stream,
                     mesi_numbers<MesiI...>) const
  {
    (void)args;
    mesi_launch_begin begun(file, site);
    stream = mesi_stream(stream);
    std::tuple<typename std::remove_cv<MesiP>::type...> values(
        mesi_arg_any(*(MesiP *)args[MesiI], MESI_READ_WRITE)...);
    void *translated[] = {(void *)&std::get<MesiI>(values)..., nullptr};
    (void)values;
    cudaError_t error =
        cooperative ? cudaLaunchCooperativeKernel(kernel, grid, block, translated, shared, stream)
                    : cudaLaunchKernel(kernel, grid, block, translated, shared, stream);
    mesi_launch_end();
    return error;
  }

  template <class MesiK>
  cudaError_t operator()(MesiK *, dim3 grid, dim3 block, void **args, std::size_t shared = 0,
                         cudaStream_t stream = 0) const
  {
    return launch(grid, block, args, shared, stream,
                  typename mesi_numbers_below<sizeof...(MesiP)>::type());
  }
};

template <class... MesiP>
inline mesi_addressed_kernel<MesiP...> mesi_by_address(const struct mesi_file *file, unsigned site,
                                                       void (*kernel)(MesiP...), bool cooperative)
{
  return {file, site, kernel, cooperative};
}

struct mesi_configured_launch {
  const struct mesi_file *file;
  unsigned site;

  template <class... MesiP, class... MesiA>
  cudaError_t operator()(const cudaLaunchConfig_t *config, void (*kernel)(MesiP...),
                         MesiA &&...arguments) const
  {
    mesi_launch_begin begun(file, site);
    mesi_stream(config->stream);
    cudaError_t error = cudaLaunchKernelEx(
        config, kernel,
        mesi_arg_any(static_cast<MesiP>(std::forward<MesiA>(arguments)), MESI_READ_WRITE)...);
    mesi_launch_end();
    return error;
  }
};

inline mesi_configured_launch mesi_by_config(const struct mesi_file *file, unsigned site)
{
  return {file, site};
}

#endif

/* SPDX-License-Identifier: MIT */
/* mesi_cpu.h - included first by the files that mesicc emits with --target=cpu: the CUDA surface,
 * and launches as calls.
 *
 *   k<<<grid, block, bytes, stream>>>(a, n)
 *   => mesi_cpu::launch(k, mesi_cpu::config(grid, block, bytes, stream), a, n)
 *
 * A launch has finished when the call returns. Errors in the configuration are recorded for
 * cudaGetLastError, as in CUDA, and the kernel does not run. C++14 or later.
 */
#ifndef MESI_CPU_H
#define MESI_CPU_H

#include "include/cuda_runtime.h"
#include "include/device_launch_parameters.h"
#include "kernel.h"

#if defined(__has_include) /* beside this file's folder, in the source tree as well as installed \
                            */
#if __has_include("mesi_emitted.h")
#include "mesi_emitted.h"
#include "mesi_map.h"
#include "mesi_lanes.h"
#include "mesi_divide.h"
#include "mesi_power.h"
#include "mesi_triples.h"
#include "mesi_sums.h"
#include "mesi_halves.h"
#include "mesi_strip.h"
#include "mesi_product.h"
#include "mesi_plan.h"
#include "mesi_parts.h"
#include "mesi_steps.h"
#elif __has_include("../mesi_emitted.h")
#include "../mesi_emitted.h"
#include "../mesi_map.h"
#include "../mesi_lanes.h"
#include "../mesi_divide.h"
#include "../mesi_power.h"
#include "../mesi_triples.h"
#include "../mesi_sums.h"
#include "../mesi_halves.h"
#include "../mesi_strip.h"
#include "../mesi_product.h"
#include "../mesi_plan.h"
#include "../mesi_parts.h"
#include "../mesi_steps.h"
#endif
#endif

/* How long is what the pointer leads to? A hint for GPUs; here the answer makes no difference. */
inline bool mesi_allocated_within(const volatile void *, long long) { return true; }

#define MESI_CONSTANT /* device pointers are plain variables that the runtime sets */

#if defined(MESI_H)
/* Tells the runtime the stream of the launch that is being made; returns it. */
inline cudaStream_t mesi_stream(cudaStream_t stream)
{
  mesi_launch_stream((void *)stream);
  return stream;
}
#endif

#include <tuple>
#include <type_traits>
#include <utility>

namespace mesi_cpu
{

/* the values between <<< and >>>, and a name for messages (borrowed; NULL: looked up) */
struct config {
  dim3 grid, block;
  size_t bytes;
  cudaStream_t stream;
  const char *name;
  bool cooperative;
  config(dim3 grid_, dim3 block_, size_t bytes_ = 0, cudaStream_t stream_ = 0,
         const char *name_ = nullptr, bool cooperative_ = false)
      : grid(grid_), block(block_), bytes(bytes_), stream(stream_), name(name_),
        cooperative(cooperative_)
  {
  }
};

inline mesi_cpu_launch describe(const config &c, const void *function)
{
  mesi_cpu_launch launch = {};
  launch.name = c.name;
  launch.function = function;
  launch.grid = {c.grid.x, c.grid.y, c.grid.z};
  launch.block = {c.block.x, c.block.y, c.block.z};
  launch.shared = c.bytes;
  launch.cooperative = c.cooperative;
  return launch;
}

/* The arguments of a launch, a base class for each: with std::tuple a file of many launches
 * compiles twice as long. */
template <size_t MesiI, class MesiT> struct argument {
  MesiT value;
  template <class MesiA> argument(int, MesiA &&given) : value(std::forward<MesiA>(given)) {}
};
template <class Indices, class... MesiP> struct argument_list;
template <size_t... MesiI, class... MesiP>
struct argument_list<std::index_sequence<MesiI...>, MesiP...> : argument<MesiI, MesiP>... {
  template <class... MesiA>
  argument_list(int, MesiA &&...given) : argument<MesiI, MesiP>(0, std::forward<MesiA>(given))...
  {
  }
  template <class Kernel> void give(Kernel &kernel)
  {
    kernel(MesiP(static_cast<argument<MesiI, MesiP> &>(*this).value)...);
  }
};
template <class... MesiP>
using arguments_of = argument_list<std::index_sequence_for<MesiP...>, MesiP...>;

/* A kernel and its arguments; each thread gets copies of these. */
template <class Kernel, class... MesiP> struct call {
  Kernel kernel;
  arguments_of<MesiP...> arguments;
  static void thread(void *self)
  {
    static_cast<call *>(self)->arguments.give(static_cast<call *>(self)->kernel);
  }
};

template <class Call> cudaError_t start(mesi_cpu_launch &launch, Call &call, cudaStream_t stream)
{
  launch.run = Call::thread;
  launch.context = &call;
  return (cudaError_t)mesi_cpu_launch_checked(&launch, stream);
}

/* The parameters of a kernel, by value: an argument may be a bit-field, or a constant member of a
 * class that has no memory. */
template <class MesiT> struct same {
  typedef MesiT type;
};

template <class... MesiP>
cudaError_t started(void (*kernel)(MesiP...), const config &c,
                    typename same<MesiP>::type... arguments)
{
  call<void (*)(MesiP...), MesiP...> call = {kernel, {0, std::forward<MesiP>(arguments)...}};
  mesi_cpu_launch launch = describe(c, (const void *)kernel);
  return start(launch, call, c.stream);
}

/* Void, as a launch is: it may stand in `return k<<<1, 32>>>(a);`. */
template <class... MesiP>
void launch(void (*kernel)(MesiP...), const config &c, typename same<MesiP>::type... arguments)
{
  started(kernel, c, std::forward<MesiP>(arguments)...);
}

/* What calls a kernel with default arguments for its last parameters. The kernel's type tells what
 * the others are. */
struct leaves_defaults {};
template <class Kernel, class... MesiP> struct first_given : leaves_defaults {
  Kernel kernel;
  first_given(Kernel kernel) : kernel(kernel) {}
};

template <class MesiTypes, class Kernel, size_t... MesiI>
auto given_of(Kernel kernel, std::index_sequence<MesiI...>)
{
  return first_given<Kernel, std::tuple_element_t<MesiI, MesiTypes>...>(kernel);
}

/* mesi_cpu::launch(mesi_cpu::given<1>(k, [](auto... a) { k(a...); }), config, a) */
template <size_t MesiCount, class Kernel, class... MesiP>
auto given(void (*)(MesiP...), Kernel kernel)
{
  return given_of<std::tuple<MesiP...>>(kernel, std::make_index_sequence<MesiCount>());
}

template <class Kernel, class... MesiP>
void launch(first_given<Kernel, MesiP...> given, const config &c,
            typename same<MesiP>::type... arguments)
{
  call<Kernel, MesiP...> call = {given.kernel, {0, std::forward<MesiP>(arguments)...}};
  mesi_cpu_launch launch = describe(c, nullptr);
  start(launch, call, c.stream);
}

/* A callable object, e.g. a generic lambda; it takes copies of the arguments. */
template <class Kernel, class... MesiA,
          class = std::enable_if_t<std::is_class<std::decay_t<Kernel>>::value &&
                                   !std::is_base_of<leaves_defaults, std::decay_t<Kernel>>::value>>
void launch(Kernel &&kernel, const config &c, MesiA... arguments)
{
  call<std::decay_t<Kernel>, MesiA...> call = {std::forward<Kernel>(kernel),
                                               {0, std::move(arguments)...}};
  mesi_cpu_launch launch = describe(c, nullptr);
  start(launch, call, c.stream);
}

#if defined(MESI_H)
/* mesi_cpu::launch_parted(mesi_cpu::parted(k, k_part, 0), config, a, b) is a launch of k, or
 * several of k_part. */
struct part_start {
  const config &c;
  template <class Kernel, class... MesiV>
  void operator()(Kernel kernel, dim3 grid, MesiV &...values) const
  {
    config some = c;
    some.grid = grid;
    launch(kernel, some, values...);
  }
  part_start of_part() const { return {c}; }
};

template <class... MesiP>
mesi_part_kernels<MesiP...> parted(void (*kernel)(MesiP...),
                                   typename mesi_same<void (*)(MesiP..., mesi_run)>::type part,
                                   int axis)
{
  return {kernel, part, axis, false};
}

template <class... MesiP>
void launch_parted(const mesi_part_kernels<MesiP...> &kernels, const config &c,
                   typename same<MesiP>::type... values)
{
  kernels.launch(part_start{c}, c.grid, values...);
}

/* mesi_cpu::launch_parted(mesi_mapped_or_parts(m, k, k_part, 0), config, a, b, added) is a launch
 * of m with config, or several of k_part. */
template <class MesiKernels, class... MesiM>
void launch_parted(const mesi_mapped_kernels<MesiKernels, MesiM...> &kernels, const config &c,
                   typename same<MesiM>::type... values)
{
  config written = c;
  written.block = kernels.block;
  written.bytes = 0;
  kernels.launch(part_start{c}, part_start{written}, c.grid, values...);
}
#endif

/* ---- cudaLaunchKernel: arguments as an array of pointers ---- */

template <class... MesiP, size_t... MesiI>
cudaError_t launch_array(void (*kernel)(MesiP...), mesi_cpu_launch &launch, void **arguments,
                         cudaStream_t stream, std::index_sequence<MesiI...>)
{
  (void)arguments;
  call<void (*)(MesiP...), MesiP...> call = {
      kernel, {0, *static_cast<std::remove_reference_t<MesiP> *>(arguments[MesiI])...}};
  return start(launch, call, stream);
}

#if defined(MESI_H)
/* A launch by its values, for a kernel with these parameters. */
template <class... MesiP> struct by_values {
  static int start(const mesi_kernel_launch *l)
  {
    mesi_cpu_launch launch = describe(config(dim3(l->grid[0], l->grid[1], l->grid[2]),
                                             dim3(l->block[0], l->block[1], l->block[2])),
                                      l->function);
    return (int)launch_array((void (*)(MesiP...))l->function, launch, const_cast<void **>(l->args),
                             0, std::index_sequence_for<MesiP...>());
  }
};

/* A launch of `kernel` that a mesi_batch may hold back, and make with those that follow as one of
 * `function`. */
template <class... MesiS, class... MesiP>
void launch_stepped(const mesi_steps &steps, void (*function)(MesiS...), void (*kernel)(MesiP...),
                    const config &written, const config &c, typename same<MesiP>::type... values)
{
  void *args[] = {(void *)&values..., nullptr};
  const size_t sizes[] = {sizeof values..., 0};
  const mesi_kernel_launch plain = {(const void *)kernel,
                                    {c.grid.x, c.grid.y, c.grid.z},
                                    {c.block.x, c.block.y, c.block.z},
                                    0,
                                    args,
                                    sizes,
                                    (unsigned)sizeof...(MesiP)};
  const unsigned long long totals[3] = {(unsigned long long)written.grid.x * written.block.x,
                                        (unsigned long long)written.grid.y * written.block.y,
                                        (unsigned long long)written.grid.z * written.block.z};
  if (!mesi_steps_add(&steps, &plain, by_values<MesiP...>::start, (const void *)function,
                      by_values<MesiS...>::start, totals))
    launch(kernel, c, values...);
}

/* The same, or a launch of its part on each of several devices. */
template <class... MesiS, class... MesiP, class... MesiA>
void launch_stepped(const mesi_steps &steps, void (*function)(MesiS...),
                    const mesi_part_kernels<MesiP...> &kernels, const config &written,
                    const config &c, MesiA &&...arguments)
{
  auto start = [&](MesiP... values) {
    if (!kernels.launch_parts(part_start{c}, c.grid, values...))
      launch_stepped(steps, function, kernels.whole, written, c, values...);
  };
  start(static_cast<MesiP>(std::forward<MesiA>(arguments))...);
}
#endif

/* An entry in the table of kernels: `static mesi_cpu::known_kernel k_(k, "k");` lets
 * cudaLaunchKernel((void *)k, ...) find the argument types. Lives as long as the program. */
struct known_kernel : mesi_cpu_kernel {
  template <class... MesiP>
  known_kernel(void (*kernel)(MesiP...), const char *kernel_name) : mesi_cpu_kernel()
  {
    function = (const void *)kernel;
    name = kernel_name;
    invoke = [](const void *address, mesi_cpu_launch *launch, void **arguments, void *stream) {
      return (int)launch_array((void (*)(MesiP...))address, *launch, arguments,
                               (cudaStream_t)stream, std::index_sequence_for<MesiP...>());
    };
    mesi_cpu_register_kernel(this);
  }
};

} // namespace mesi_cpu

template <class... MesiP>
cudaError_t cudaLaunchKernel(void (*kernel)(MesiP...), dim3 grid, dim3 block, void **args,
                             size_t shared = 0, cudaStream_t stream = 0)
{
  mesi_cpu_launch launch =
      mesi_cpu::describe(mesi_cpu::config(grid, block, shared, stream), (const void *)kernel);
  return mesi_cpu::launch_array(kernel, launch, args, stream, std::index_sequence_for<MesiP...>());
}
template <class... MesiP>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(MesiP...), dim3 grid, dim3 block,
                                        void **args, size_t shared = 0, cudaStream_t stream = 0)
{
  mesi_cpu_launch launch = mesi_cpu::describe(
      mesi_cpu::config(grid, block, shared, stream, nullptr, true), (const void *)kernel);
  return mesi_cpu::launch_array(kernel, launch, args, stream, std::index_sequence_for<MesiP...>());
}
template <class... MesiP, class... MesiA>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(MesiP...),
                               MesiA &&...args)
{
  bool cooperative = false;
  for (unsigned i = 0; i < config->numAttrs; i++) {
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) return cudaErrorNotSupported;
    if (config->attrs[i].id == cudaLaunchAttributeCooperative)
      cooperative = config->attrs[i].val.cooperative != 0;
  }
  return mesi_cpu::started(kernel,
                           mesi_cpu::config(config->gridDim, config->blockDim,
                                            config->dynamicSmemBytes, config->stream, nullptr,
                                            cooperative),
                           std::forward<MesiA>(args)...);
}

namespace mesi_cpu
{

/* mesi_cpu::by_address(k, true)((void *)k, grid, block, args) is cudaLaunchCooperativeKernel((void
 * *)k, grid, block, args). */
template <class... MesiP> struct typed_kernel {
  void (*kernel)(MesiP...);
  bool cooperative;
  template <class MesiK>
  cudaError_t operator()(MesiK *, dim3 grid, dim3 block, void **args, size_t shared = 0,
                         cudaStream_t stream = 0) const
  {
    return cooperative ? cudaLaunchCooperativeKernel(kernel, grid, block, args, shared, stream)
                       : cudaLaunchKernel(kernel, grid, block, args, shared, stream);
  }
};
template <class... MesiP>
typed_kernel<MesiP...> by_address(void (*kernel)(MesiP...), bool cooperative)
{
  return {kernel, cooperative};
}

} // namespace mesi_cpu

#if defined(MESI_H)
#if __has_include("mesi_address.h")
#include "mesi_address.h"
#else
#include "../mesi_address.h"
#endif
#endif

#endif

/* SPDX-License-Identifier: MIT */
/* execution_policy.h - Thrust's policies for a CUDA stream. On the CPU backend all algorithms run
 * on the host, when called. */
#pragma GCC system_header
#include <thrust/execution_policy.h>
#include <thrust/system/cpp/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace cuda
{
struct mesi_cpu_policy : THRUST_NS_QUALIFIER::system::cpp::detail::par_t {
  template <class MesiStream> mesi_cpu_policy on(MesiStream) const { return *this; }
};
static const mesi_cpu_policy par, par_nosync;
} // namespace cuda
THRUST_NAMESPACE_END

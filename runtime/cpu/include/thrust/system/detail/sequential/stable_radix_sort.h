/* SPDX-License-Identifier: MIT */
/* stable_radix_sort.h - sorts of numbers on the host by merging: Thrust's own radix sort there puts
 * negative numbers last. */
#pragma GCC system_header
#include <thrust/detail/config.h>
#include <thrust/functional.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/system/detail/sequential/execution_policy.h>
#include <thrust/system/detail/sequential/stable_merge_sort.h>

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace detail
{
namespace sequential
{

template <class Policy, class Keys>
_CCCL_HOST_DEVICE void stable_radix_sort(sequential::execution_policy<Policy> &policy, Keys first,
                                         Keys last)
{
  typedef typename THRUST_NS_QUALIFIER::iterator_traits<Keys>::value_type Key;
  sequential::stable_merge_sort(policy, first, last, THRUST_NS_QUALIFIER::less<Key>());
}

template <class Policy, class Keys, class Values>
_CCCL_HOST_DEVICE void stable_radix_sort_by_key(sequential::execution_policy<Policy> &policy,
                                                Keys first, Keys last, Values values)
{
  typedef typename THRUST_NS_QUALIFIER::iterator_traits<Keys>::value_type Key;
  sequential::stable_merge_sort_by_key(policy, first, last, values,
                                       THRUST_NS_QUALIFIER::less<Key>());
}

} // namespace sequential
} // namespace detail
} // namespace system
THRUST_NAMESPACE_END

/* SPDX-License-Identifier: MIT */
// make_tuple_types.h - before CCCL's header, whose folder comes later. That takes the types of a
// complex number's parts from its template arguments, of which there is one. In a tuple of complex
// numbers nvcc never asks for them; clang and g++ ask, and find a fault there. (mesicc has
// the same for its parser: translator/frontend/prelude.)
#pragma once
#pragma GCC system_header
#include_next <cuda/std/__tuple_dir/make_tuple_types.h>
#if __has_include(<cuda/std/__fwd/complex.h>) && !defined(MESI_PARTS_OF_COMPLEX)
#define MESI_PARTS_OF_COMPLEX 1
#include <cuda/std/__fwd/array.h>
#include <cuda/std/__fwd/complex.h>
_LIBCUDACXX_BEGIN_NAMESPACE_STD
template <class _Tp, size_t... _Idx>
struct __make_tuple_types_flat<complex<_Tp>, __tuple_indices<_Idx...>>
    : __make_tuple_types_flat<array<_Tp, sizeof...(_Idx)>, __tuple_indices<_Idx...>> {
};
_LIBCUDACXX_END_NAMESPACE_STD
#endif

/* SPDX-License-Identifier: MIT */
/* check.h - calls that mesicc --check puts around the accesses of device code. Each returns its
 * argument; for an access that must not happen it returns memory of the checker's instead. */
#ifndef MESI_CUDA_CHECK_H
#define MESI_CUDA_CHECK_H

#include "../../check.h"

#include <type_traits>

#define MESI_CHECK_REGISTER(file) \
  __attribute__((constructor(200))) static void file##_register() { mesi_check_register(&file); }

#if defined(__SANITIZE_ADDRESS__) /* kernels that are kept as written are checked by \
                                     AddressSanitizer */
extern "C" __attribute__((weak)) const char *__asan_default_options()
{
  return "exitcode=4:detect_leaks=0";
}
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
extern "C" __attribute__((weak)) const char *__asan_default_options()
{
  return "exitcode=4:detect_leaks=0";
}
#endif
#endif

namespace mesi_check
{

template <class T>
__attribute__((always_inline)) inline T &access(T &v, const mesi_check_site *site, unsigned mode)
{
  if (std::is_volatile<T>::value) mode |= MESI_CHECK_VOLATILE;
  if (__builtin_expect(mesi_check_access(__builtin_addressof(v), sizeof(T), sizeof(T), site, mode),
                       1))
    return v;
  return *(T *)mesi_check_scratch(sizeof(T));
}
template <class T> inline T &read(T &v, const mesi_check_site *site)
{
  return access(v, site, MESI_CHECK_READ);
}
template <class T> inline T &write(T &v, const mesi_check_site *site)
{
  return access(v, site, MESI_CHECK_WRITE);
}
template <class T> inline T &update(T &v, const mesi_check_site *site)
{
  return access(v, site, MESI_CHECK_UPDATE);
}

/* Both sides of the copy that fills a staged array. */
template <class T> inline T &peek(T &v, const mesi_check_site *site)
{
  return access(v, site, MESI_CHECK_READ | MESI_CHECK_PEEK);
}
template <class T> inline T &stage(T &v, const mesi_check_site *site)
{
  return access(v, site, MESI_CHECK_WRITE | MESI_CHECK_STAGE);
}

/* ---- through the object that a member is in, for members without an address ---- */

template <class T>
inline T *part(T *object, size_t offset, size_t size, const mesi_check_site *site, unsigned mode)
{
  const volatile char *start = (const volatile char *)object + offset;
  return mesi_check_access(start, size, sizeof(T), site, mode) ? object
                                                               : (T *)mesi_check_scratch(sizeof(T));
}
#define MESI_CHECK_PART(name, mode) \
  template <class T> \
  inline T &name##_part(T &object, size_t offset, size_t size, const mesi_check_site *site) \
  { \
    return *part(__builtin_addressof(object), offset, size, site, mode); \
  } \
  template <class T> \
  inline T *name##_part_of(T *object, size_t offset, size_t size, const mesi_check_site *site) \
  { \
    return part(object, offset, size, site, mode); \
  }
MESI_CHECK_PART(read, MESI_CHECK_READ)
MESI_CHECK_PART(write, MESI_CHECK_WRITE)
MESI_CHECK_PART(update, MESI_CHECK_UPDATE)
#undef MESI_CHECK_PART

/* ---- through pointers ---- */

template <class T> inline T *pointer(T *p, const mesi_check_site *site, unsigned mode)
{
  return mesi_check_access(p, sizeof(T), sizeof(T), site, mode)
             ? p
             : (T *)mesi_check_scratch(sizeof(T));
}
template <class T> inline T *atomic(T *p, const mesi_check_site *site)
{
  return pointer(p, site, MESI_CHECK_ATOMIC);
}
template <class T> inline T *exchange(T *p, const mesi_check_site *site)
{
  return pointer(p, site, MESI_CHECK_EXCHANGE);
}
template <class T> inline T *load(T *p, const mesi_check_site *site)
{
  return pointer(p, site, MESI_CHECK_READ);
}
template <class T> inline T *store(T *p, const mesi_check_site *site)
{
  return pointer(p, site, MESI_CHECK_WRITE);
}

/* Both ends of a copy by mesi_copy_async. */
struct copy_target {
  void *to;
  const mesi_check_site *site;
};
struct copy_source {
  const void *from;
  const mesi_check_site *site;
};
inline copy_target copy_to(void *to, const mesi_check_site *site) { return {to, site}; }
inline copy_source copy_from(const void *from, const mesi_check_site *site) { return {from, site}; }

/* The place where a helper of mesi_map.h loads or stores several elements at once, or some of
 * them. */
template <class T> struct vector_place {
  T *at;
  const mesi_check_site *site;
  bool may(int first, int count, unsigned mode) const
  {
    bool all = true;
    for (int i = first; i < first + count; i++)
      all &= mesi_check_access(at + i, sizeof(T), sizeof(T), site, mode) != 0;
    return all;
  }
};
template <class T> inline vector_place<T> place(T *p, const mesi_check_site *site)
{
  return {p, site};
}

/* ---- indices ---- */

template <class I> inline I index(I i, long long extent, const mesi_check_site *site)
{
  if (__builtin_expect((unsigned long long)(long long)i >= (unsigned long long)extent, 0))
    mesi_check_bad_index((long long)i, extent, site);
  return i;
}
/* For an array of the thread's own, which has no other check. */
template <class I> inline I local_index(I i, long long extent, const mesi_check_site *site)
{
  if (__builtin_expect((unsigned long long)(long long)i < (unsigned long long)extent, 1)) return i;
  mesi_check_bad_index((long long)i, extent, site);
  return I(0);
}

/* ---- the rest ---- */

template <class T> inline void shared(T &object, const char *name)
{
  mesi_check_shared((const void *)__builtin_addressof(object), sizeof(T),
                    sizeof(typename std::remove_all_extents<T>::type), name);
}
inline void fence(const mesi_check_site *) { mesi_check_fence(); }
inline void wait(const mesi_check_site *site) { mesi_check_wait(site); }
inline void unknown(const mesi_check_site *) { mesi_check_unknown(); }

} // namespace mesi_check

/* ---- the helpers of mesi_map.h: each element is checked when and where it is accessed ---- */

template <int Count, class T> inline auto mesi_vector_from(mesi_check::vector_place<T> from)
{
  bool may = from.may(0, Count, MESI_CHECK_READ);
  typedef typename std::remove_const<T>::type number;
  return may ? mesi_vector_from<Count>((const number *)from.at) : mesi_vector<number, Count>();
}
template <int Count, class T> inline auto mesi_vector_read(mesi_check::vector_place<T> from)
{
  return mesi_vector_from<Count>(from);
}
template <int Count, class T, class U>
inline void mesi_some_load(T *to, mesi_check::vector_place<U> from)
{
  if (from.may(0, Count, MESI_CHECK_READ)) mesi_some_load<Count>(to, (const T *)from.at);
}
template <int Count, class T, class U>
inline void mesi_some_store(mesi_check::vector_place<T> to, const U *from)
{
  if (to.may(0, Count, MESI_CHECK_WRITE)) mesi_some_store<Count>(to.at, (const T *)from);
}
template <int Count, class T, class U>
inline void mesi_triples_load(T *to, mesi_check::vector_place<U> from)
{
  if (from.may(0, Count, MESI_CHECK_READ)) mesi_triples_load<Count>(to, (const T *)from.at);
}
template <int Count, class T, class U>
inline void mesi_triples_store(mesi_check::vector_place<T> to, const U *from)
{
  if (to.may(0, Count, MESI_CHECK_WRITE)) mesi_triples_store<Count>(to.at, (const T *)from);
}
template <class T, class U> inline void mesi_vector_load(T *to, mesi_check::vector_place<U> from)
{
  if (from.may(0, 16 / sizeof(T), MESI_CHECK_READ)) mesi_vector_load(to, (const T *)from.at);
}
template <class T, class U>
inline void mesi_vector_store(mesi_check::vector_place<T> to, const U *from)
{
  if (to.may(0, 16 / sizeof(T), MESI_CHECK_WRITE)) mesi_vector_store(to.at, (const T *)from);
}
template <class T>
inline void mesi_lane_store(mesi_check::vector_place<T> to, T *row, int lane,
                            typename mesi_plain<T>::type value)
{
  const int last = (int)(16 / sizeof(T)) - 1;
  if (lane < last || to.may(-last, last + 1, MESI_CHECK_WRITE))
    mesi_lane_store(to.at, row, lane, value);
}
template <int Count, class T>
inline void mesi_some_lane_store(mesi_check::vector_place<T> to, T *row, int lane,
                                 typename mesi_plain<T>::type value)
{
  if (lane < Count - 1 || to.may(1 - Count, Count, MESI_CHECK_WRITE))
    mesi_some_lane_store<Count>(to.at, row, lane, value);
}
template <class T>
inline void mesi_lane_store_in(mesi_check::vector_place<T> to, T *row, const bool *in, int lane,
                               typename mesi_plain<T>::type value)
{
  const int last = (int)(16 / sizeof(T)) - 1;
  bool may = true;
  for (int i = 0; lane == last && i <= last; i++)
    if (in[i]) may &= to.may(i - last, 1, MESI_CHECK_WRITE);
  if (may) mesi_lane_store_in(to.at, row, in, lane, value);
}
template <class T, class U>
inline T mesi_row_element(const T *row, int place, bool in, mesi_check::vector_place<U> at)
{
  bool loads = (unsigned)place >= 16 / sizeof(T) && in;
  return mesi_row_element(row, place, in && (!loads || at.may(0, 1, MESI_CHECK_READ)),
                          (const T *)at.at);
}
template <int Left, int Right, class T, class U>
inline void mesi_row_load(T *row, mesi_check::vector_place<U> own, const bool *in)
{
  const int lanes = (int)(16 / sizeof(T));
  bool may = own.may(0, lanes, MESI_CHECK_READ);
  for (int i = -Left; i < lanes + Right; i++) {
    bool used = false;
    for (int k = 0; k < lanes; k++) used |= in[k] && i >= k - Left && i <= k + Right;
    if (used && (i < 0 || i >= lanes)) may &= own.may(i, 1, MESI_CHECK_READ);
  }
  if (may) mesi_row_load<Left, Right>(row, (const T *)own.at, in);
}

template <int Bytes, int Unit = Bytes>
inline void mesi_copy_async(mesi_check::copy_target target, mesi_check::copy_source source,
                            bool inside = true)
{
  bool readable =
      !inside || mesi_check_access(source.from, Bytes, Bytes, source.site, MESI_CHECK_READ);
  bool writable = mesi_check_access(target.to, Bytes, Bytes, target.site, MESI_CHECK_WRITE);
  if (readable && writable) mesi_copy_async<Bytes, Unit>(target.to, source.from, inside);
}

#endif

/* SPDX-License-Identifier: MIT */
/* mesi_ranges.h - byte ranges of variables, which mesicc computes and announces before their use.
 * The arithmetic may exceed the variable's ends; the ranges are clipped here. Included by
 * mesi_emitted.h. */
#ifndef MESI_EMITTED_RANGES_H
#define MESI_EMITTED_RANGES_H

/* Announces the bytes of a VS variable that the kernel names itself. */
inline void mesi_launch_range(unsigned use, std::ptrdiff_t read_begin, std::ptrdiff_t read_end,
                              std::ptrdiff_t write_begin, std::ptrdiff_t write_end, unsigned access)
{
  mesi_launch_use_range(use, read_begin < 0 ? 0 : (std::size_t)read_begin,
                        read_end < 0 ? 0 : (std::size_t)read_end,
                        write_begin < 0 ? 0 : (std::size_t)write_begin,
                        write_end < 0 ? 0 : (std::size_t)write_end, access);
}

/* Are [p + begin, p + end) and [q + other_begin, q + other_end) disjoint? */
inline bool mesi_no_alias(const volatile void *p, std::ptrdiff_t begin, std::ptrdiff_t end,
                       const volatile void *q, std::ptrdiff_t other_begin, std::ptrdiff_t other_end)
{
  std::ptrdiff_t distance = (std::ptrdiff_t)((std::size_t)q - (std::size_t)p);
  return end <= distance + other_begin || distance + other_end <= begin || end <= begin ||
         other_end <= other_begin;
}

/* Clips a 64-bit variable in the arithmetic of mesi_use_bytes: no object is larger than the limit,
 * and nothing overflows. */
template <class MesiT> inline long long mesi_limit(MesiT value)
{
  const long long limit = 1ll << 40;
  if (value > MesiT(0)) return value > MesiT(limit) ? limit : (long long)value;
  return (long long)value < -limit ? -limit : (long long)value;
}

/* The product, clipped to a number beyond every object. */
inline long long mesi_times(long long a, long long b)
{
  const long long limit = 1ll << 60;
  const double product = (double)a * (double)b;
  return product > (double)limit ? limit : product < -(double)limit ? -limit : a * b;
}

/* Bytes from the start of the variable to the pointer. */
template <class MesiT>
inline long long mesi_offset(const volatile MesiT &variable, const volatile void *pointer)
{
  return mesi_limit((long long)((const volatile char *)pointer - (const volatile char *)&variable));
}

/* Announces host use of bytes [begin, end) of the variable, clipped to it. */
template <class MesiT>
inline void mesi_use_bytes(const volatile MesiT &variable, long long begin, long long end,
                           unsigned access)
{
  const long long size = sizeof(MesiT);
  begin = begin < 0 ? 0 : begin;
  end = end > size ? size : end;
  if (begin < end)
    mesi_touch_range((const char *)&variable + begin, (std::size_t)(end - begin), access);
}

/* Announces host use of bytes [begin, end), relative to the pointer, of the object that it points
 * to. */
inline void mesi_use_pointed(const volatile void *pointer, long long begin, long long end,
                             unsigned access)
{
  mesi_touch_pointed((const void *)pointer, (std::ptrdiff_t)begin, (std::ptrdiff_t)end, access);
}

#endif

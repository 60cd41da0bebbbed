/* SPDX-License-Identifier: MIT */
/* mesi_emitted.h - declarations for emitted files of every target. Included by mesi_cuda.h and
 * mesi_cpu.h, never by itself. C++14 or later.
 *
 * A virtual shared variable `__global__ float a[N][M] = ...;` becomes
 *
 *   extern float a[N][M] MESI_VS(_vs_a);                                in its place
 *   extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a = { ... }; }  at the end of the file
 *
 * so that `a` keeps its type, name and linkage while its storage has its pages to itself.
 */
#ifndef MESI_EMITTED_H
#define MESI_EMITTED_H

#include "mesi.h"

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <type_traits>

#define MESI_VS(storage) __attribute__((alias(#storage)))
#define MESI_HIDDEN __attribute__((visibility("hidden")))

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64)
#define MESI_PAGE_BYTES 4096
#else
#define MESI_PAGE_BYTES \
  65536 /* the largest page in use; storage aligned to it starts on a page of any size */
#endif

/* A MesiT with whole pages to itself, and at least a byte behind it, so that no other object has
 * the address one past its end. An aggregate, initialised before anything runs where MesiT is:
 * mesi_page<MesiT> p = { initial value }. Where MesiT is an array, its elements have braces of
 * their own: { { 1, 2 } }. */
template <class MesiT> struct alignas(MESI_PAGE_BYTES) mesi_page {
  MesiT value;
  char : 8;
};

/* Registers the file's table before main and before the constructors of static objects. */
#define MESI_REGISTER(table) \
  __attribute__((constructor(101), used)) static void mesi_register_##table(void) \
  { \
    mesi_register(&table); \
  }

/* For a file that calls cudaMemcpyAsync or a relative of it. */
#define MESI_ASYNC_COPIES(table) \
  __attribute__((constructor(101), used)) static void mesi_async_##table(void) \
  { \
    mesi_async_copies(); \
  }

/* Begins a launch, as a temporary object of the expression that makes it. An exception that leaves
 * the arguments, or the end of the thread in them, ends the launch. */
class mesi_launch_begin
{
public:
  __attribute__((always_inline)) mesi_launch_begin(const struct mesi_file *file, unsigned site)
  {
    mesi_launch_begins(file, site);
  }
  __attribute__((always_inline)) ~mesi_launch_begin() { mesi_launch_left(); }
  mesi_launch_begin(const mesi_launch_begin &) = delete;
  mesi_launch_begin &operator=(const mesi_launch_begin &) = delete;
};

/* The bits MESI_OF_... of a pointer. */
template <class MesiT> struct mesi_of_ {
  static const unsigned bits = std::is_same<MesiT, float>::value    ? MESI_OF_FLOAT
                               : std::is_same<MesiT, double>::value ? MESI_OF_DOUBLE
                               : std::is_void<MesiT>::value         ? 0
                                                                    : MESI_OF_OTHER;
};

template <class MesiT> inline unsigned mesi_of(MesiT *)
{
  return mesi_of_<typename std::remove_cv<MesiT>::type>::bits;
}

/* A pointer argument of a launch: the device address for a pointer into a VS object, any other
 * pointer as it is. */
template <class MesiT> inline MesiT *mesi_arg(MesiT *pointer, unsigned access)
{
  return (MesiT *)mesi_launch_arg((const void *)pointer, access | mesi_of(pointer));
}

inline std::nullptr_t mesi_arg(std::nullptr_t, unsigned) { return nullptr; }

/* An address with the same alignment as mesi_arg of the pointer. */
template <class MesiT> inline MesiT *mesi_place(MesiT *pointer)
{
  return (MesiT *)mesi_launch_place((const void *)pointer);
}

inline std::nullptr_t mesi_place(std::nullptr_t) { return nullptr; }

/* As mesi_arg, with the bytes relative to the pointer that the kernel may read and write. */
template <class MesiT>
inline MesiT *mesi_arg_range(MesiT *pointer, std::ptrdiff_t read_begin, std::ptrdiff_t read_end,
                             std::ptrdiff_t write_begin, std::ptrdiff_t write_end, unsigned access)
{
  return (MesiT *)mesi_launch_arg_range((const void *)pointer, read_begin, read_end, write_begin,
                                        write_end, access | mesi_of(pointer));
}

inline std::nullptr_t mesi_arg_range(std::nullptr_t, std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t,
                                     std::ptrdiff_t, unsigned)
{
  return nullptr;
}

struct mesi_is_pointer {
};
struct mesi_is_class {
};
struct mesi_is_other {
};

template <class MesiT> inline MesiT mesi_arg_any_(MesiT value, unsigned access, mesi_is_pointer)
{
  return (MesiT)mesi_launch_arg((const void *)value, access | mesi_of(value));
}

/* A closure or a view: any of its words may be a pointer to an object. */
template <class MesiT>
inline MesiT mesi_arg_any_(const MesiT &value, unsigned access, mesi_is_class)
{
  MesiT result(value);
  for (std::size_t offset = 0; offset + sizeof(void *) <= sizeof result; offset += sizeof(void *)) {
    char *word = (char *)&result + offset;
    void *pointer;
    std::memcpy(&pointer, word, sizeof pointer);
    pointer = mesi_launch_arg(pointer, access);
    std::memcpy(word, &pointer, sizeof pointer);
  }
  return result;
}

template <class MesiT> inline MesiT mesi_arg_any_(MesiT value, unsigned, mesi_is_other)
{
  return value;
}

/* An argument of a launch in a template: as mesi_arg for a pointer to an object; any other value is
 * unchanged. */
template <class MesiT>
inline typename std::decay<MesiT>::type mesi_arg_any(MesiT &&value, unsigned access)
{
  typedef typename std::decay<MesiT>::type mesi_type_;
  constexpr bool pointer = std::is_pointer<mesi_type_>::value &&
                           !std::is_function<typename std::remove_pointer<mesi_type_>::type>::value;
  constexpr bool may_hold =
      std::is_class<mesi_type_>::value && alignof(mesi_type_) >= alignof(void *);
  typedef typename std::conditional<may_hold, mesi_is_class, mesi_is_other>::type mesi_rest_;
  typedef typename std::conditional<pointer, mesi_is_pointer, mesi_rest_>::type mesi_kind_;
  return mesi_arg_any_<mesi_type_>(static_cast<mesi_type_>(value), access, mesi_kind_());
}

/* An argument that is written in braces. */
template <class MesiT> inline MesiT mesi_value(MesiT value) { return value; }

/* An argument whose address is taken: it may be an object that lasts as long as the launch. */
template <class MesiT> inline const MesiT &mesi_object(const MesiT &value) { return value; }

/* A structure passed by value to a kernel, with pointers at the given byte offsets. */
template <class MesiT>
inline MesiT mesi_arg_record(const MesiT &value, unsigned access,
                             std::initializer_list<std::size_t> offsets)
{
  MesiT result(value);
  for (std::size_t offset : offsets) {
    char *word = (char *)&result + offset;
    void *pointer;
    std::memcpy(&pointer, word, sizeof pointer);
    pointer = mesi_launch_arg(pointer, access);
    std::memcpy(word, &pointer, sizeof pointer);
  }
  return result;
}

/* A pointer argument of a call into a library: announces that host code uses its object. */
template <class MesiT> inline MesiT *mesi_touch(MesiT *pointer, unsigned access)
{
  return (MesiT *)mesi_touch_object((const void *)pointer, access);
}

inline std::nullptr_t mesi_touch(std::nullptr_t, unsigned) { return nullptr; }

/* The same for a variable of which every use is announced: its pages are protected only under
 * MESI_VERIFY. */
template <class MesiT> inline MesiT *mesi_opened(MesiT *pointer, unsigned access)
{
  return (MesiT *)mesi_touch_opened((const void *)pointer, access);
}

/* An argument of a call that keeps the memory (or that of an aiocb), so that the system may use it
 * later. */
template <class MesiT> inline MesiT *mesi_kept(MesiT *pointer)
{
  mesi_keep_on_host((const void *)pointer);
  return pointer;
}

inline std::nullptr_t mesi_kept(std::nullptr_t) { return nullptr; }

template <class MesiT> inline MesiT *mesi_kept_control(MesiT *control)
{
  if (control) mesi_keep_on_host((const void *)control->aio_buf);
  return control;
}

/* An argument that leads to further memory: vectors (struct iovec), messages (struct msghdr, struct
 * mmsghdr), anything. */
#define MESI_VECTORS_UNKNOWN (~(std::size_t)0)
#define MESI_ONE_MESSAGE 1
template <class MesiT>
inline MesiT *mesi_vectors(MesiT *vectors, unsigned access, std::size_t count)
{
  mesi_touch_vectors((const void *)vectors, count, access);
  return vectors;
}

template <class MesiT>
inline MesiT *mesi_messages(MesiT *messages, unsigned access, std::size_t count)
{
  mesi_touch_messages((const void *)messages, count, sizeof *messages, access);
  return messages;
}

template <class MesiT> inline MesiT *mesi_all(MesiT *pointer, unsigned access)
{
  mesi_touch_all(access);
  return pointer;
}

/* Announces host use of the object at this address. */
inline void mesi_use(const volatile void *object, unsigned access)
{
  mesi_touch_object((const void *)object, access);
}

/* Announces host use of bytes of one object. */
inline void mesi_use_range(const volatile void *pointer, std::size_t bytes, unsigned access)
{
  mesi_touch_range((const void *)pointer, bytes, access);
}

#include "mesi_ranges.h"

#endif

/* both.h - the host's functions of an application, from its contribution.h: scatter_float and
 * scatter_double. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#pragma GCC optimize("O3", "no-trapping-math") /* loops with conditions become vectors */
#define HOST_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#define HOST_INLINE __attribute__((always_inline))
#else
#define HOST_CLONES
#define HOST_INLINE
#endif

#include "fast.h"
#include "number.h"

#define NAMED_(a, b) a##_##b
#define NAMED(a, b) NAMED_(a, b)
#define CONTRIBUTION static inline HOST_INLINE

#define CONTRIBUTE contribute_float
#define SCATTER scatter_float
#include "contribution.h"
#include "scatter.h"
#undef CONTRIBUTE
#undef SCATTER
#undef REAL
#undef WORDS
#undef CHANNELS

#define LIMITED_DOUBLE
#include "number.h"
#define CONTRIBUTE contribute_double
#define SCATTER scatter_double
#include "contribution.h"
#include "scatter.h"

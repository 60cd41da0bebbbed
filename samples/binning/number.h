/* number.h - number type and functions for a contribution.h: REAL, SQRT_INVERSE, EXP. The device
 * and the host's share have float, the reference double. Included again for each type. */
#undef SQRT_INVERSE
#undef EXP
#ifdef LIMITED_DOUBLE
#define REAL double
#define SQRT_INVERSE(x) (1 / sqrt(x))
#define EXP(x) exp(x)
#elif defined(__CUDACC__)
#define REAL float
#define SQRT_INVERSE(x) rsqrtf(x)
#define EXP(x) expf(x)
#else
#define REAL float
#define SQRT_INVERSE(x) fast_inverse_root(x)
#define EXP(x) fast_exp(x)
#endif

/* library.h - functions of Debian's reference BLAS and LAPACK, found at run time. */
#ifndef BLAS2_LIBRARY_H
#define BLAS2_LIBRARY_H

/* The function for the number type, named without its s or d: "gemv_". NULL: the library is not
 * there. */
void *library_blas(const char *function);
void *library_lapack(const char *function);

#endif

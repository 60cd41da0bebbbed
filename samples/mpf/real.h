/* real.h - the number type of tables: -DREAL=double for the other one. It is the same in all files
 * of a program. */
#ifndef MPF_REAL_H
#define MPF_REAL_H

#ifndef REAL
#define REAL float
#endif

typedef REAL real;

/* Tables of the log domain hold base-2 logarithms; minus infinity is the logarithm of 0. */
enum mpf_domain { MPF_LINEAR, MPF_LOG, MPF_DOMAIN_COUNT };

#endif

/* dense.h - small dense algebra on the host in double precision, to check results with. Matrices
 * lie by columns without gaps. */
#ifndef BLAS2_DENSE_H
#define BLAS2_DENSE_H

double *dense_new(int m, int n); /* of zeros; ends the program where there is no memory; free() */
double *dense_identity(int n);
/* q (n columns) = (I - tau v v^T) q; v: m numbers */
void dense_reflect(double *q, int m, int n, const double *v, double tau);
/* |a - q b p^T| / (max(m, n) |a| unit) in the 1-norm; a, b: m x n. Without p: p is q. */
double dense_residual(const double *a, const double *q, const double *b, const double *p, int m,
                      int n, double unit);
double dense_orthogonality(const double *q, int n, double unit); /* |I - q^T q| / (n unit) */
double dense_norm(const double *a, int m, int n); /* the largest sum of a column's sizes */

#endif

/* cells.h - the elements of numbers in memory, for the test of the instrumenting tool. */
#ifndef MESI_TEST_CELLS_H
#define MESI_TEST_CELLS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* the number stays, its element becomes another one */
void mark_float(float *place, uint64_t element);
void mark_double(double *place, uint64_t element);
uint64_t element_of_float(const float *place);
uint64_t element_of_double(const double *place);
void overwrite_float(float *place, float value); /* by code that knows nothing of cells */
float call_back(float (*function)(float), float value);
#ifdef __cplusplus
}
#endif
#endif

/* cells.c - for cases.cpp: reads and writes the elements of numbers in memory. Is not instrumented.
 */
#include "cells.h"

#include "prove/shadow.h"

void mark_float(float *place, uint64_t element)
{
  *cell_of(place) = (struct cell){TAGGED(TAG_F32, element), bits_of_float(*place), 0};
}

void mark_double(double *place, uint64_t element)
{
  uint64_t bits = bits_of_double(*place);
  cell_of(place)[0] = (struct cell){TAGGED(TAG_F64_LOW, element), (uint32_t)bits, 0};
  cell_of(place)[1] = (struct cell){TAGGED(TAG_F64_HIGH, element), (uint32_t)(bits >> 32), 0};
}

uint64_t element_of_float(const float *place)
{
  const struct cell *cell = cell_of(place);
  return cell->bits == bits_of_float(*place) && TAG_OF(cell->tagged) == TAG_F32
             ? ELEMENT_OF(cell->tagged)
             : field_of(*place);
}

uint64_t element_of_double(const double *place)
{
  const struct cell *cell = cell_of(place);
  uint64_t bits = bits_of_double(*place);
  int own = cell[0].bits == (uint32_t)bits && cell[1].bits == bits >> 32 &&
            TAG_OF(cell[0].tagged) == TAG_F64_LOW;
  return own ? ELEMENT_OF(cell[0].tagged) : field_of(*place);
}

void overwrite_float(float *place, float value) { *place = value; }
float call_back(float (*function)(float), float value) { return function(value); }

#include "shared.h"

float c_sum(void)
{
  float sum = steps;

  for (int i = 0; i < 256; i++)
    sum += field[i];
  for (int i = 0; i < 8; i++)
    sum += points[i].y;
  return sum;
}

void c_scale(float by)
{
  for (int i = 0; i < 256; i++)
    field[i] *= by;
  for (int i = 0; i < 8; i++)
    points[i].y *= by;
  steps += 100;
}

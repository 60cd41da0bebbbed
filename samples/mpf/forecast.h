/* forecast.h - what an elimination will take, before it begins. */
#ifndef MPF_FORECAST_H
#define MPF_FORECAST_H

#include "solver.h"

struct mpf_forecast {
  double bytes;      /* of tables at once, at most */
  double conditions; /* runs of the part behind the first condition; 1: none is needed */
  double flop;       /* of all of them */
};

/* Within `memory` bytes. 0, or -1 when out of memory. */
int mpf_forecast(const struct mpf_solver *, const struct mpf_list *live, double memory,
                 struct mpf_forecast *ret);

#endif

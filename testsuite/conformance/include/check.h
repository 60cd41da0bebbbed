// What the conformance programs use to check their results: expect() notes a difference, check_done() is
// the program's exit status.
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int check_failures;

template <typename Have, typename Want>
static void expect(const char *what, long long index, Have have, Want want)
{
  if (have == want)
    return;
  if (check_failures++ < 8)
    printf("%s, %lld: %.17g, not %.17g\n", what, index, (double)have, (double)want);
}

static inline int check_done(void)
{
  if (check_failures == 0) {
    puts("ok");
    return 0;
  }
  printf("%d differences\n", check_failures);
  return 1;
}

#endif

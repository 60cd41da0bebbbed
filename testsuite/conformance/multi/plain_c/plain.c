extern int values[50];
extern struct { int first; double second; } record;

int c_sum(void)
{
  int sum = 0;

  for (int i = 0; i < 50; i++)
    sum += values[i];
  record.first = 7;
  record.second += 1.5;
  return sum;
}

void c_change(int *p, int n)
{
  while (n--)
    *p++ = -7;
}

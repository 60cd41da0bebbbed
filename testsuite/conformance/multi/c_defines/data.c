static char before[3] = { 1, 2, 3 };
int numbers[40];
double level = 1.5;

__attribute__((constructor)) static void fill(void)
{
  for (int i = 0; i < 40; i++)
    numbers[i] = 1;
}

int c_sum(void)
{
  int sum = before[0] - 1;

  for (int i = 0; i < 40; i++)
    sum += numbers[i];
  return sum;
}

void c_set(int i, int v)
{
  numbers[i] = v;
}

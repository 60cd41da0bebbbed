// Host code with launches and uses of a VS variable that the including file declares.
static void step_in_header(int n)
{
  for (int i = 0; i < n; i++)
    advance<<<1, 64>>>(u, 1);
  for (int i = 0; i < 64; i++)
    from_header[i] += n;
}
inline void step_once() { advance<<<1, 64>>>(u, 2); }

// Words of a sequence are counted by a kernel whose locals have the names of its letters: a name in
// a character constant or in a string is no use of a local.
#include <cstdio>
#include <cstring>

enum { LENGTH = 5000, WORD = 4, WORDS = 1 << (2 * WORD) };

__device__ const char letters[] = "a c g t";

__global__ void count_words(const char *text, int length, unsigned *counts)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + WORD > length) return;
  unsigned word = 0;
  for (int j = 0; j < WORD; j++) {
    unsigned c;
    switch (text[i + j]) {
    case 'a': c = 0; break;
    case 'c': c = 1; break;
    case 'g': c = 2; break;
    default: c = 3;
    }
    word = word << 2 | c;
  }
  atomicAdd(&counts[word], 1u);
}

__global__ void count_letter(const char *text, int length, unsigned *counts, char t)
{
  int a = blockIdx.x * blockDim.x + threadIdx.x;
  if (a >= length) return;
  int g = text[a] == t ? 1 : text[a] == 'a' ? 2 : text[a] == letters[2] ? 1'0 / 5 + 1 : 'g' % 4 + 1;
  for (int t = 0; t < 2; t++) atomicAdd(&counts[(g + t) % 8], 1u);
}

static const char letters_of[] = "acgt";
static int failures;

static void expect(const char *what, const unsigned *have, const unsigned *want, int count)
{
  for (int i = 0; i < count; i++)
    if (have[i] != want[i] && failures++ < 8)
      printf("%s, %d: %u, not %u\n", what, i, have[i], want[i]);
}

int main()
{
  static char text[LENGTH];
  static unsigned words[WORDS], have[WORDS], some[8];
  for (int i = 0; i < LENGTH; i++) text[i] = "acgt"[i * 7 % 13 * i % 4];
  for (int i = 0; i + WORD <= LENGTH; i++) {
    unsigned word = 0;
    for (int j = 0; j < WORD; j++)
      word = word << 2 | (unsigned)(strchr(letters_of, text[i + j]) - letters_of);
    words[word]++;
  }
  for (int i = 0; i < LENGTH; i++) {
    int g = text[i] == 't' ? 1 : text[i] == 'a' ? 2 : text[i] == 'c' ? 3 : 'g' % 4 + 1;
    for (int t = 0; t < 2; t++) some[(g + t) % 8]++;
  }
  char *device_text;
  unsigned *counts;
  if (cudaMalloc(&device_text, LENGTH) || cudaMalloc(&counts, sizeof have)) return 1;
  cudaMemcpy(device_text, text, LENGTH, cudaMemcpyHostToDevice);
  cudaMemset(counts, 0, sizeof have);
  count_words<<<(LENGTH + 255) / 256, 256>>>(device_text, LENGTH, counts);
  cudaMemcpy(have, counts, sizeof have, cudaMemcpyDeviceToHost);
  expect("words", have, words, WORDS);
  cudaMemset(counts, 0, sizeof have);
  count_letter<<<(LENGTH + 255) / 256, 256>>>(device_text, LENGTH, counts, 't');
  cudaMemcpy(have, counts, sizeof some, cudaMemcpyDeviceToHost);
  expect("letters", have, some, 8);
  cudaFree(device_text);
  cudaFree(counts);
  if (failures) return 1;
  puts("ok");
  return 0;
}

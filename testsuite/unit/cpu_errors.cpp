/* cpu_errors.cpp - errors inside kernels end the program with a message: each case in a child
 * process. */
#include "cpu_test.h"

#include <csignal>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

/* Under AddressSanitizer: the cases end by their own signals, and what they hold then is no leak.
 */
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options()
{
  return "handle_segv=0:handle_abort=0:allow_user_segv_handler=1:detect_leaks=0";
}

static void missing_lane()
{
  if (threadIdx.x < 16)
    __syncwarp(0xffffffffu);
  else
    __syncthreads();
}
static void shuffle_against_barrier(int *out)
{
  if (threadIdx.x == 0)
    __syncthreads();
  else
    *out = __shfl_sync(0xffffffffu, 1, 0);
}
static void not_in_mask() { __syncwarp(threadIdx.x == 3 ? 1u : 0xffffffffu); }
static int deep(volatile int *p, int n)
{
  volatile char room[512];
  room[0] = (char)n;
  return n == 0 ? *p : deep(p, n - 1) + room[0];
}
static void overflow(int *p) { *p = deep(p, 1 << 20); }
static void trap()
{
  if (blockIdx.x == 1 && threadIdx.x == 2) __trap();
}
static void grid_barrier() { mesi_cpu_grid_barrier(); }
static void nested() { mesi_cpu::launch(trap, config(1, 1)); }
static void wild(int *p) { *p = 1; }
static void lost_block()
{
  if (blockIdx.x == 0) mesi_cpu_grid_barrier();
}

/* Status and stderr of a child that runs `body`. */
template <class Body> static int in_child(Body body, std::string *ret_text)
{
  int ends[2], status = 0;
  char buffer[4096];
  if (pipe(ends) != 0) std::abort();
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    body();
    _exit(0);
  }
  close(ends[1]);
  ret_text->clear();
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    ret_text->append(buffer, (size_t)n);
  close(ends[0]);
  waitpid(child, &status, 0);
  return status;
}

template <class Body> static void expect(const char *what, int exit_status, Body body)
{
  std::string text;
  int status = in_child(body, &text);
  bool right = exit_status < 0 ? WIFSIGNALED(status) && WTERMSIG(status) == -exit_status
                               : WIFEXITED(status) && WEXITSTATUS(status) == exit_status;
  if (right && text.find(what) != std::string::npos) return;
  failures++;
  std::printf("expected '%s' with status %d, got status %d: %s\n", what, exit_status, status,
              text.c_str());
}

int main()
{
  static int word;
  mesi_cpu::launch(wild, config(4, 32), &word); /* the pool exists before the forks */
  expect("deadlock", 70, [] { mesi_cpu::launch(missing_lane, config(2, 32)); });
  expect("mask 0xffffffff", 70,
         [] { mesi_cpu::launch(shuffle_against_barrier, config(2, 32), &word); });
  expect("'named'", 70, [] { mesi_cpu::launch(missing_lane, config(1, 32, 0, 0, "named")); });
  expect("missing_lane", 70, [] { mesi_cpu::launch(missing_lane, config(1, 32)); });
  expect("does not name the calling lane 3", 70,
         [] { mesi_cpu::launch(not_in_mask, config(1, 32)); });
  expect("stack overflow", 70, [] { mesi_cpu::launch(overflow, config(1, 32), &word); });
  expect("block (1,0,0), thread (2,0,0): __trap", 70,
         [] { mesi_cpu::launch(trap, config(2, 32)); });
  expect("needs a cooperative launch", 70, [] { mesi_cpu::launch(grid_barrier, config(2, 32)); });
  expect("not supported", 70, [] { mesi_cpu::launch(nested, config(1, 1)); });
  expect("illegal address 0x10", -SIGSEGV, [] { mesi_cpu::launch(wild, config(1, 1), (int *)16); });
  expect("outside a kernel", 70, [] { __syncwarp(); });
  expect("grid-wide barrier", 70, [] { cudaLaunchCooperativeKernel(lost_block, 2, 32, nullptr); });
  return failures != 0;
}

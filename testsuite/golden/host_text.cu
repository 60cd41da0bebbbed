#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_f03dc349; }
// args: -O1 --no-line -Rmesi=host -I include
// Where the name of a variable stands in text: strings, comments, text that is left out, other files, members, declarations.
#include "text_newline.h"
#include "text_empty.h"
struct first { int x, shown; int *hidden, kept[2]; };
union second { float shown; struct { int hidden, quiet; } inner; };
class third { public: int f(int shown = 3) { return shown; } int quiet; enum { a, b } kept; };
static int shown[10] MESI_VS(_vs_shown_f03dc349), hidden[10] MESI_VS(_vs_hidden_f03dc349), quiet[10] MESI_VS(_vs_quiet_f03dc349), kept[10] MESI_VS(_vs_kept_f03dc349), seen[10] MESI_VS(_vs_seen_f03dc349), called[10] MESI_VS(_vs_called_f03dc349), far[10] MESI_VS(_vs_far_f03dc349); static MESI_CONSTANT decltype(shown) *_d_shown; static MESI_CONSTANT decltype(hidden) *_d_hidden; static MESI_CONSTANT decltype(quiet) *_d_quiet; static MESI_CONSTANT decltype(kept) *_d_kept; static MESI_CONSTANT decltype(seen) *_d_seen; static MESI_CONSTANT decltype(called) *_d_called; static MESI_CONSTANT decltype(far) *_d_far;
#if 0
don't R"shown" R"a long delimiter of a string(shown" "unfinished shown
#endif
__global__ void k() { auto &shown = *_d_shown; auto &hidden = *_d_hidden; auto &quiet = *_d_quiet; auto &kept = *_d_kept; auto &seen = *_d_seen; auto &called = *_d_called; auto &far = *_d_far; shown[0] = hidden[0] + quiet[0] + kept[0] + seen[0] + called[0] + far[0]; }
// k_cached: k with the following in shared memory, for blocks of 1 threads.
//   hidden[0 .. +1]  4 bytes, copied in, 1 accesses per thread, 0.25 per byte
//   quiet[0 .. +1]  4 bytes, copied in, 1 accesses per thread, 0.25 per byte
//   kept[0 .. +1]  4 bytes, copied in, 1 accesses per thread, 0.25 per byte
//   seen[0 .. +1]  4 bytes, copied in, 1 accesses per thread, 0.25 per byte
//   called[0 .. +1]  4 bytes, copied in, 1 accesses per thread, 0.25 per byte
//   far[0 .. +1]  4 bytes, copied in, 1 accesses per thread, 0.25 per byte
//   shown[0 .. +1]  4 bytes, copied out, 1 accesses per thread, 0.25 per byte
__global__ void k_cached() {
  auto &shown = *_d_shown;
  auto &hidden = *_d_hidden;
  auto &quiet = *_d_quiet;
  auto &kept = *_d_kept;
  auto &seen = *_d_seen;
  auto &called = *_d_called;
  auto &far = *_d_far;
  __shared__ int _s_hidden[1];
  __shared__ int _s_quiet[1];
  __shared__ int _s_kept[1];
  __shared__ int _s_seen[1];
  __shared__ int _s_called[1];
  __shared__ int _s_far[1];
  __shared__ int _s_shown[1];
  const int _t = threadIdx.x;
  if (_t == 0)
    _s_hidden[0] = hidden[0];
  if (_t == 0)
    _s_quiet[0] = quiet[0];
  if (_t == 0)
    _s_kept[0] = kept[0];
  if (_t == 0)
    _s_seen[0] = seen[0];
  if (_t == 0)
    _s_called[0] = called[0];
  if (_t == 0)
    _s_far[0] = far[0];
  __syncthreads();
  _s_shown[0] = _s_hidden[0] + _s_quiet[0] + _s_kept[0] + _s_seen[0] + _s_called[0] + _s_far[0];
  __syncthreads();
  if (_t == 0)
    shown[0] = _s_shown[0];
}
const char *text =
#include "text_string.h"
;
static int sum(const int *p, int n);
static int (unusual)(int x);
extern int more(int), less(int far);
static const char *raw = R"(shown[1])" "shown \" shown" R"x(hidden)")x", letter = '\'', number = 1'000'000 % 7;
static int (unusual)(int x) { mesi_use_bytes(far, 4, 8, MESI_READ); return x + far[1]; }
int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
static int by_name(int (*f)(const int *, int)) { return f(mesi_touch(quiet, MESI_READ), 3); }
template <typename... T> int count(T... rest) { return sizeof...(rest) + sizeof...(T); }
int use(first *p, second q, third r, int n) {
  int s = p->shown + p -> hidden[1] + (*p) . kept[0] + (int)q.shown + q.inner.quiet + r.quiet + r.kept + (*p)
#include "text_member.h"
  ;
  s += n
#include "text_slash.h"
    2 + shown[1] + LATER(shown)[2] + sizeof(shown) + sizeof hidden / sizeof *hidden;
#include "text_comment.h"

  s += sum(
#include "text_word.h"
    , 3) + by_name(sum) + unusual(2) + seen[n] /* seen */ + count(1, 2); // seen \
  seen too
#include "text_directive.h"
  { int called = 3; s += called; }
  auto later = [&] { return called[3]; };
  return s + later() + n + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + kept[n] + (int)letter + number + (int)(long)raw;
}
int main() { (mesi_launch_begin(&_mesi_f03dc349, 0), mesi_launch_range(0, 0, 0, 0, 4, MESI_WRITE | MESI_OVERWRITE), mesi_launch_range(1, 0, 4, 0, 0, MESI_READ), mesi_launch_range(2, 0, 4, 0, 0, MESI_READ), mesi_launch_range(3, 0, 4, 0, 0, MESI_READ), mesi_launch_range(4, 0, 4, 0, 0, MESI_READ), mesi_launch_range(5, 0, 4, 0, 0, MESI_READ), mesi_launch_range(6, 0, 4, 0, 0, MESI_READ), mesi_stream(0), k_cached<<<1, 1>>>(), mesi_launch_end()); first f = {}; return use(&f, second(), third(), 2); }

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(shown)> _vs_shown_f03dc349; }
extern "C" { MESI_HIDDEN mesi_page<decltype(hidden)> _vs_hidden_f03dc349; }
extern "C" { MESI_HIDDEN mesi_page<decltype(quiet)> _vs_quiet_f03dc349; }
extern "C" { MESI_HIDDEN mesi_page<decltype(kept)> _vs_kept_f03dc349; }
extern "C" { MESI_HIDDEN mesi_page<decltype(seen)> _vs_seen_f03dc349; }
extern "C" { MESI_HIDDEN mesi_page<decltype(called)> _vs_called_f03dc349; }
extern "C" { MESI_HIDDEN mesi_page<decltype(far)> _vs_far_f03dc349; }
static const struct mesi_var _mesi_f03dc349_vars[] = {
  {"shown", (void *)&shown, sizeof(shown), &_d_shown, MESI_VAR_GUARDED, 0, "host_text.mcu:8"},
  {"hidden", (void *)&hidden, sizeof(hidden), &_d_hidden, MESI_VAR_GUARDED, 0, "host_text.mcu:8"},
  {"quiet", (void *)&quiet, sizeof(quiet), &_d_quiet, MESI_VAR_GUARDED, 0, "host_text.mcu:8"},
  {"kept", (void *)&kept, sizeof(kept), &_d_kept, MESI_VAR_GUARDED, 0, "host_text.mcu:8"},
  {"seen", (void *)&seen, sizeof(seen), &_d_seen, MESI_VAR_GUARDED, 0, "host_text.mcu:8"},
  {"called", (void *)&called, sizeof(called), &_d_called, MESI_VAR_GUARDED, 0, "host_text.mcu:8"},
  {"far", (void *)&far, sizeof(far), &_d_far, 0, 0, "host_text.mcu:8"},
};
static const struct mesi_site_use _mesi_f03dc349_uses_0[] = {{0, MESI_READ_WRITE}, {1, MESI_READ}, {2, MESI_READ}, {3, MESI_READ}, {4, MESI_READ}, {5, MESI_READ}, {6, MESI_READ}};
static const struct mesi_site _mesi_f03dc349_sites[] = {
  {"k", "host_text.mcu:42", _mesi_f03dc349_uses_0, 7, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_f03dc349 = {MESI_ABI, "host_text.mcu", _mesi_f03dc349_vars, 7, _mesi_f03dc349_sites, 1}; }
MESI_REGISTER(_mesi_f03dc349)

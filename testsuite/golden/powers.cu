#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_79102ab5; }
#line 1 "powers.mcu"
// args: -O3
// Powers as products, roots and exponentials: in the text, and in the printed kernel where a template has one.
#include <math.h>

extern double x[4096] MESI_VS(_vs_x), e[4096] MESI_VS(_vs_e); static MESI_CONSTANT decltype(x) *_d_x; static MESI_CONSTANT decltype(e) *_d_e;
extern float y[4096] MESI_VS(_vs_y); static MESI_CONSTANT decltype(y) *_d_y;
extern int level[4096] MESI_VS(_vs_level); static MESI_CONSTANT decltype(level) *_d_level;

__device__ double well(double r) { return mesi_power<12>(r) - mesi_power<6>(r); }
template <typename T> __device__ T square(T v) { return (T)pow(v, 2.0); }

__global__ void powers()
{ auto &e = *_d_e; auto &x = *_d_x; auto &y = *_d_y; auto &level = *_d_level;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double three = 3.0;
  e[i] = well(0.8 / x[i]) + mesi_power<2>(y[i]) + mesi_power<3>(x[i] - 1) + mesi_half_power<-3>(x[i]) + mesi_two_to(level[i]) + mesi_exp10(x[i]);
  y[i] = mesi_half_powerf<1>(y[i]) + powf(y[i], 2.2f);
}

__global__ void squares()
{ auto &e = *_d_e; auto &x = *_d_x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  e[i] = square(x[i]);
}
// squares_formed: squares in another form.
#line 20 "powers.mcu"
__global__ void squares_formed()
{
  auto &e = *_d_e;
  auto &x = *_d_x;
#line 22 "powers.mcu"
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  e[i] = (double)mesi_power<2>(x[i]);
}
#line 25 "powers.mcu"

void run()
{
  (mesi_launch_begin(&_mesi_79102ab5, 0), mesi_launch_range(0, 0, 0, 0, 32768, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), powers<<<16, 256>>>(), mesi_launch_end());
  (mesi_launch_begin(&_mesi_79102ab5, 1), mesi_launch_range(0, 0, 0, 0, 32768, MESI_WRITE | MESI_OVERWRITE), mesi_stream(0), squares_formed<<<16, 256>>>(), mesi_launch_end());
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(x)> _vs_x; }
extern "C" { MESI_HIDDEN mesi_page<decltype(e)> _vs_e; }
extern "C" { MESI_HIDDEN mesi_page<decltype(y)> _vs_y; }
extern "C" { MESI_HIDDEN mesi_page<decltype(level)> _vs_level; }
static const struct mesi_var _mesi_79102ab5_vars[] = {
  {"x", (void *)&x, sizeof(x), &_d_x, MESI_VAR_GUARDED | MESI_VAR_DOUBLE, 0, "powers.mcu:5"},
  {"e", (void *)&e, sizeof(e), &_d_e, MESI_VAR_GUARDED | MESI_VAR_DOUBLE, 0, "powers.mcu:5"},
  {"y", (void *)&y, sizeof(y), &_d_y, MESI_VAR_GUARDED | MESI_VAR_FLOAT, 0, "powers.mcu:6"},
  {"level", (void *)&level, sizeof(level), &_d_level, MESI_VAR_GUARDED, 0, "powers.mcu:7"},
};
static const struct mesi_site_use _mesi_79102ab5_uses_0[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}, {2, MESI_READ_WRITE}, {3, MESI_READ}};
static const struct mesi_site_use _mesi_79102ab5_uses_1[] = {{1, MESI_READ_WRITE}, {0, MESI_READ}};
static const struct mesi_site _mesi_79102ab5_sites[] = {
  {"powers", "powers.mcu:28", _mesi_79102ab5_uses_0, 4, 0},
  {"squares", "powers.mcu:29", _mesi_79102ab5_uses_1, 2, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_79102ab5 = {MESI_ABI, "powers.mcu", _mesi_79102ab5_vars, 4, _mesi_79102ab5_sites, 2}; }
MESI_REGISTER(_mesi_79102ab5)

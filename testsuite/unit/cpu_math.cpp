/* cpu_math.cpp - device functions: values checked against exact or independently known ones. */
#include "cpu_test.h"

#include "cuda_fp16.h"

#include <cmath>

static bool close(double a, double b, double relative = 1e-14)
{
  return a == b || std::fabs(a - b) <= relative * std::fabs(b);
}

static void test_integers()
{
  CHECK_EQ(__popc(0xf0f0u), 8);
  CHECK_EQ(__popcll(~0ull), 64);
  CHECK_EQ(__clz(0), 32);
  CHECK_EQ(__clz(1), 31);
  CHECK_EQ(__clzll(1), 63);
  CHECK_EQ(__ffs(0), 0);
  CHECK_EQ(__ffsll(1ll << 40), 41);
  CHECK_EQ(__brev(1u), 0x80000000u);
  CHECK_EQ(__brev(0x12345678u), 0x1e6a2c48u);
  CHECK_EQ(__brevll(1), 1ull << 63);
  CHECK_EQ(__mul24(0xffffff, 5), -5);
  CHECK_EQ(__umul24(0xff000003u, 5u), 15u);
  CHECK_EQ(__mulhi(-1, 1), -1);
  CHECK_EQ(__umulhi(0x80000000u, 4u), 2u);
  CHECK_EQ(__mul64hi(-1, 1), -1);
  CHECK_EQ(__umul64hi(1ull << 63, 6), 3u);
  CHECK_EQ(__sad(-3, 4, 10u), 17u);
  CHECK_EQ(__byte_perm(0x33221100u, 0x77665544u, 0x7150u), 0x77115500u);
  CHECK_EQ(__funnelshift_l(0x80000000u, 1u, 1), 3u);
  CHECK_EQ(__funnelshift_r(2u, 1u, 1), 0x80000001u);
  CHECK_EQ(__funnelshift_lc(5u, 1u, 40), 5u);
  CHECK_EQ(__dp4a((int)0xff02fe01, (int)0x01010101, 10), 10);
  CHECK_EQ(__dp4a(0xff020101u, 0x01010101u, 10u), 269u);
  CHECK_EQ(__fns(0x50u, 0, 2), 6);
  CHECK_EQ(min(-1, 2u), 2u);
  CHECK_EQ(max(1.5f, 2.0), 2.0);
}

static void test_rounding()
{
  CHECK(__fadd_rd(1.0f, 1e-10f) == 1.0f && __fadd_ru(1.0f, 1e-10f) == nextafterf(1.0f, 2.0f));
  CHECK(__fdiv_rz(2.0f, 3.0f) < __fdiv_ru(2.0f, 3.0f));
  CHECK_EQ(nextafterf(__fdiv_rd(1.0f, 3.0f), 1.0f), __fdiv_ru(1.0f, 3.0f));
  CHECK(__dmul_rd(0.1, 0.1) < __dmul_ru(0.1, 0.1));
  CHECK_EQ(__fmaf_rn(1.0f + 1 / 4096.0f, 1.0f + 1 / 4096.0f, -1.0f), 1 / 2048.0f + 1 / 16777216.0f);
  CHECK_EQ(__float2int_rn(2.5f), 2);
  CHECK_EQ(__float2int_rz(-2.7f), -2);
  CHECK_EQ(__float2int_ru(2.1f), 3);
  CHECK_EQ(__float2int_rd(-2.1f), -3);
  CHECK_EQ(__float2int_rz(1e20f), INT_MAX);
  CHECK_EQ(__float2uint_rz(-5.0f), 0u);
  CHECK_EQ(__float2int_rz(NAN), 0);
  CHECK_EQ(__double2ll_rn(-1e30), LLONG_MIN);
  CHECK_EQ(__int2float_rz(INT_MAX), 2147483520.0f);
  CHECK_EQ(__uint2float_ru(16777217u), 16777218.0f);
  CHECK_EQ(__ull2double_rz(~0ull), 18446744073709549568.0);
  CHECK_EQ(__ull2float_rd(~0ull), 18446742974197923840.0f);
  CHECK_EQ(__double2float_ru(1.0 + 1e-12), nextafterf(1.0f, 2.0f));
  CHECK_EQ(__float_as_int(1.0f), 0x3f800000);
  CHECK_EQ(__hiloint2double(0x3ff00000, 0), 1.0);
  CHECK_EQ(__double2hiint(-2.0), (int)0xc0000000);
}

static void test_functions()
{
  CHECK_EQ(rsqrtf(4.0f), 0.5f);
  CHECK(close(rcbrt(27.0), 1.0 / 3));
  CHECK_EQ(sinpi(1.0), 0.0);
  CHECK_EQ(cospi(0.5), 0.0);
  CHECK_EQ(sinpi(2.5), 1.0);
  CHECK_EQ(cospi(-3.0), -1.0);
  CHECK(close(sinpi(0.25), std::sqrt(0.5)));
  CHECK(close(exp10(3.0), 1000));
  CHECK_EQ(__saturatef(NAN), 0.0f);
  CHECK_EQ(__saturatef(1.5f), 1.0f);
  CHECK(close(normcdf(0.0), 0.5));
  CHECK(close(normcdf(1.96), 0.97500210485177952, 1e-13));
  CHECK(close(normcdfinv(0.975), 1.9599639845400545, 1e-13));
  for (double x = -0.99; x < 1; x += 0.045) CHECK(close(erf(erfinv(x)), x, 1e-13));
  for (double x = 1e-300; x < 1.9; x *= 7) CHECK(close(erfc(erfcinv(x)), x, 1e-11));
  CHECK(std::isinf(erfinv(1.0)) && std::isnan(erfinv(1.5)));
  CHECK(close(erfcx(30.0), 0.018795888861416751, 1e-13));
  CHECK(close(erfcx(5.0), 0.11070463773306863, 1e-13));
  CHECK(close(cyl_bessel_i0(1.0), 1.2660658777520082));
  CHECK(close(cyl_bessel_i1(2.0), 1.5906368546373291));
  CHECK(close(cyl_bessel_i0(50.0), 2.9325537838493363e20, 1e-12));
  CHECK(close(norm3d(2.0, 3.0, 6.0), 7.0));
}

static void test_half()
{
  /* every value survives the way through float and double */
  for (unsigned bits = 0; bits < 0x10000; bits++) {
    __half h = __ushort_as_half((unsigned short)bits);
    if (__hisnan(h)) continue;
    CHECK_EQ(__half_as_ushort(__float2half(__half2float(h))), bits);
    CHECK_EQ(__half_as_ushort(__double2half((double)(float)h)), bits);
  }
  /* halfway cases go to even, directed ones to their side */
  for (unsigned bits = 0; bits < 0x7bff; bits++) {
    float a = __ushort_as_half((unsigned short)bits),
          b = __ushort_as_half((unsigned short)(bits + 1));
    float middle = (a + b) / 2;
    CHECK_EQ(__half_as_ushort(__float2half_rn(middle)), bits + (bits & 1));
    CHECK_EQ(__half_as_ushort(__float2half_rn(nextafterf(middle, b))), bits + 1);
    CHECK_EQ(__half_as_ushort(__float2half_rz(middle)), bits);
    CHECK_EQ(__half_as_ushort(__float2half_ru(middle)), bits + 1);
    CHECK_EQ(__half_as_ushort(__float2half_rd(-middle)), (bits + 1) | 0x8000);
  }
  CHECK_EQ(__half_as_ushort(__float2half(65520.0f)), 0x7c00);
  CHECK_EQ(__half_as_ushort(__float2half_rz(1e9f)), 0x7bff);
  CHECK(__hisinf(__float2half(-1e9f)) == -1);
  __half a = 1.5f, b = 2;
  CHECK_EQ((float)(a * b + a / b - b), 1.75f);
  CHECK(a < b && a != b && -a == __half(-1.5f));
  __half tiny = 1 / 2048.0f, one = 1.0f;
  CHECK_EQ((float)__hfma(one, one, tiny), 1.0f);
  CHECK_EQ((float)__hfma(one, one, __hadd(tiny, __half(1 / 1048576.0f))), 1.0f + 1 / 1024.0f);
  half2 p = __floats2half2_rn(1, 2), q = p * p + p;
  CHECK(__low2float(q) == 2 && __high2float(q) == 6);
}

int main()
{
  test_integers();
  test_rounding();
  test_functions();
  test_half();
  return failures != 0;
}

/* SPDX-License-Identifier: MIT */
/* vectors.h - char1 to double4, dim3 and the make_ functions, with CUDA's sizes and alignments. */
#ifndef MESI_CUDA_VECTORS_H
#define MESI_CUDA_VECTORS_H
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__

#include "attributes.h"

struct char1 {
  signed char x;
};
struct __align__(2) char2 { signed char x, y; };
struct char3 {
  signed char x, y, z;
};
struct __align__(4) char4 { signed char x, y, z, w; };
struct uchar1 {
  unsigned char x;
};
struct __align__(2) uchar2 { unsigned char x, y; };
struct uchar3 {
  unsigned char x, y, z;
};
struct __align__(4) uchar4 { unsigned char x, y, z, w; };
struct short1 {
  short x;
};
struct __align__(4) short2 { short x, y; };
struct short3 {
  short x, y, z;
};
struct __align__(8) short4 { short x, y, z, w; };
struct ushort1 {
  unsigned short x;
};
struct __align__(4) ushort2 { unsigned short x, y; };
struct ushort3 {
  unsigned short x, y, z;
};
struct __align__(8) ushort4 { unsigned short x, y, z, w; };
struct int1 {
  int x;
};
struct __align__(8) int2 { int x, y; };
struct int3 {
  int x, y, z;
};
struct __align__(16) int4 { int x, y, z, w; };
struct uint1 {
  unsigned int x;
};
struct __align__(8) uint2 { unsigned int x, y; };
struct uint3 {
  unsigned int x, y, z;
};
struct __align__(16) uint4 { unsigned int x, y, z, w; };
struct long1 {
  long int x;
};
struct __align__(16) long2 { long int x, y; };
struct long3 {
  long int x, y, z;
};
struct __align__(16) long4 { long int x, y, z, w; };
struct ulong1 {
  unsigned long int x;
};
struct __align__(16) ulong2 { unsigned long int x, y; };
struct ulong3 {
  unsigned long int x, y, z;
};
struct __align__(16) ulong4 { unsigned long int x, y, z, w; };
struct longlong1 {
  long long int x;
};
struct __align__(16) longlong2 { long long int x, y; };
struct longlong3 {
  long long int x, y, z;
};
struct __align__(16) longlong4 { long long int x, y, z, w; };
struct ulonglong1 {
  unsigned long long int x;
};
struct __align__(16) ulonglong2 { unsigned long long int x, y; };
struct ulonglong3 {
  unsigned long long int x, y, z;
};
struct __align__(16) ulonglong4 { unsigned long long int x, y, z, w; };
struct float1 {
  float x;
};
struct __align__(8) float2 { float x, y; };
struct float3 {
  float x, y, z;
};
struct __align__(16) float4 { float x, y, z, w; };
struct double1 {
  double x;
};
struct __align__(16) double2 { double x, y; };
struct double3 {
  double x, y, z;
};
struct __align__(16) double4 { double x, y, z, w; };
struct __align__(16) long4_16a { long int x, y, z, w; };
struct __align__(32) long4_32a { long int x, y, z, w; };
struct __align__(16) ulong4_16a { unsigned long int x, y, z, w; };
struct __align__(32) ulong4_32a { unsigned long int x, y, z, w; };
struct __align__(16) longlong4_16a { long long int x, y, z, w; };
struct __align__(32) longlong4_32a { long long int x, y, z, w; };
struct __align__(16) ulonglong4_16a { unsigned long long int x, y, z, w; };
struct __align__(32) ulonglong4_32a { unsigned long long int x, y, z, w; };
struct __align__(16) double4_16a { double x, y, z, w; };
struct __align__(32) double4_32a { double x, y, z, w; };

typedef struct char1 char1;
typedef struct char2 char2;
typedef struct char3 char3;
typedef struct char4 char4;
typedef struct uchar1 uchar1;
typedef struct uchar2 uchar2;
typedef struct uchar3 uchar3;
typedef struct uchar4 uchar4;
typedef struct short1 short1;
typedef struct short2 short2;
typedef struct short3 short3;
typedef struct short4 short4;
typedef struct ushort1 ushort1;
typedef struct ushort2 ushort2;
typedef struct ushort3 ushort3;
typedef struct ushort4 ushort4;
typedef struct int1 int1;
typedef struct int2 int2;
typedef struct int3 int3;
typedef struct int4 int4;
typedef struct uint1 uint1;
typedef struct uint2 uint2;
typedef struct uint3 uint3;
typedef struct uint4 uint4;
typedef struct long1 long1;
typedef struct long2 long2;
typedef struct long3 long3;
typedef struct long4 long4;
typedef struct ulong1 ulong1;
typedef struct ulong2 ulong2;
typedef struct ulong3 ulong3;
typedef struct ulong4 ulong4;
typedef struct longlong1 longlong1;
typedef struct longlong2 longlong2;
typedef struct longlong3 longlong3;
typedef struct longlong4 longlong4;
typedef struct ulonglong1 ulonglong1;
typedef struct ulonglong2 ulonglong2;
typedef struct ulonglong3 ulonglong3;
typedef struct ulonglong4 ulonglong4;
typedef struct float1 float1;
typedef struct float2 float2;
typedef struct float3 float3;
typedef struct float4 float4;
typedef struct double1 double1;
typedef struct double2 double2;
typedef struct double3 double3;
typedef struct double4 double4;
typedef struct long4_16a long4_16a;
typedef struct long4_32a long4_32a;
typedef struct ulong4_16a ulong4_16a;
typedef struct ulong4_32a ulong4_32a;
typedef struct longlong4_16a longlong4_16a;
typedef struct longlong4_32a longlong4_32a;
typedef struct ulonglong4_16a ulonglong4_16a;
typedef struct ulonglong4_32a ulonglong4_32a;
typedef struct double4_16a double4_16a;
typedef struct double4_32a double4_32a;

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz)
  {
  }
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#if defined(__cplusplus)
#define MESI_MAKE static __inline__ __host__ __device__ constexpr
#else
#define MESI_MAKE static __inline__
#endif
MESI_MAKE char1 make_char1(signed char x)
{
  char1 v = {x};
  return v;
}
MESI_MAKE char2 make_char2(signed char x, signed char y)
{
  char2 v = {x, y};
  return v;
}
MESI_MAKE char3 make_char3(signed char x, signed char y, signed char z)
{
  char3 v = {x, y, z};
  return v;
}
MESI_MAKE char4 make_char4(signed char x, signed char y, signed char z, signed char w)
{
  char4 v = {x, y, z, w};
  return v;
}
MESI_MAKE uchar1 make_uchar1(unsigned char x)
{
  uchar1 v = {x};
  return v;
}
MESI_MAKE uchar2 make_uchar2(unsigned char x, unsigned char y)
{
  uchar2 v = {x, y};
  return v;
}
MESI_MAKE uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z)
{
  uchar3 v = {x, y, z};
  return v;
}
MESI_MAKE uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w)
{
  uchar4 v = {x, y, z, w};
  return v;
}
MESI_MAKE short1 make_short1(short x)
{
  short1 v = {x};
  return v;
}
MESI_MAKE short2 make_short2(short x, short y)
{
  short2 v = {x, y};
  return v;
}
MESI_MAKE short3 make_short3(short x, short y, short z)
{
  short3 v = {x, y, z};
  return v;
}
MESI_MAKE short4 make_short4(short x, short y, short z, short w)
{
  short4 v = {x, y, z, w};
  return v;
}
MESI_MAKE ushort1 make_ushort1(unsigned short x)
{
  ushort1 v = {x};
  return v;
}
MESI_MAKE ushort2 make_ushort2(unsigned short x, unsigned short y)
{
  ushort2 v = {x, y};
  return v;
}
MESI_MAKE ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z)
{
  ushort3 v = {x, y, z};
  return v;
}
MESI_MAKE ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z,
                               unsigned short w)
{
  ushort4 v = {x, y, z, w};
  return v;
}
MESI_MAKE int1 make_int1(int x)
{
  int1 v = {x};
  return v;
}
MESI_MAKE int2 make_int2(int x, int y)
{
  int2 v = {x, y};
  return v;
}
MESI_MAKE int3 make_int3(int x, int y, int z)
{
  int3 v = {x, y, z};
  return v;
}
MESI_MAKE int4 make_int4(int x, int y, int z, int w)
{
  int4 v = {x, y, z, w};
  return v;
}
MESI_MAKE uint1 make_uint1(unsigned int x)
{
  uint1 v = {x};
  return v;
}
MESI_MAKE uint2 make_uint2(unsigned int x, unsigned int y)
{
  uint2 v = {x, y};
  return v;
}
MESI_MAKE uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z)
{
  uint3 v = {x, y, z};
  return v;
}
MESI_MAKE uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w)
{
  uint4 v = {x, y, z, w};
  return v;
}
MESI_MAKE long1 make_long1(long int x)
{
  long1 v = {x};
  return v;
}
MESI_MAKE long2 make_long2(long int x, long int y)
{
  long2 v = {x, y};
  return v;
}
MESI_MAKE long3 make_long3(long int x, long int y, long int z)
{
  long3 v = {x, y, z};
  return v;
}
MESI_MAKE long4 make_long4(long int x, long int y, long int z, long int w)
{
  long4 v = {x, y, z, w};
  return v;
}
MESI_MAKE long4_16a make_long4_16a(long int x, long int y, long int z, long int w)
{
  long4_16a v = {x, y, z, w};
  return v;
}
MESI_MAKE long4_32a make_long4_32a(long int x, long int y, long int z, long int w)
{
  long4_32a v = {x, y, z, w};
  return v;
}
MESI_MAKE ulong1 make_ulong1(unsigned long int x)
{
  ulong1 v = {x};
  return v;
}
MESI_MAKE ulong2 make_ulong2(unsigned long int x, unsigned long int y)
{
  ulong2 v = {x, y};
  return v;
}
MESI_MAKE ulong3 make_ulong3(unsigned long int x, unsigned long int y, unsigned long int z)
{
  ulong3 v = {x, y, z};
  return v;
}
MESI_MAKE ulong4 make_ulong4(unsigned long int x, unsigned long int y, unsigned long int z,
                             unsigned long int w)
{
  ulong4 v = {x, y, z, w};
  return v;
}
MESI_MAKE ulong4_16a make_ulong4_16a(unsigned long int x, unsigned long int y, unsigned long int z,
                                     unsigned long int w)
{
  ulong4_16a v = {x, y, z, w};
  return v;
}
MESI_MAKE ulong4_32a make_ulong4_32a(unsigned long int x, unsigned long int y, unsigned long int z,
                                     unsigned long int w)
{
  ulong4_32a v = {x, y, z, w};
  return v;
}
MESI_MAKE longlong1 make_longlong1(long long int x)
{
  longlong1 v = {x};
  return v;
}
MESI_MAKE longlong2 make_longlong2(long long int x, long long int y)
{
  longlong2 v = {x, y};
  return v;
}
MESI_MAKE longlong3 make_longlong3(long long int x, long long int y, long long int z)
{
  longlong3 v = {x, y, z};
  return v;
}
MESI_MAKE longlong4 make_longlong4(long long int x, long long int y, long long int z,
                                   long long int w)
{
  longlong4 v = {x, y, z, w};
  return v;
}
MESI_MAKE longlong4_16a make_longlong4_16a(long long int x, long long int y, long long int z,
                                           long long int w)
{
  longlong4_16a v = {x, y, z, w};
  return v;
}
MESI_MAKE longlong4_32a make_longlong4_32a(long long int x, long long int y, long long int z,
                                           long long int w)
{
  longlong4_32a v = {x, y, z, w};
  return v;
}
MESI_MAKE ulonglong1 make_ulonglong1(unsigned long long int x)
{
  ulonglong1 v = {x};
  return v;
}
MESI_MAKE ulonglong2 make_ulonglong2(unsigned long long int x, unsigned long long int y)
{
  ulonglong2 v = {x, y};
  return v;
}
MESI_MAKE ulonglong3 make_ulonglong3(unsigned long long int x, unsigned long long int y,
                                     unsigned long long int z)
{
  ulonglong3 v = {x, y, z};
  return v;
}
MESI_MAKE ulonglong4 make_ulonglong4(unsigned long long int x, unsigned long long int y,
                                     unsigned long long int z, unsigned long long int w)
{
  ulonglong4 v = {x, y, z, w};
  return v;
}
MESI_MAKE ulonglong4_16a make_ulonglong4_16a(unsigned long long int x, unsigned long long int y,
                                             unsigned long long int z, unsigned long long int w)
{
  ulonglong4_16a v = {x, y, z, w};
  return v;
}
MESI_MAKE ulonglong4_32a make_ulonglong4_32a(unsigned long long int x, unsigned long long int y,
                                             unsigned long long int z, unsigned long long int w)
{
  ulonglong4_32a v = {x, y, z, w};
  return v;
}
MESI_MAKE float1 make_float1(float x)
{
  float1 v = {x};
  return v;
}
MESI_MAKE float2 make_float2(float x, float y)
{
  float2 v = {x, y};
  return v;
}
MESI_MAKE float3 make_float3(float x, float y, float z)
{
  float3 v = {x, y, z};
  return v;
}
MESI_MAKE float4 make_float4(float x, float y, float z, float w)
{
  float4 v = {x, y, z, w};
  return v;
}
MESI_MAKE double1 make_double1(double x)
{
  double1 v = {x};
  return v;
}
MESI_MAKE double2 make_double2(double x, double y)
{
  double2 v = {x, y};
  return v;
}
MESI_MAKE double3 make_double3(double x, double y, double z)
{
  double3 v = {x, y, z};
  return v;
}
MESI_MAKE double4 make_double4(double x, double y, double z, double w)
{
  double4 v = {x, y, z, w};
  return v;
}
MESI_MAKE double4_16a make_double4_16a(double x, double y, double z, double w)
{
  double4_16a v = {x, y, z, w};
  return v;
}
MESI_MAKE double4_32a make_double4_32a(double x, double y, double z, double w)
{
  double4_32a v = {x, y, z, w};
  return v;
}
#undef MESI_MAKE

#endif

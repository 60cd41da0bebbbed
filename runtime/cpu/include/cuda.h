/* SPDX-License-Identifier: MIT */
/* cuda.h - the part of the driver API that programs of the runtime API mention. */
#ifndef MESI_CUDA_H
#define MESI_CUDA_H

#include "mesi/types.h"

#define CUDA_VERSION 13000

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

#endif

/* SPDX-License-Identifier: MIT */
/* pieces_cuda.h - device memory for parts of a range of addresses, by the driver's management of
 * virtual memory. For device_cuda.c; `device` is the current one. */
#ifndef MESI_PIECES_CUDA_H
#define MESI_PIECES_CUDA_H

#include <stdbool.h>
#include <stddef.h>

/* NULL: the device cannot reserve addresses. */
void *mesi_pieces_reserve(int device, size_t bytes);
/* False: there is not enough memory. Both ends are multiples of MESI_PIECE. */
bool mesi_pieces_back(int device, void *memory, size_t begin, size_t end);
/* Is the memory one of these ranges? mesi_pieces_free gives it back; nothing may use it any
 * more. */
bool mesi_pieces_have(const void *memory);
void mesi_pieces_free(void *memory);

#endif

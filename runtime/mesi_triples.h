/* SPDX-License-Identifier: MIT */
/* mesi_triples.h - neighbouring records of three numbers of one or two bytes, such as pixels, in
 * three accesses. Included by mesi_cuda.h and mesi_cpu.h, after mesi_map.h. C++14 or later.
 */
#ifndef MESI_TRIPLES_H
#define MESI_TRIPLES_H

template <int MesiCount, typename MesiT>
static __device__ inline void mesi_triples_load(MesiT *mesi_to_, const MesiT *mesi_from_)
{
  const int mesi_part_ = MesiCount * (int)alignof(MesiT);

  for (int mesi_i_ = 0; mesi_i_ < 3 * mesi_part_; mesi_i_ += mesi_part_)
    mesi_some_load<mesi_part_>((unsigned char *)mesi_to_ + mesi_i_,
                               (const unsigned char *)mesi_from_ + mesi_i_);
}

template <int MesiCount, typename MesiT>
static __device__ inline void mesi_triples_store(MesiT *mesi_to_, const MesiT *mesi_from_)
{
  const int mesi_part_ = MesiCount * (int)alignof(MesiT);

  for (int mesi_i_ = 0; mesi_i_ < 3 * mesi_part_; mesi_i_ += mesi_part_)
    mesi_some_store<mesi_part_>((unsigned char *)mesi_to_ + mesi_i_,
                                (const unsigned char *)mesi_from_ + mesi_i_);
}

#endif

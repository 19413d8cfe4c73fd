/// The MPI that this interposer is made for.
#pragma once

#include "interposer/mpi_h.h"

#include <cstdint>
#include <cstring>

#if defined(REFRAIN_MPI_HEADER)
#include REFRAIN_MPI_HEADER
#elif defined(OPEN_MPI)
#include "interposer/openmpi.h"
#elif defined(MPICH) || defined(MPICH_VERSION)
#include "interposer/mpich.h"
#elif defined(SMPI_H)
#include "interposer/smpi.h"
#else
#include "interposer/other.h"
#endif

namespace refrain::proxy {

/// A handle as a word, whatever it is in this MPI.
template <class Handle>
std::uintptr_t key_of(Handle handle) {
    static_assert(sizeof(Handle) <= sizeof(std::uintptr_t));
    std::uintptr_t key = 0;
    std::memcpy(&key, &handle, sizeof handle);
    return key;
}

}  // namespace refrain::proxy

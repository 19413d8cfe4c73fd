/// What wrappers of Fortran's functions are made of: the C for what they were given. Included by interposer.cpp
/// only.
#pragma once

#include "interposer/call.h"

#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace refrain::proxy {

/// The function behind a wrapper of Fortran.
inline void* real_function(const char* name) {
    void* const found = dlsym(RTLD_NEXT, name);
    if (found == nullptr) {
        std::fprintf(stderr, "refrain proxy: this MPI has no %s, which the program calls\n", name);
        std::abort();
    }
    return found;
}

/// A function of mpi_f08, or null.
inline void* f08_function(const char* name) {
    return dlsym(RTLD_NEXT, name);
}

/// From where this MPI's mpi_f08 counts requests that are completed: from 1, but for MPICH 4.0, whose module forgets that Fortran
/// does. It is asked with a request that is complete, of a message from nobody, which the separate counter does not count.
/// `waitany`: its MPI_Waitany.
inline int f08_first_index(void* waitany) {
    MPI_Request nothing = MPI_REQUEST_NULL;
    MPI_Message from_nobody = MPI_MESSAGE_NO_PROC;
    if (waitany == nullptr ||
        PMPI_Imrecv(nullptr, 0, MPI_BYTE, &from_nobody, &nothing) != MPI_SUCCESS)
        return 1;
    MPI_Fint count = 1, request = PMPI_Request_c2f(nothing), index = 1, error = 0;
    MPI_Fint status[64] = {};  // of the few numbers that each MPI has in one
    using Waitany = void (*)(MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
    reinterpret_cast<Waitany>(waitany)(&count, &request, &index, status, &error);
    return index == 0 ? 0 : 1;
}

/// The address that C uses for what Fortran was given.
inline void* c_address(void* address) {
    if (address == nullptr) return address;
    if (address == this_mpi::fortran_in_place()) return MPI_IN_PLACE;
    if (address == this_mpi::fortran_bottom()) return MPI_BOTTOM;
    return address;
}

inline const MPI_Datatype* c_types(std::vector<MPI_Datatype>& types, const MPI_Fint* from,
                                   std::int64_t count) {
    types.clear();
    for (std::int64_t i = 0; i < count; ++i) types.push_back(PMPI_Type_f2c(from[i]));
    return types.data();
}

inline const int* c_weights(const MPI_Fint* weights) {
    if (weights == this_mpi::fortran_unweighted()) return MPI_UNWEIGHTED;
    return weights == this_mpi::fortran_weights_empty() ? MPI_WEIGHTS_EMPTY : weights;
}

/// Without the blanks behind it.
inline std::string c_string(const char* text, std::size_t length) {
    while (length > 0 && text[length - 1] == ' ') --length;
    return {text, length};
}

inline const MPI_Request* c_requests(std::vector<MPI_Request>& requests, const MPI_Fint* from,
                                     int count) {
    requests.clear();
    for (int i = 0; i < count; ++i) requests.push_back(PMPI_Request_f2c(from[i]));
    return requests.data();
}

/// Where a status has the same words in both languages.
inline MPI_Status* c_status(MPI_Fint* status) {
    return status == this_mpi::fortran_ignored(false) ? MPI_STATUS_IGNORE
                                                      : reinterpret_cast<MPI_Status*>(status);
}

class FortranStatusRoom {
  public:
    FortranStatusRoom(MPI_Fint* given, int count, bool several)
        : given_(given), c_(static_cast<std::size_t>(count > 0 ? count : 1)) {
        if (given != this_mpi::fortran_ignored(several) && given != this_mpi::f08_ignored(several))
            return;
        own_.resize(c_.size() * words);
        given_ = own_.data();
    }
    [[nodiscard]] MPI_Fint* get() { return given_; }
    [[nodiscard]] const MPI_Status* c() {
        for (std::size_t i = 0; i < c_.size(); ++i)
            this_mpi::read_status(given_ + i * words, c_[i]);
        return c_.data();
    }

  private:
    static constexpr std::size_t words = sizeof(MPI_Status) / sizeof(MPI_Fint);
    MPI_Fint* given_;
    std::vector<MPI_Status> c_;
    std::vector<MPI_Fint> own_;
};

}  // namespace refrain::proxy

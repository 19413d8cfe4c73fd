/// Handles that MPI has from the beginning.

#include "interposer/process.h"

namespace refrain::proxy {
namespace {

/// In the order of predefined_types().
const MPI_Datatype type_handles[] = {MPI_DATATYPE_NULL,
                                     MPI_CHAR,
                                     MPI_SIGNED_CHAR,
                                     MPI_UNSIGNED_CHAR,
                                     MPI_BYTE,
                                     MPI_WCHAR,
                                     MPI_SHORT,
                                     MPI_UNSIGNED_SHORT,
                                     MPI_INT,
                                     MPI_UNSIGNED,
                                     MPI_LONG,
                                     MPI_UNSIGNED_LONG,
                                     MPI_LONG_LONG_INT,
                                     MPI_LONG_LONG,
                                     MPI_UNSIGNED_LONG_LONG,
                                     MPI_FLOAT,
                                     MPI_DOUBLE,
                                     MPI_LONG_DOUBLE,
                                     MPI_PACKED,
                                     MPI_INT8_T,
                                     MPI_INT16_T,
                                     MPI_INT32_T,
                                     MPI_INT64_T,
                                     MPI_UINT8_T,
                                     MPI_UINT16_T,
                                     MPI_UINT32_T,
                                     MPI_UINT64_T,
                                     MPI_C_BOOL,
                                     MPI_C_COMPLEX,
                                     MPI_C_DOUBLE_COMPLEX,
                                     MPI_AINT,
                                     MPI_OFFSET,
                                     MPI_COUNT,
                                     MPI_FLOAT_INT,
                                     MPI_DOUBLE_INT,
                                     MPI_LONG_INT,
                                     MPI_SHORT_INT,
                                     MPI_2INT,
                                     MPI_LONG_DOUBLE_INT,
                                     MPI_CHARACTER,
                                     MPI_LOGICAL,
                                     MPI_INTEGER,
                                     MPI_REAL,
                                     MPI_DOUBLE_PRECISION,
                                     MPI_COMPLEX,
                                     MPI_DOUBLE_COMPLEX,
                                     MPI_2REAL,
                                     MPI_2DOUBLE_PRECISION,
                                     MPI_2INTEGER,
                                     MPI_INTEGER1,
                                     MPI_INTEGER2,
                                     MPI_INTEGER4,
                                     MPI_INTEGER8,
                                     MPI_REAL4,
                                     MPI_REAL8,
                                     MPI_COMPLEX8,
                                     MPI_COMPLEX16};
/// In the order of predefined_ops().
const MPI_Op op_handles[] = {MPI_OP_NULL, MPI_MAX,    MPI_MIN,    MPI_SUM,     MPI_PROD,
                             MPI_LAND,    MPI_BAND,   MPI_LOR,    MPI_BOR,     MPI_LXOR,
                             MPI_BXOR,    MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};

}  // namespace

void Process::predefine_handles() {
    groups.predefine(key_of(MPI_GROUP_NULL), null_handle);
    groups.predefine(key_of(MPI_GROUP_EMPTY), 0);
    for (std::size_t i = 0; i < std::size(type_handles); ++i)
        if (i == 0 || type_handles[i] != MPI_DATATYPE_NULL)
            types.predefine(key_of(type_handles[i]), static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < std::size(op_handles); ++i)
        ops.predefine(key_of(op_handles[i]), static_cast<std::int64_t>(i));
}

}  // namespace refrain::proxy

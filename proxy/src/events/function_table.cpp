#include "events/function_table.hpp"

#include <array>
#include <string>
#include <unordered_map>

namespace refrain::proxy {
namespace {

/// Never destroyed: a recorder writes its file when the process is about to end.
const std::vector<FunctionInfo>& table() {
    static const auto& functions = *new std::vector<FunctionInfo>{
#include "events/functions.inc"
        {"(recorded by name)", {}},
    };
    return functions;
}

bool is_lasting(const FunctionInfo& function) {
    bool communicates = false, of_window = false, of_attribute = false;
    for (const Parameter& parameter : function.parameters) {
        switch (parameter.kind) {
            case Kind::newcomm_:
            case Kind::newgroup_:
            case Kind::newtype_:
            case Kind::newop_:
            case Kind::newinfo_:
            case Kind::newwin_:
            case Kind::newpersistent_:
            case Kind::freecomm_:
            case Kind::freegroup_:
            case Kind::freetype_:
            case Kind::freeop_:
            case Kind::freeinfo_:
            case Kind::freewin_:
            case Kind::committype_:
            case Kind::errhandler_:
            case Kind::info_:
            case Kind::attach_:
            case Kind::detach_:
            case Kind::newkeyval_:
            case Kind::freekeyval_:
            case Kind::newmemory_:
            case Kind::freememory_:
            case Kind::newerrorclass_:
            case Kind::newerrorcode_:
            case Kind::errorcode_:
                return true;
            case Kind::keyval_:
                of_attribute = true;
                break;
            case Kind::attrout_:
                return false;
            // Where a file goes on follows from all that was read and written.
            case Kind::file_:
            case Kind::newfile_:
            case Kind::freefile_:
            case Kind::filename_:
                return true;
            case Kind::win_:
                of_window = true;
                break;
            default:
                communicates = communicates || is_buffer(parameter.kind);
        }
    }
    // Fences and locks: a transfer is allowed between them only.
    return of_attribute || (of_window && !communicates);
}

}  // namespace

const FunctionInfo& info(Function function) {
    return table()[static_cast<std::size_t>(function)];
}

bool is_lasting(Function function) {
    static const auto lasting = [] {
        std::array<bool, function_count + 1> all{};
        for (std::size_t i = 0; i < function_count; ++i) all[i] = is_lasting(table()[i]);
        return all;
    }();
    return lasting[static_cast<std::size_t>(function)];
}

Function function_named(std::string_view name) {
    static const auto numbers = [] {
        std::unordered_map<std::string_view, Function> all;
        for (std::size_t i = 0; i < function_count; ++i)
            all.emplace(table()[i].name, static_cast<Function>(i));
        return all;
    }();
    const auto found = numbers.find(name);
    return found == numbers.end() ? Function::by_name : found->second;
}

bool is_buffer(Kind kind) {
    switch (kind) {
        case Kind::sbuf_:
        case Kind::rbuf_:
        case Kind::sbufs_:
        case Kind::rbufs_:
        case Kind::sbufv_:
        case Kind::rbufv_:
        case Kind::sbufw_:
        case Kind::rbufw_:
        case Kind::sbufc_:
        case Kind::rbufm_:
        case Kind::sbufn_:
        case Kind::rbufn_:
        case Kind::sbufnv_:
        case Kind::rbufnv_:
        case Kind::sbufnw_:
        case Kind::rbufnw_:
        case Kind::sbufb_:
        case Kind::rbufb_:
        case Kind::wbuf_:
            return true;
        default:
            return false;
    }
}

bool comes_out(Kind kind) {
    switch (kind) {
        case Kind::newcomm_:
        case Kind::newgroup_:
        case Kind::newtype_:
        case Kind::newop_:
        case Kind::newrequest_:
        case Kind::newreceive_:
        case Kind::newmessage_:
        case Kind::newpersistent_:
        case Kind::newinfo_:
        case Kind::newkeyval_:
        case Kind::newmemory_:
        case Kind::newwin_:
        case Kind::newfile_:
        case Kind::iostatus_:
        case Kind::oint_:
        case Kind::osize_:
        case Kind::oflag_:
        case Kind::oindex_:
        case Kind::oindices_:
        case Kind::status_:
        case Kind::statuses_:
            return true;
        default:
            return false;
    }
}

std::span<const char* const> predefined_types() {
    static constexpr std::array names = {
        "MPI_DATATYPE_NULL",
        "MPI_CHAR",
        "MPI_SIGNED_CHAR",
        "MPI_UNSIGNED_CHAR",
        "MPI_BYTE",
        "MPI_WCHAR",
        "MPI_SHORT",
        "MPI_UNSIGNED_SHORT",
        "MPI_INT",
        "MPI_UNSIGNED",
        "MPI_LONG",
        "MPI_UNSIGNED_LONG",
        "MPI_LONG_LONG_INT",
        "MPI_LONG_LONG",
        "MPI_UNSIGNED_LONG_LONG",
        "MPI_FLOAT",
        "MPI_DOUBLE",
        "MPI_LONG_DOUBLE",
        "MPI_PACKED",
        "MPI_INT8_T",
        "MPI_INT16_T",
        "MPI_INT32_T",
        "MPI_INT64_T",
        "MPI_UINT8_T",
        "MPI_UINT16_T",
        "MPI_UINT32_T",
        "MPI_UINT64_T",
        "MPI_C_BOOL",
        "MPI_C_COMPLEX",
        "MPI_C_DOUBLE_COMPLEX",
        "MPI_AINT",
        "MPI_OFFSET",
        "MPI_COUNT",
        "MPI_FLOAT_INT",
        "MPI_DOUBLE_INT",
        "MPI_LONG_INT",
        "MPI_SHORT_INT",
        "MPI_2INT",
        "MPI_LONG_DOUBLE_INT",
        "MPI_CHARACTER",
        "MPI_LOGICAL",
        "MPI_INTEGER",
        "MPI_REAL",
        "MPI_DOUBLE_PRECISION",
        "MPI_COMPLEX",
        "MPI_DOUBLE_COMPLEX",
        "MPI_2REAL",
        "MPI_2DOUBLE_PRECISION",
        "MPI_2INTEGER",
        "MPI_INTEGER1",
        "MPI_INTEGER2",
        "MPI_INTEGER4",
        "MPI_INTEGER8",
        "MPI_REAL4",
        "MPI_REAL8",
        "MPI_COMPLEX8",
        "MPI_COMPLEX16",
    };
    return names;
}

std::span<const char* const> predefined_ops() {
    static constexpr std::array names = {"MPI_OP_NULL", "MPI_MAX",     "MPI_MIN",  "MPI_SUM",
                                         "MPI_PROD",    "MPI_LAND",    "MPI_BAND", "MPI_LOR",
                                         "MPI_BOR",     "MPI_LXOR",    "MPI_BXOR", "MPI_MAXLOC",
                                         "MPI_MINLOC",  "MPI_REPLACE", "MPI_NO_OP"};
    return names;
}

}  // namespace refrain::proxy

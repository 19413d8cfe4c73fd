#include "sizes/said_values.hpp"

#include <algorithm>

namespace refrain::proxy {

bool may_follow_formula(Role role) {
    return role == Role::plain || role == Role::tag || role == Role::buffer ||
           role == Role::request || role == Role::rank || role == Role::length;
}

std::size_t said_values(const Argument& argument) {
    if (argument.parameter == nullptr) return 0;
    if (!comes_out(argument.parameter->kind)) return argument.count;
    switch (argument.parameter->kind) {
        case Kind::newcomm_:
        case Kind::newgroup_:
        case Kind::newtype_:
        case Kind::newop_:
        case Kind::newinfo_:
        case Kind::newkeyval_:
        case Kind::newmemory_:
        case Kind::newrequest_:
        case Kind::newreceive_:
        case Kind::newpersistent_:
        case Kind::newmessage_:
        case Kind::newwin_:
            return std::min<std::size_t>(argument.count, 1);
        case Kind::newfile_:
            return argument.count;
        default:
            return 0;
    }
}

bool is_unused(Role role, std::int64_t value) {
    return role == Role::buffer && value == buffer_unused;
}

}  // namespace refrain::proxy

#include "convert/call_values.hpp"

namespace refrain::proxy {
namespace {

bool is_read(Kind kind) {
    switch (kind) {
        case Kind::sbuf_:
        case Kind::sbufs_:
        case Kind::sbufv_:
        case Kind::sbufc_:
        case Kind::sbufw_:
            return true;
        default:
            return false;
    }
}

}  // namespace

bool CallValues::has_buffer(bool read) const {
    for (const Parameter& each : info(function_).parameters)
        if (is_buffer(each.kind) && is_read(each.kind) == read && (root_ || !each.root_only))
            return true;
    return false;
}

Event CallValues::event() const {
    Event result{function_, {}, 0};
    for (const bool out : {false, true})
        for (const Parameter& each : info(function_).parameters) {
            if (comes_out(each.kind) != out) continue;
            const Values values = values_of(each);
            result.values.insert(result.values.end(), values.begin(), values.end());
        }
    result.values.push_back(0);  // no error
    return result;
}

CallValues::Values CallValues::values_of(const Parameter& parameter) const {
    if (parameter.root_only && !root_) {
        if (is_buffer(parameter.kind)) return {buffer_unused};
        return {parameter.kind == Kind::ints_ ? 0 : null_handle};
    }
    if (is_buffer(parameter.kind)) return {is_read(parameter.kind) ? read_ : written_};
    if (const auto found = given_.find(parameter.name); found != given_.end()) return found->second;
    switch (parameter.kind) {
        case Kind::argc_:
        case Kind::argv_:
            return {};
        case Kind::type_:
            return {type};
        case Kind::op_:
            return {operation};
        case Kind::comm_:
            return {place_.number, place_.me, place_.size};
        default:
            return {0};
    }
}

}  // namespace refrain::proxy

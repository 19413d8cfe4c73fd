#include "generate/amounts.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace refrain::proxy {
namespace {

bool has_parameter(const FunctionInfo& function, std::string_view name) {
    return std::any_of(function.parameters.begin(), function.parameters.end(),
                       [&](const Parameter& each) { return each.name == name; });
}

/// Whether a rank says something to one other.
bool is_message(const FunctionInfo& function) {
    return has_parameter(function, "dest") || has_parameter(function, "source") ||
           has_parameter(function, "message");
}

/// What is read from files and written to them keeps its size, as the files do.
bool is_collective(const FunctionInfo& function) {
    return function.collective && has_parameter(function, "comm");
}

bool has_buffer(const FunctionInfo& function) {
    return std::any_of(function.parameters.begin(), function.parameters.end(),
                       [](const Parameter& each) { return is_buffer(each.kind); });
}

}  // namespace

Amount amount_of(Function function, const Parameter& parameter) {
    const FunctionInfo& all = info(function);
    const std::string_view name = parameter.name;
    if (!has_buffer(all)) return Amount::fixed;
    const bool collective = is_collective(all);
    if (parameter.kind == Kind::int_) {
        if (name != "count" && name != "sendcount" && name != "recvcount") return Amount::fixed;
        if (collective) return Amount::sent;
        if (!is_message(all)) return Amount::fixed;
        return name == "recvcount" || (name == "count" && !has_parameter(all, "dest"))
                   ? Amount::room
                   : Amount::sent;
    }
    if (parameter.kind != Kind::ints_ || !collective) return Amount::fixed;
    // With a datatype per rank, places are bytes.
    if (has_parameter(all, "sendtypes")) return Amount::fixed;
    if (name == "sendcounts" || name == "recvcounts") return Amount::sent;
    return name == "displs" || name == "sdispls" || name == "rdispls" ? Amount::placed
                                                                      : Amount::fixed;
}

std::optional<MessageExtent> message_of(const Event& event, const Parameter& buffer) {
    const FunctionInfo& function = info(event.function);
    if (!is_message(function)) return std::nullopt;
    const std::string prefix = std::string_view(buffer.name) == "sendbuf"   ? "send"
                               : std::string_view(buffer.name) == "recvbuf" ? "recv"
                                                                            : "";
    MessageExtent found;
    for (const Argument& each : arguments_of(event)) {
        if (each.parameter == nullptr) continue;
        const std::string_view name = each.parameter->name;
        if (name == prefix + "count") {
            found.count = event.values[each.begin];
            found.amount = amount_of(event.function, *each.parameter);
        }
        if (name == (prefix.empty() ? "datatype" : prefix + "type"))
            found.type = event.values[each.begin];
    }
    return found;
}

bool keeps_size(const Event& event) {
    if (event.function == Function::by_name) return false;
    const FunctionInfo& function = info(event.function);
    if (!is_collective(function) || !has_buffer(function)) return false;
    std::int64_t known = null_handle;
    for (const Argument& each : arguments_of(event)) {
        if (each.parameter == nullptr || each.parameter->kind != Kind::type_) continue;
        const std::int64_t type = event.values[each.begin];
        if (type < 0) continue;
        if (type >= derived_type || (known >= 0 && type != known)) return true;
        known = type;
    }
    return false;
}

}  // namespace refrain::proxy

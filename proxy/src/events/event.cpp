#include "events/event.hpp"

namespace refrain::proxy {
namespace {

bool has_communicator(Function function) {
    for (const Parameter& parameter : info(function).parameters)
        if (parameter.kind == Kind::comm_) return true;
    return false;
}

/// What the values of a parameter are. An array repeats `each`.
struct Layout {
    bool array = false;
    std::vector<Role> each;
};

Layout layout(Kind kind, bool with_source) {
    if (is_buffer(kind)) return {false, {Role::buffer}};
    switch (kind) {
        case Kind::argc_:
        case Kind::argv_:
        case Kind::callback_:
        case Kind::attach_:
        case Kind::detach_:
        case Kind::baseptr_:
        case Kind::extra_:
        case Kind::attrin_:
        case Kind::attrout_:
        case Kind::errorclass_:
        case Kind::errorcode_:
        case Kind::newerrorclass_:
        case Kind::newerrorcode_:
            return {};
        case Kind::keyval_:
        case Kind::newkeyval_:
        case Kind::freekeyval_:
            return {false, {Role::keyval}};
        case Kind::newmemory_:
        case Kind::freememory_:
            return {false, {Role::memory}};
        case Kind::disp_:
        case Kind::wbase_:
            return {false, {Role::buffer, Role::plain}};
        case Kind::tag_:
            return {false, {Role::tag}};
        case Kind::rank_:
        case Kind::root_:
            return {false, {Role::rank}};
        case Kind::ranks_:
            return {true, {Role::rank}};
        case Kind::ranges_:
        case Kind::weights_:
        case Kind::ints_:
        case Kind::aints_:
        case Kind::logicals_:
        case Kind::distribs_:
        case Kind::dargs_:
            return {true, {Role::plain}};
        case Kind::types_:
            return {true, {Role::type}};
        case Kind::comm_:
        case Kind::freecomm_:
            return {false, {Role::comm, Role::me, Role::size}};
        case Kind::newcomm_:
            return {false, {Role::comm, Role::rank, Role::made_size}};
        case Kind::peercomm_:
            return {false, {Role::comm}};
        case Kind::info_:
        case Kind::freeinfo_:
        case Kind::newinfo_:
            return {false, {Role::info}};
        case Kind::string_:
        case Kind::filename_:
            return {false, {Role::text}};
        case Kind::win_:
        case Kind::freewin_:
            return {false, {Role::window, Role::me, Role::size}};
        case Kind::newwin_:
            return {false, {Role::made_window}};
        case Kind::file_:
        case Kind::freefile_:
            return {false, {Role::file}};
        case Kind::newfile_:
            return {false, {Role::file, Role::plain}};
        case Kind::iostatus_:
            return {false, {Role::bytes}};
        case Kind::group_:
        case Kind::freegroup_:
        case Kind::newgroup_:
            return {false, {Role::group}};
        case Kind::type_:
        case Kind::freetype_:
        case Kind::committype_:
        case Kind::newtype_:
            return {false, {Role::type}};
        case Kind::op_:
        case Kind::freeop_:
        case Kind::newop_:
            return {false, {Role::op}};
        case Kind::request_:
        case Kind::requestp_:
        case Kind::freerequest_:
        case Kind::wait_:
        case Kind::newrequest_:
        case Kind::newpersistent_:
        case Kind::start_:
            return {false, {Role::request}};
        case Kind::newreceive_:
            return {false, {Role::request, Role::rank, Role::tag}};
        case Kind::waits_:
        case Kind::starts_:
            return {true, {Role::request}};
        case Kind::message_:
        case Kind::newmessage_:
            return {false, {Role::message}};
        case Kind::errhandler_:
            return {false, {Role::errhandler}};
        case Kind::oflag_:
            return {false, {Role::flag}};
        case Kind::oindex_:
            return {false, {Role::index}};
        case Kind::oindices_:
            return {true, {Role::index}};
        case Kind::status_:
            return with_source ? Layout{false, {Role::rank, Role::tag, Role::bytes, Role::flag}}
                               : Layout{false, {Role::bytes, Role::flag}};
        case Kind::statuses_:
            return {true, {Role::bytes, Role::flag}};
        default:
            return {false, {Role::plain}};
    }
}

/// Calls use(argument, layout) in the order of recording; false if the values do not fit.
template <class Use>
bool walk(const Event& event, Use use) {
    std::size_t at = 0;
    if (event.function == Function::by_name) {
        use(Argument{nullptr, 0, event.values.size()}, Layout{false, {Role::text, Role::text}});
        return event.values.size() == 2;
    }
    const bool with_source = has_communicator(event.function);
    for (const bool out : {false, true}) {
        for (const Parameter& parameter : info(event.function).parameters) {
            if (comes_out(parameter.kind) != out) continue;
            const Layout all = layout(parameter.kind, with_source);
            std::size_t count = all.each.size();
            if (all.array) {
                if (at >= event.values.size()) return false;
                const std::int64_t length = event.values[at];
                if (length < 0 || static_cast<std::size_t>(length) > event.values.size())
                    return false;
                count = 1 + count * static_cast<std::size_t>(length);
            }
            if (count > event.values.size() - at) return false;
            use(Argument{&parameter, at, count}, all);
            at += count;
        }
    }
    if (at + 1 != event.values.size()) return false;
    use(Argument{nullptr, at, 1}, Layout{false, {Role::error}});
    return true;
}

}  // namespace

std::optional<std::vector<Argument>> split(const Event& event) {
    std::vector<Argument> arguments;
    if (!walk(event, [&](const Argument& each, const Layout&) { arguments.push_back(each); }))
        return std::nullopt;
    return arguments;
}

std::vector<Argument> arguments_of(const Event& event) {
    return split(event).value_or(std::vector<Argument>());
}

std::vector<Role> roles(const Event& event) {
    std::vector<Role> all;
    const bool fits = walk(event, [&](const Argument& argument, const Layout& layout) {
        if (layout.array) all.push_back(Role::length);
        const std::size_t rest = argument.count - (layout.array ? 1 : 0);
        for (std::size_t i = 0; i < rest; ++i) all.push_back(layout.each[i % layout.each.size()]);
    });
    if (!fits) all.clear();
    return all;
}

// A merged rank is 4 * value + mode; a code is a negative absolute rank.

std::int64_t encode_rank(std::int64_t rank, RankMode mode, std::int64_t me, std::int64_t size) {
    // A rank of another group (of an intercommunicator, of a peer) may lie beyond the size of the own one.
    if (rank < 0 || size <= 0 || rank >= size) mode = RankMode::absolute;
    std::int64_t value = rank;
    if (mode == RankMode::relative) value = ((rank - me) % size + size) % size;
    if (mode == RankMode::exclusive) value = rank ^ me;
    return 4 * value + static_cast<std::int64_t>(mode);
}

RankMode mode_of(std::int64_t encoded) {
    return static_cast<RankMode>(encoded & 3);
}

std::int64_t value_of(std::int64_t encoded) {
    return encoded >> 2;
}

std::int64_t decode_rank(std::int64_t encoded, std::int64_t me, std::int64_t size) {
    const std::int64_t value = value_of(encoded);
    switch (mode_of(encoded)) {
        case RankMode::relative:
            return size > 0 ? (me + value) % size : value;
        case RankMode::exclusive:
            return value ^ me;
        default:
            return value;
    }
}

namespace {

std::string rank_text(std::int64_t value, bool merged) {
    std::string prefix;
    if (merged) {
        if (mode_of(value) == RankMode::relative) prefix = "me+";
        if (mode_of(value) == RankMode::exclusive) prefix = "me^";
        value = value_of(value);
    }
    switch (value) {
        case rank_any:
            return "any source";
        case rank_null:
            return "MPI_PROC_NULL";
        case rank_root:
            return "MPI_ROOT";
        case rank_none:
            return "none";
        default:
            return prefix + std::to_string(value);
    }
}

/// "5"; of what another thread than the first one made "1.5", which is its fifth.
std::string number_text(std::int64_t number, std::int64_t first_own = 0) {
    const std::uint32_t thread = thread_of(number);
    return (thread == 0 ? "" : std::to_string(thread) + ".") +
           std::to_string(number - first_number_of(thread) - first_own);
}

std::string named(std::span<const char* const> names, std::int64_t number, std::int64_t first_own,
                  const char* own) {
    if (number >= 0 && number < static_cast<std::int64_t>(names.size()))
        return names[static_cast<std::size_t>(number)];
    if (number >= first_own) return own + number_text(number, first_own);
    return std::string(own) + "?";
}

std::string handle(const char* name, std::int64_t number) {
    if (number == null_handle) return "null";
    if (number == unknown_handle) return std::string(name) + "?";
    return name + number_text(number);
}

std::string value_text(Role role, std::int64_t value, bool merged) {
    switch (role) {
        case Role::buffer:
            switch (value) {
                case buffer_in_place:
                    return "MPI_IN_PLACE";
                case buffer_null:
                    return "NULL";
                case buffer_bottom:
                    return "MPI_BOTTOM";
                case buffer_unused:
                    return "-";
                case buffer_unattached:
                    return "memory that nobody attached";
                default:
                    return value < 0 ? "memory of rank " + std::to_string(rank_of_buffer(value))
                                     : "buffer" + number_text(value);
            }
        case Role::tag:
            return value == tag_any ? "any tag" : std::to_string(value);
        case Role::rank:
            return rank_text(value, merged);
        case Role::comm:
            return value == 0 ? "world" : handle("comm", value);
        case Role::group:
            return handle("group", value);
        case Role::type:
            return named(predefined_types(), value, derived_type, "type");
        case Role::op:
            return named(predefined_ops(), value, user_op, "op");
        case Role::request:
            return handle("request", value);
        case Role::message:
            return handle("message", value);
        case Role::info:
            return handle("info", value);
        case Role::keyval:
            return handle("keyval", value);
        case Role::memory:
            return handle("memory", value);
        case Role::window:
        case Role::made_window:
            return handle("window", value);
        case Role::file:
            return handle("file", value);
        case Role::bytes:
            return std::to_string(value) + " B";
        default:
            return std::to_string(value);
    }
}

}  // namespace

std::string describe(const Event& event, std::span<const std::string> texts, bool merged) {
    const auto words = [&](std::int64_t index) {
        return index >= 0 && static_cast<std::size_t>(index) < texts.size()
                   ? texts[static_cast<std::size_t>(index)]
                   : std::string("?");
    };
    const std::string thread =
        event.thread == 0 ? "" : "thread " + std::to_string(event.thread) + ": ";
    if (event.function == Function::by_name && event.values.size() == 2)
        return thread + words(event.values[0]) + "(...) called from " + words(event.values[1]);
    std::string in, out, error;
    const bool fits = walk(event, [&](const Argument& argument, const Layout& layout) {
        if (argument.parameter == nullptr) {
            if (event.values[argument.begin] != 0)
                error = ", error class " + std::to_string(event.values[argument.begin]);
            return;
        }
        if (argument.count == 0) return;
        const bool is_out = comes_out(argument.parameter->kind);
        std::string& text = is_out ? out : in;
        if (!text.empty()) text += ", ";
        text += std::string(argument.parameter->name) + (layout.array ? " [" : " ");
        const std::size_t first = argument.begin + (layout.array ? 1 : 0);
        for (std::size_t i = first; i < argument.begin + argument.count; ++i) {
            const Role role = layout.each[(i - first) % layout.each.size()];
            if (merged && (role == Role::me || role == Role::size)) continue;
            if (role == Role::me) {
                text += " (rank " + std::to_string(event.values[i]);
                continue;
            }
            if (role == Role::size) {
                text += " of " + std::to_string(event.values[i]) + ")";
                continue;
            }
            if (i != first) text += ' ';
            // A place in a window that is no dynamic one has no buffer.
            if (argument.parameter->kind == Kind::disp_ && event.values[i] == buffer_unused &&
                i == first)
                continue;
            text += role == Role::text ? '"' + words(event.values[i]) + '"'
                                       : value_text(role, event.values[i], merged);
        }
        if (layout.array) text += ']';
    });
    std::string text = thread + "MPI_" + std::string(info(event.function).name) + "(" + in + ")";
    if (!out.empty()) text += " -> " + out;
    return fits ? text + error : text + " ?";
}

bool is_handle(Role role) {
    switch (role) {
        case Role::comm:
        case Role::group:
        case Role::type:
        case Role::op:
        case Role::request:
        case Role::message:
        case Role::info:
        case Role::keyval:
        case Role::memory:
        case Role::window:
        case Role::made_window:
        case Role::file:
            return true;
        default:
            return false;
    }
}

}  // namespace refrain::proxy

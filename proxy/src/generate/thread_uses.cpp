#include "generate/thread_uses.hpp"

#include "merge/step.hpp"

#include <string_view>

namespace refrain::proxy {
namespace {

/// Numbers below are MPI's own handles: nobody makes or frees them.
std::int64_t first_made(Role role) {
    switch (role) {
        case Role::comm:
            return 2;
        case Role::group:
            return 1;
        case Role::type:
            return derived_type;
        case Role::op:
            return user_op;
        default:
            return 0;
    }
}

const char* name_of(Role role) {
    switch (role) {
        case Role::comm:
            return "communicator";
        case Role::group:
            return "group";
        case Role::type:
            return "datatype";
        case Role::op:
            return "operation";
        case Role::request:
            return "request";
        case Role::message:
            return "matched message";
        case Role::info:
            return "info object";
        case Role::keyval:
            return "key of attributes";
        case Role::memory:
            return "memory of MPI_Alloc_mem";
        case Role::window:
            return "window";
        default:
            return "file";
    }
}

bool frees(Kind kind) {
    switch (kind) {
        case Kind::freecomm_:
        case Kind::freegroup_:
        case Kind::freetype_:
        case Kind::freeop_:
        case Kind::freeinfo_:
        case Kind::freewin_:
        case Kind::freefile_:
        case Kind::freekeyval_:
        case Kind::freememory_:
        case Kind::freerequest_:
        case Kind::committype_:
            return true;
        default:
            return false;
    }
}

/// Calls that change what others find in a handle.
bool changes_handles(std::string_view name) {
    return name.find("attr") != name.npos || name.find("errhandler") != name.npos ||
           name == "Info_set" || name == "Info_delete";
}

void add_handles(const Event& event, std::vector<ThingUse>& uses) {
    const std::vector<Role> all = roles(event);
    const bool changes = changes_handles(info(event.function).name);
    for (const Argument& each : arguments_of(event)) {
        if (each.parameter == nullptr) continue;
        const bool made_or_freed = comes_out(each.parameter->kind) || frees(each.parameter->kind);
        for (std::size_t i = each.begin; i < each.begin + each.count; ++i) {
            const std::int64_t number = event.values[i];
            if (!is_handle(all[i]) || number < 0) continue;
            const Role role = all[i] == Role::made_window ? Role::window : all[i];
            const bool shared = role != Role::request && role != Role::message &&
                                role != Role::window && role != Role::file;
            const bool own = number >= first_made(role);
            uses.push_back({{Thing::Kind::handle, {static_cast<std::int64_t>(role), number}},
                            own && (made_or_freed || changes || !shared)});
        }
    }
}

}  // namespace

std::string describe(const Thing& thing) {
    const std::int64_t first = thing.which[0], second = thing.which[1], third = thing.which[2];
    const auto message = [&](const char* direction) {
        return std::string("messages ") + direction + " rank " + std::to_string(second) +
               " with tag " + std::to_string(third) + " in comm" + std::to_string(first);
    };
    switch (thing.kind) {
        case Thing::Kind::sends:
            return message("to");
        case Thing::Kind::receives:
            return message("from");
        case Thing::Kind::collective:
            return "collective calls in comm" + std::to_string(first);
        case Thing::Kind::buffer:
            return "the buffer of MPI_Bsend";
        case Thing::Kind::errors:
            return "the class or code of errors that was added last";
        default:
            return std::string(name_of(static_cast<Role>(first))) + " " +
                   std::to_string(second & ((std::int64_t{1} << thread_shift) - 1));
    }
}

std::vector<ThingUse> ThingUses::of(const Event& event) {
    std::vector<ThingUse> uses;
    const Function function = event.function;
    // They come before and behind all others.
    if (function == Function::by_name || function == Function::Init_ ||
        function == Function::Init_thread_ || function == Function::Finalize_)
        return uses;
    const RankStep step = read_step(event);
    std::vector<Thing> messages;
    if (step.to.exists())
        messages.push_back({Thing::Kind::sends, {step.comm, step.to.rank, step.to.tag}});
    if (step.from.exists())
        messages.push_back({Thing::Kind::receives, {step.comm, step.from.rank, step.from.tag}});
    if (step.persistent)
        messages_[step.request] = std::move(messages);
    else
        for (const Thing& each : messages) uses.push_back({each, true});
    if (function == Function::Start_ || function == Function::Startall_)
        for (const std::int64_t request : step.requests)
            for (const Thing& each : messages_[request]) uses.push_back({each, true});
    if (step.comm >= 0 && (step.collective || step.new_comm >= 0))
        uses.push_back({{Thing::Kind::collective, {step.comm}}, true});
    if (function == Function::Buffer_attach_ || function == Function::Buffer_detach_)
        uses.push_back({{Thing::Kind::buffer}, true});
    if (function == Function::Bsend_ || function == Function::Ibsend_ ||
        function == Function::Bsend_init_)
        uses.push_back({{Thing::Kind::buffer}, false});
    if (function == Function::Add_error_class_ || function == Function::Add_error_code_ ||
        function == Function::Add_error_string_)
        uses.push_back({{Thing::Kind::errors}, true});
    add_handles(event, uses);
    return uses;
}

}  // namespace refrain::proxy

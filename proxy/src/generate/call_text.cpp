#include "generate/call_text.hpp"

#include "generate/polls.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <span>

namespace refrain::proxy {
namespace {

constexpr std::int64_t undefined = -32766;  // MPI_UNDEFINED of all known MPIs

std::string text(std::int64_t number) {
    return std::to_string(number);
}

std::string number_text(std::int64_t value) {
    return value == undefined ? "MPI_UNDEFINED" : text(value);
}

template <class Spell>
std::string list(const std::int64_t* values, std::size_t count, Spell spell) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += (i == 0 ? "" : ", ") + spell(values[i]);
    return all;
}

/// An array in place, as C99 has it.
template <class Spell>
std::string array_in_place(const char* type, const std::int64_t* values, std::size_t count,
                           Spell spell) {
    if (count == 0) return "NULL";
    return std::string("(") + type + "[]){" + list(values, count, spell) + "}";
}

/// "a \"word\"": what C reads as the same bytes.
std::string quoted(const std::string& words) {
    std::string all = "\"";
    for (const char letter : words) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte < 0x20 || byte >= 0x7f || letter == '"' || letter == '\\' || letter == '?') {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\%03o", byte);
            all += escape;
        } else {
            all += letter;
        }
    }
    return all + "\"";
}

/// "MPI_MODE_CREATE | MPI_MODE_WRONLY"
std::string modes_text(std::int64_t bits, std::span<const char* const> names) {
    std::string all;
    for (std::size_t i = 0; i < names.size(); ++i)
        if ((bits >> i & 1) != 0) all += (all.empty() ? "" : " | ") + std::string(names[i]);
    return all.empty() ? "0" : all;
}

bool leaves_arrays_in_use(Function function) {
    for (const Parameter& parameter : info(function).parameters)
        if (parameter.kind == Kind::newrequest_) return true;
    return false;
}

/// Triples, as C99 has them in place.
std::string ranges_text(const std::int64_t* values, std::size_t count) {
    // Some MPIs take no array for one that was forgotten.
    if (count == 0) return "(int[1][3]){{0}}";
    if (count == 1 && values[0] >= array_stand_in_first) return "(int (*)[3])" + text(values[0]);
    std::string all = "(int[][3]){";
    for (std::size_t i = 0; i < count; i += 3)
        all += (i == 0 ? "{" : ", {") + list(values + i, 3, text) + "}";
    return all + "}";
}

/// Whether values count up by one, all of them handles.
bool consecutive(const std::vector<std::int64_t>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] < 0 || values[i] != values[0] + static_cast<std::int64_t>(i)) return false;
    return !values.empty();
}

}  // namespace

std::string decimal(double seconds) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.4g", seconds * 1e6);
    // What has an exponent already, as 10,000 microseconds have, takes no other one.
    if (std::string(digits).find('e') == std::string::npos) return digits + std::string("e-6");
    std::snprintf(digits, sizeof digits, "%.4g", seconds);
    return digits;
}

std::string place_text(const Event& event) {
    if (const auto window = values_of(event, Kind::win_); !window.empty())
        return "COMMS + " + text(window[0]);
    const auto communicator = values_of(event, Kind::comm_);
    return text(communicator.empty() ? 0 : std::max<std::int64_t>(communicator[0], 0));
}

std::vector<std::int64_t> values_of(const Event& event, Kind kind) {
    const auto arguments = split(event);
    if (!arguments) return {};
    for (const Argument& each : *arguments)
        if (each.parameter != nullptr && each.parameter->kind == kind)
            return {event.values.begin() + static_cast<std::ptrdiff_t>(each.begin),
                    event.values.begin() + static_cast<std::ptrdiff_t>(each.begin + each.count)};
    return {};
}

bool is_wildcard(const Event& event) {
    const auto all = roles(event);
    const auto arguments = split(event);
    if (!arguments) return false;
    for (const Argument& each : *arguments) {
        if (each.parameter == nullptr || comes_out(each.parameter->kind)) continue;
        if (each.parameter->kind == Kind::rank_ && value_of(event.values[each.begin]) == rank_any)
            return true;
        if (each.parameter->kind == Kind::tag_ && event.values[each.begin] == tag_any) return true;
    }
    return false;
}

Event pinned(const Event& event, std::int64_t unused_tag) {
    if (!is_wildcard(event)) return event;
    std::vector<std::int64_t> match = values_of(event, Kind::newreceive_);
    if (!match.empty())
        match.erase(match.begin());
    else
        match = values_of(event, Kind::status_);
    if (match.size() < 2) return event;
    Event result = event;
    if (value_of(match[0]) == rank_none) {
        match[0] = encode_rank(0, RankMode::relative, 0, 1);  // the process itself
        match[1] = unused_tag;
    }
    for (const Argument& each : arguments_of(event)) {
        if (each.parameter == nullptr || comes_out(each.parameter->kind)) continue;
        std::int64_t& value = result.values[each.begin];
        if (each.parameter->kind == Kind::rank_ && value_of(value) == rank_any) value = match[0];
        if (each.parameter->kind == Kind::tag_ && value == tag_any)
            value = match[1] == tag_any ? 0 : match[1];
    }
    return result;
}

// ---- handles

std::string CallText::comm(std::int64_t number) {
    if (number == 0) return "MPI_COMM_WORLD";
    if (number == 1) return "MPI_COMM_SELF";
    if (number < 0) return "MPI_COMM_NULL";
    comms = std::max(comms, number + 1);
    return "comm[" + text(number) + "]";
}

std::string CallText::group(std::int64_t number) {
    if (number == 0) return "MPI_GROUP_EMPTY";
    if (number < 0) return "MPI_GROUP_NULL";
    groups = std::max(groups, number + 1);
    return uses("group") + "[" + text(number) + "]";
}

std::string CallText::type(std::int64_t number) {
    if (number < 0) return "MPI_DATATYPE_NULL";
    if (number < derived_type) return predefined_types()[static_cast<std::size_t>(number)];
    types = std::max(types, number - derived_type + 1);
    return uses("type") + "[" + text(number - derived_type) + "]";
}

std::string CallText::op(std::int64_t number) {
    if (number < 0) return "MPI_OP_NULL";
    if (number < user_op) return predefined_ops()[static_cast<std::size_t>(number)];
    ops = std::max(ops, number - user_op + 1);
    return uses("op") + "[" + text(number - user_op) + "]";
}

std::string CallText::request(std::int64_t number) {
    if (number < 0) return uses("no_request");
    requests = std::max(requests, number + 1);
    return uses("request") + "[" + text(number) + "]";
}

std::string CallText::message(std::int64_t number) {
    if (number < 0) return uses("no_message");
    messages = std::max(messages, number + 1);
    return uses("message") + "[" + text(number) + "]";
}

std::string CallText::info_object(std::int64_t number) {
    if (number < 0) return "MPI_INFO_NULL";
    infos = std::max(infos, number + 1);
    return uses("info") + "[" + text(number) + "]";
}

template <class Spell>
std::string CallText::array(const Parameter& parameter, const char* type,
                            const std::int64_t* values, std::size_t count, Spell spell) {
    if (count == 1 && values[0] >= array_stand_in_first) return text(values[0]);
    // Some MPIs take no array for one that was forgotten, even if it has no elements.
    if (count == 0) return std::string("(") + type + "[1]){0}";
    if (!lasting_) return array_in_place(type, values, count, spell);
    // Handles and neighbours are known only when the program runs.
    const std::string name = parameter.name;
    declarations_.push_back(std::string("static ") + type + " " + name + "[" +
                            text(static_cast<std::int64_t>(count)) + "]");
    for (std::size_t i = 0; i < count; ++i)
        declarations_.push_back(name + "[" + text(static_cast<std::int64_t>(i)) +
                                "] = " + spell(values[i]));
    return name;
}

std::string CallText::window(std::int64_t number) {
    if (number < 0) return "MPI_WIN_NULL";
    windows = std::max(windows, number + 1);
    return uses("window") + "[" + text(number) + "]";
}

std::string CallText::file(std::int64_t number) {
    if (number < 0) return "MPI_FILE_NULL";
    files = std::max(files, number + 1);
    return uses("file") + "[" + text(number) + "]";
}

std::string CallText::keyval(std::int64_t number) {
    keyvals = std::max(keyvals, number + 1);
    return uses("keyval") + "[" + text(std::max<std::int64_t>(number, 0)) + "]";
}

std::string CallText::allocated(std::int64_t number) {
    if (number < 0) return "NULL";
    memories = std::max(memories, number + 1);
    return uses("allocated") + "[" + text(number) + "]";
}

std::string CallText::attribute_function(Function creator, Kind kind, std::int64_t code) {
    const std::string name = info(creator).name;
    std::string object = name.substr(0, name.find('_'));
    const bool copies = kind == Kind::copyfn_;
    if (code == attribute_own) return uses((copies ? "copy_" : "delete_") + object + "_attribute");
    for (char& letter : object) letter = static_cast<char>(std::toupper(letter));
    return "MPI_" + object +
           (code == attribute_dup ? "_DUP_FN"
            : copies              ? "_NULL_COPY_FN"
                                  : "_NULL_DELETE_FN");
}

/// A place in a window, or memory for it; in a dynamic one that is an address at the target.
std::string CallText::displacement(const Parameter& parameter, const std::int64_t* values,
                                   const Event& event) {
    if (parameter.kind == Kind::wbase_) {
        if (values[0] < 0) return "NULL";
        const std::string block = uses("buffer") + "(" + text(values[0]) + ")";
        return values[1] == 0 ? block : "(char *)" + block + " + " + text(values[1]);
    }
    if (values[0] < 0) return text(values[1]);
    return uses("attached") + "(" + text(values_of(event, Kind::win_)[0]) + ", " +
           rank(values_of(event, Kind::rank_)[0], place_text(event)) + ", " + text(values[0]) +
           ", " + text(values[1]) + ")";
}

/// Of a file that is opened, also how large it was found.
std::string CallText::filename(std::int64_t number, const Event& event) {
    filenames.insert(number);
    const std::string name = uses("scratch_name") + "(" + text(number) + ")";
    if (event.function != Function::File_open_) return name;
    const bool exclusive = (values_of(event, Kind::amode_)[0] & file_mode_exclusive) != 0;
    if (exclusive) return name;
    const std::int64_t size = values_of(event, Kind::newfile_)[1];
    return uses("scratch_file") + "(" + text(number) + ", " + text(size) + ")";
}

std::string CallText::rank(std::int64_t encoded, const std::string& place) {
    std::int64_t value = value_of(encoded);
    if (value == rank_null) return "MPI_PROC_NULL";
    if (value == rank_root) return "MPI_ROOT";
    if (value == rank_any) return "MPI_ANY_SOURCE";
    if (mode_of(encoded) == RankMode::absolute) return text(value);
    if (mode_of(encoded) == RankMode::exclusive) return "me[" + place + "] ^ " + text(value);
    if (value == 0) return "me[" + place + "]";
    if (place == "0" && 2 * value > ranks_) value -= ranks_;
    return uses("neighbour") + "(" + place + ", " + text(value) + ")";
}

// ---- calls

std::string CallText::amount(Amount what, std::int64_t value) {
    if (value <= 0 || what == Amount::fixed) return number_text(value);
    return uses(what == Amount::sent     ? "scaled"
                : what == Amount::placed ? "moved"
                                         : "room_for") +
           "(" + text(value) + ")";
}

/// Elements of a derived datatype may reach further than the slot, if there are more of them.
std::string CallText::memory(const Parameter& parameter, std::int64_t slot, const Event& event) {
    if (slot == buffer_in_place) return "MPI_IN_PLACE";
    if (slot < 0) return "NULL";
    const auto message = message_of(event, parameter);
    if (!message || message->type < derived_type || kept_.contains(event.function))
        return uses("buffer") + "(" + text(slot) + ")";
    return uses("stretch") + "(" + text(slot) + ", " + amount(message->amount, message->count) +
           ", " + type(message->type) + ")";
}

std::string CallText::argument(const Parameter& parameter, const std::int64_t* values,
                               std::size_t count, const std::string& place, Amount amount_of_it) {
    const auto number = [&](std::int64_t value) { return amount(amount_of_it, value); };
    switch (parameter.kind) {
        case Kind::int_:
            return number(parameter.root_only ? std::max<std::int64_t>(values[0], 0) : values[0]);
        case Kind::tag_:
            return values[0] == tag_any ? "MPI_ANY_TAG" : text(values[0]);
        case Kind::rank_:
        case Kind::root_:
            return rank(values[0], place);
        case Kind::offset_:
        case Kind::aint_:
            return text(values[0]);
        case Kind::logical_:
            return text(values[0]);
        case Kind::ranks_:
            return array(parameter, "int", values + 1, count - 1,
                         [&](std::int64_t value) { return rank(value, place); });
        case Kind::weights_:
            if (count == 2 && values[1] == unweighted) return uses("unweighted") + "()";
            // No array would be taken for one that was forgotten.
            if (count == 1 || (count == 2 && values[1] == weights_empty))
                return uses("weights_empty") + "()";
            return array(parameter, "int", values + 1, count - 1, number);
        case Kind::ints_:
        case Kind::logicals_:
            return array(parameter, "int", values + 1, count - 1, number);
        case Kind::ranges_:
            return ranges_text(values + 1, count - 1);
        case Kind::aints_:
            return array(parameter, "MPI_Aint", values + 1, count - 1, number);
        case Kind::distribs_:
            return array(parameter, "int", values + 1, count - 1,
                         [](std::int64_t value) -> std::string {
                             return value == distribution_block    ? "MPI_DISTRIBUTE_BLOCK"
                                    : value == distribution_cyclic ? "MPI_DISTRIBUTE_CYCLIC"
                                                                   : "MPI_DISTRIBUTE_NONE";
                         });
        case Kind::dargs_:
            return array(parameter, "int", values + 1, count - 1, [](std::int64_t value) {
                return value == distribution_default ? "MPI_DISTRIBUTE_DFLT_DARG" : text(value);
            });
        case Kind::types_:
            return array(parameter, "MPI_Datatype", values + 1, count - 1,
                         [this](std::int64_t value) { return type(value); });
        case Kind::order_:
            return values[0] == 0 ? "MPI_ORDER_C" : "MPI_ORDER_FORTRAN";
        case Kind::comm_:
            return comm(values[0]);
        case Kind::freecomm_:
            return "&" + comm(values[0]);
        case Kind::newcomm_:
            return values[0] < 0 ? "&" + uses("no_comm") : "&" + comm(values[0]);
        case Kind::group_:
            return group(values[0]);
        case Kind::freegroup_:
        case Kind::newgroup_:
            return values[0] == 0 ? uses("empty_group") + "()" : "&" + group(values[0]);
        case Kind::type_:
            return type(values[0]);
        case Kind::freetype_:
        case Kind::committype_:
            return "&" + type(values[0]);
        case Kind::newtype_:
            // Some MPIs make none for a Fortran type that they have.
            return "&" + (values[0] < derived_type ? uses("known_type") : type(values[0]));
        case Kind::op_:
            return op(values[0]);
        case Kind::freeop_:
        case Kind::newop_:
            return "&" + op(values[0]);
        case Kind::callback_:
            return uses("combine");
        case Kind::errhandler_:
            return values[0] == errors_are_fatal ? "MPI_ERRORS_ARE_FATAL"
                   : values[0] == errors_return  ? "MPI_ERRORS_RETURN"
                                                 : uses("own_errhandler") + "()";
        case Kind::splittype_:
            return values[0] == split_shared ? "MPI_COMM_TYPE_SHARED" : "MPI_UNDEFINED";
        case Kind::position_:
            return uses("at") + "(" + text(values[0]) + ")";
        case Kind::longposition_:
            return uses("long_at") + "(" + text(values[0]) + ")";
        case Kind::peercomm_:
            return comm(values[0]);
        case Kind::info_:
            return info_object(values[0]);
        case Kind::freeinfo_:
        case Kind::newinfo_:
            return "&" + info_object(values[0]);
        case Kind::win_:
            return window(values[0]);
        case Kind::freewin_:
        case Kind::newwin_:
            return "&" + window(values[0]);
        case Kind::keyval_:
            return keyval(values[0]);
        case Kind::newkeyval_:
        case Kind::freekeyval_:
            return "&" + keyval(values[0]);
        case Kind::newmemory_:
            return "&" + allocated(values[0]);
        case Kind::freememory_:
            return allocated(values[0]);
        case Kind::errorclass_:
            return uses("error_class");
        case Kind::newerrorclass_:
            return "&" + uses("error_class");
        case Kind::errorcode_:
            return uses("error_code");
        case Kind::newerrorcode_:
            return "&" + uses("error_code");
        case Kind::attrin_:
            return "&" + uses("attribute");
        case Kind::attrout_:
            return "&" + uses("attribute_found");
        case Kind::file_:
            return file(values[0]);
        case Kind::freefile_:
        case Kind::newfile_:
            return "&" + file(values[0]);
        case Kind::baseptr_:
            return "&" + uses("window_memory");
        case Kind::amode_:
            return modes_text(values[0], file_modes);
        case Kind::assert_:
            return modes_text(values[0], window_modes);
        case Kind::locktype_:
            return values[0] == 0 ? "MPI_LOCK_EXCLUSIVE" : "MPI_LOCK_SHARED";
        case Kind::whence_:
            return values[0] == 0   ? "MPI_SEEK_SET"
                   : values[0] == 1 ? "MPI_SEEK_CUR"
                                    : "MPI_SEEK_END";
        case Kind::string_:
            return quoted(texts_.at(static_cast<std::size_t>(values[0])));
        case Kind::request_:
            return request(values[0]);
        case Kind::requestp_:
        case Kind::freerequest_:
        case Kind::wait_:
        case Kind::newrequest_:
        case Kind::newreceive_:
        case Kind::newpersistent_:
        case Kind::start_:
            return "&" + request(values[0]);
        case Kind::message_:
        case Kind::newmessage_:
            return "&" + message(values[0]);
        case Kind::oint_:
        case Kind::osize_:
        case Kind::oflag_:
        case Kind::oindex_:
            return "&" + uses("answer");
        case Kind::status_:
        case Kind::iostatus_:
            return "MPI_STATUS_IGNORE";
        case Kind::statuses_:
            return uses("no_statuses");
        default:
            return "NULL";
    }
}

std::string CallText::plain_call(const Event& event) {
    const std::string place = place_text(event);
    const auto split_event = arguments_of(event);
    const bool kept = kept_.contains(event.function);
    std::string arguments;
    for (const Parameter& parameter : info(event.function).parameters) {
        const auto each =
            std::find_if(split_event.begin(), split_event.end(),
                         [&](const Argument& one) { return one.parameter == &parameter; });
        if (!arguments.empty()) arguments += ", ";
        const std::int64_t* const values = event.values.data() + each->begin;
        if (is_buffer(parameter.kind))
            arguments += memory(parameter, values[0], event);
        else if (parameter.kind == Kind::filename_)
            arguments += filename(values[0], event);
        else if (parameter.kind == Kind::disp_ || parameter.kind == Kind::wbase_)
            arguments += displacement(parameter, values, event);
        else if (parameter.kind == Kind::copyfn_ || parameter.kind == Kind::deletefn_)
            arguments += attribute_function(event.function, parameter.kind, values[0]);
        else
            arguments += argument(parameter, values, each->count, place,
                                  kept ? Amount::fixed : amount_of(event.function, parameter));
    }
    return "MPI_" + std::string(info(event.function).name) + "(" + arguments + ")";
}

/// Wait and Test, of one or several. What was completed is completed here; what was not is asked for
/// without completing it.
std::vector<std::string> CallText::completion(const Event& event) {
    const std::string name = std::string("MPI_") + info(event.function).name;
    const std::vector<std::int64_t> numbers = requests_of(event);
    for (const std::int64_t number : numbers)
        if (number >= 0) requests = std::max(requests, number + 1);
    std::vector<std::int64_t> done = values_of(event, Kind::oindices_);
    if (!done.empty()) done.erase(done.begin());
    const std::vector<std::int64_t> index = values_of(event, Kind::oindex_);
    if (!index.empty() && index[0] >= 0) done = index;
    const bool some =
        event.function == Function::Waitsome_ || event.function == Function::Testsome_;
    if (told_no(event)) {
        const std::int64_t first = first_active(event);
        return {uses("ask") + "(&" + (first < 0 ? uses("no_request") : request(first)) + ")"};
    }
    const std::string which = array_in_place("int", numbers.data(), numbers.size(), text);
    const std::string count = text(static_cast<std::int64_t>(numbers.size()));
    switch (event.function) {
        case Function::Wait_:
            return {"MPI_Wait(&" + request(numbers[0]) + ", MPI_STATUS_IGNORE)"};
        case Function::Test_:
            return {yes("test") + "(&" + request(numbers[0]) + pause_ + ")"};
        case Function::Win_test_:
            return {uses("test_window") + "(" + window(values_of(event, Kind::win_)[0]) + ")"};
        case Function::Waitall_:
            if (numbers.empty()) return {"MPI_Waitall(0, NULL, " + uses("no_statuses") + ")"};
            if (consecutive(numbers))
                return {"MPI_Waitall(" + count + ", &" + request(numbers[0]) + ", " +
                        uses("no_statuses") + ")"};
            return {uses("wait_all") + "(" + count + ", " + which + ")"};
        case Function::Testall_:
            return {yes("test_all") + "(" + count + ", " + which + pause_ + ")"};
        case Function::Waitany_:
        case Function::Testany_:
            return {(event.function == Function::Waitany_ ? uses("wait_any") : yes("test_any")) +
                    "(" + count + ", " + which + ", " + (done.empty() ? "-1" : text(done[0])) +
                    pause_ + ")"};
        default:
            break;
    }
    if (some)
        return {uses(event.function == Function::Waitsome_ ? "wait_some" : "test_some") + "(" +
                count + ", " + which + ", " + text(static_cast<std::int64_t>(done.size())) + ", " +
                array_in_place("int", done.data(), done.size(), text) + ")"};
    return {plain_call(event)};
}

/// A probe that found something waits for it first; one that found nothing asks for what never comes.
std::vector<std::string> CallText::probe(const Event& event) {
    const Event exact = pinned(event, unused_tag_);
    const std::vector<std::int64_t> communicator = values_of(event, Kind::comm_);
    const std::string where = comm(communicator[0]);
    if (told_no(event)) {
        const std::string name = std::string("MPI_") + info(event.function).name;
        return {name + "(me[" + text(communicator[0]) + "], " + text(unused_tag_) + ", " + where +
                ", &" + uses("answer") +
                (event.function == Function::Improbe_ ? ", &" + uses("no_message") : "") +
                ", MPI_STATUS_IGNORE)"};
    }
    if (event.function == Function::Probe_ || event.function == Function::Mprobe_)
        return {plain_call(exact)};
    const std::string message = rank(values_of(exact, Kind::rank_)[0], text(communicator[0])) +
                                ", " + text(values_of(exact, Kind::tag_)[0]) + ", " + where;
    if (event.function == Function::Iprobe_) return {yes("probe") + "(" + message + pause_ + ")"};
    if (!pause_.empty())
        return {uses("poll_matched") + "(" + message + ", &" +
                this->message(values_of(exact, Kind::newmessage_)[0]) + pause_ + ")"};
    return {"MPI_Probe(" + message + ", MPI_STATUS_IGNORE)", plain_call(exact)};
}

std::vector<std::string> CallText::live_statements(const Event& event, double pause) {
    pause_ = ", " + decimal(pause);
    any_source_ = true;
    std::vector<std::string> all = statements(event);
    pause_.clear();
    any_source_ = false;
    return all;
}

std::vector<std::string> CallText::statements(const Event& event) {
    functions.insert(event.function);
    switch (event.function) {
        case Function::Init_:
            return {"MPI_Init(argc, argv)", "begin()"};
        case Function::Init_thread_:
            return {"MPI_Init_thread(argc, argv, " + text(event.values[0]) + ", &" +
                        uses("answer") + ")",
                    "begin()"};
        case Function::Finalize_:
            return {"finish()", "MPI_Finalize()"};
        case Function::Startall_: {
            std::vector<std::int64_t> numbers = values_of(event, Kind::starts_);
            numbers.erase(numbers.begin());
            const std::string count = text(static_cast<std::int64_t>(numbers.size()));
            for (const std::int64_t number : numbers) requests = std::max(requests, number + 1);
            if (numbers.empty()) return {"MPI_Startall(0, NULL)"};
            if (consecutive(numbers))
                return {"MPI_Startall(" + count + ", &" + request(numbers[0]) + ")"};
            return {uses("start_all") + "(" + count + ", " +
                    array_in_place("int", numbers.data(), numbers.size(), text) + ")"};
        }
        case Function::Comm_get_attr_:
        case Function::Type_get_attr_:
            // The program's own function may have copied it, or not.
            if (values_of(event, Kind::oflag_)[0] == 0)
                return {
                    uses(event.function == Function::Comm_get_attr_ ? "decline_Comm_attribute"
                                                                    : "decline_Type_attribute") +
                        "(" +
                        (event.function == Function::Comm_get_attr_
                             ? comm(values_of(event, Kind::comm_)[0])
                             : type(values_of(event, Kind::type_)[0])) +
                        ", " + keyval(values_of(event, Kind::keyval_)[0]) + ")",
                    plain_call(event)};
            break;
        case Function::Comm_call_errhandler_:
            return {uses("handler_called") + " = 1", plain_call(event),
                    uses("handler_called") + " = 0"};
        case Function::Buffer_attach_:
            return {uses("attach") + "(" + text(event.values[0]) + ")"};
        case Function::Buffer_detach_:
            return {uses("detach") + "()"};
        case Function::Wait_:
        case Function::Test_:
        case Function::Waitall_:
        case Function::Testall_:
        case Function::Waitany_:
        case Function::Testany_:
        case Function::Waitsome_:
        case Function::Testsome_:
        case Function::Win_test_:
            return completion(event);
        case Function::Request_get_status_:
            return {uses(values_of(event, Kind::oflag_)[0] != 0 ? "look_until_done" : "look") +
                    "(" + request(values_of(event, Kind::request_)[0]) + ")"};
        case Function::Probe_:
        case Function::Iprobe_:
        case Function::Mprobe_:
        case Function::Improbe_:
            return probe(event);
        default:
            break;
    }
    lasting_ = leaves_arrays_in_use(event.function);
    std::string call = plain_call(any_source_ ? event : pinned(event, unused_tag_));
    lasting_ = false;
    std::vector<std::string> all;
    all.swap(declarations_);
    all.push_back(std::move(call));
    if (const auto window = values_of(event, Kind::newwin_); !window.empty()) {
        const std::string from = place_text(event), to = "COMMS + " + text(window[0]);
        all.push_back("me[" + to + "] = me[" + from + "]");
        all.push_back("size[" + to + "] = size[" + from + "]");
        if (event.function == Function::Win_create_dynamic_)
            all.push_back(uses("find_arenas") + "(" + text(window[0]) + ", " +
                          comm(values_of(event, Kind::comm_)[0]) + ")");
    }
    const std::vector<std::int64_t> made = values_of(event, Kind::newcomm_);
    if (made.empty() || made[0] < 0) return all;
    if (event.function == Function::Comm_idup_) {
        // Nobody may ask a communicator that is still being made.
        const std::string from = text(event.values[0]), to = text(made[0]);
        all.push_back("me[" + to + "] = me[" + from + "]");
        all.push_back("size[" + to + "] = size[" + from + "]");
    } else {
        all.push_back(uses("joined") + "(" + text(made[0]) + ")");
    }
    return all;
}

}  // namespace refrain::proxy

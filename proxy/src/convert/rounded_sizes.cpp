#include "convert/rounded_sizes.hpp"

#include "generate/amounts.hpp"
#include "generate/call_text.hpp"
#include "refrain/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>

#include "convert/completions.hpp"
#include "convert/type_sizes.hpp"

namespace refrain::proxy {
namespace {

constexpr std::string_view rounded_note = "sizes of messages are rounded";

/// Why sizes of a call stay exact.
enum class Stays : std::uint8_t {
    types,
    uneven,
    shared,
    below,
    packed,
    each_its_type,
    window,
    file
};
constexpr std::array<const char*, 8> stays_words = {
    "make datatypes",
    "use datatypes of the program's own, or of a size that is no power of two",
    "are between two sizes of these",
    "begin before their buffer",
    "pack or unpack",
    "have a datatype for each rank",
    "access windows",
    "access files"};

/// The elements of one buffer within an event: one number, or one for each rank.
struct Elements {
    std::size_t begin = 0, count = 0;  // of the values of the event
    std::size_t places = 0;            // where the displacements begin; 0: there are none
    std::int64_t type = 0;
    bool sent = false;  // what is there is as much as others expect; else room for it
};

/// What an event does with requests.
struct RequestStep {
    std::int64_t made = null_handle;
    bool of_file = false;  // it says what was read or written
    std::vector<Completion> completed;
};

/// The datatype that counts elements of this name; null_handle if there is none, or one for each rank.
std::int64_t type_for(const Event& event, const std::vector<Argument>& arguments,
                      std::string_view counts) {
    const std::string_view own = counts.starts_with("send")   ? "sendtype"
                                 : counts.starts_with("recv") ? "recvtype"
                                                              : "datatype";
    std::int64_t found = null_handle;
    for (const Argument& each : arguments) {
        if (each.parameter == nullptr || each.parameter->kind != Kind::type_) continue;
        if (each.parameter->name == own) return event.values[each.begin];
        if (std::string_view(each.parameter->name) == "datatype") found = event.values[each.begin];
    }
    return found;
}

bool has(const FunctionInfo& function, Kind kind) {
    return std::any_of(function.parameters.begin(), function.parameters.end(),
                       [&](const Parameter& each) { return each.kind == kind; });
}

std::vector<Elements> elements_of(const Event& event) {
    std::vector<Elements> all;
    if (event.function == Function::by_name || has(info(event.function), Kind::types_)) return all;
    const std::vector<Argument> arguments = arguments_of(event);
    for (const Argument& each : arguments) {
        if (each.parameter == nullptr) continue;
        const std::string_view name = each.parameter->name;
        const Amount amount = event.function == Function::Reduce_local_ && name == "count"
                                  ? Amount::sent
                                  : amount_of(event.function, *each.parameter);
        if (amount == Amount::sent || amount == Amount::room) {
            const bool array = each.parameter->kind == Kind::ints_;
            all.push_back({each.begin + (array ? 1 : 0), each.count - (array ? 1 : 0), 0,
                           type_for(event, arguments, name), amount == Amount::sent});
        } else if (amount == Amount::placed && !all.empty()) {
            all.back().places = each.begin + 1;
        }
    }
    return all;
}

/// Whether rounded bytes are whole elements: what has no digits but its first two has none when it is divided by this.
bool is_even(std::int64_t type) {
    const auto bytes = type >= derived_type ? std::nullopt : TypeSizes().bytes(type);
    return bytes && *bytes > 0 && std::has_single_bit(static_cast<std::uint64_t>(*bytes)) &&
           std::string_view(predefined_types()[static_cast<std::size_t>(type)]) != "MPI_PACKED";
}

bool is_round(std::int64_t number) {
    return rounded_down(number) == number;
}

/// Why the numbers of an event stay, if all of them do.
std::optional<Stays> stays(const Event& event) {
    if (event.function == Function::by_name) return std::nullopt;
    const FunctionInfo& function = info(event.function);
    if (has(function, Kind::newtype_)) return Stays::types;
    if (has(function, Kind::position_) || has(function, Kind::longposition_)) return Stays::packed;
    if (has(function, Kind::win_) || has(function, Kind::newwin_)) return Stays::window;
    if (has(function, Kind::file_) || has(function, Kind::newfile_)) return Stays::file;
    if (has(function, Kind::types_)) return Stays::each_its_type;
    return std::nullopt;
}

/// Whether a number that tells a size has other digits than its first two.
bool tells_sizes(const Event& event) {
    for (const Argument& each : arguments_of(event)) {
        if (each.parameter == nullptr) continue;
        const Kind kind = each.parameter->kind;
        const bool array = kind == Kind::ints_ || kind == Kind::aints_;
        // Behind a handle or a slot stands its size or its place.
        const bool second =
            array || kind == Kind::disp_ || kind == Kind::wbase_ || kind == Kind::newfile_;
        if (!second && kind != Kind::int_ && kind != Kind::aint_ && kind != Kind::offset_ &&
            kind != Kind::position_ && kind != Kind::longposition_ && kind != Kind::iostatus_)
            continue;
        for (std::size_t i = second ? 1 : 0; i < each.count; ++i)
            if (!is_round(event.values[each.begin + i])) return true;
    }
    return false;
}

bool is_power_of_two(std::int64_t number) {
    return number > 0 && std::has_single_bit(static_cast<std::uint64_t>(number));
}

/// Whether a datatype whose numbers are rounded has its size rounded: elements one after the other, or blocks at a distance, where
/// one of the two numbers is a power of two.
bool makes_round(const Event& event) {
    if (event.function != Function::Type_contiguous_ && event.function != Function::Type_vector_ &&
        event.function != Function::Type_create_hvector_)
        return false;
    std::int64_t count = 0, length = 1, stride = 0, old = null_handle;
    for (const Argument& each : arguments_of(event)) {
        if (each.parameter == nullptr) continue;
        const std::string_view name = each.parameter->name;
        const std::int64_t value = event.values[each.begin];
        if (name == "count") count = value;
        if (name == "blocklength") length = value;
        if (name == "stride") stride = value;
        if (name == "oldtype") old = value;
    }
    return old >= 0 && is_even(old) && stride >= 0 &&
           (is_power_of_two(count) || is_power_of_two(length));
}

class Rounding {
  public:
    explicit Rounding(Recording& recording) : recording_(recording) {
        calls_.resize(recording.events.size(), 0);
        for (std::uint32_t rank = 0; rank < recording.size(); ++rank) {
            const auto mine = recording.event_counts(rank);
            for (std::size_t i = 0; i < mine.size(); ++i) calls_[i] += mine[i];
        }
        for (const Event& event : recording.events) elements_.push_back(elements_of(event));
    }

    void run() {
        for (const Event& event : recording_.events) refuse_unknown(event);
        learn_types();
        learn_exact();
        share_exact();
        if (!types_fit()) {
            round_types_.clear();
            exact_.clear();
            staying_ = {};
            learn_exact();
            share_exact();
        }
        for (std::size_t i = 0; i < recording_.events.size(); ++i) round(i);
        for (SlotExtent& slot : recording_.slots) widen(slot);
        for (Recording::Thread& thread : recording_.threads)
            for (SlotExtent& slot : thread.slots) widen(slot);
        for (std::string& counts : recording_.counts) counts = rounded_counts(counts);
        recording_.notes.push_back(note());
    }

  private:
    void refuse_unknown(const Event& event) const {
        if (event.function == Function::by_name) return;
        const FunctionInfo& function = info(event.function);
        const auto refuse = [&](const std::string& why) {
            throw UsageError("sizes cannot be rounded: " + describe(event, recording_.texts, true) +
                             " " + why);
        };
        const bool receives = has(function, Kind::status_) || has(function, Kind::statuses_) ||
                              has(function, Kind::newreceive_);
        if (event.values.back() != 0 && (receives || function.collective))
            refuse("failed; whether it would with other sizes is not known");
    }

    /// Which of the program's own datatypes can be rounded. A number is given again, so all datatypes that ever had it must
    /// suit: each is used in messages only, a power of two at a time, so rounding the datatype rounds the message.
    void learn_types() {
        std::set<std::int64_t> others;
        for (std::size_t i = 0; i < elements_.size(); ++i) {
            const Event& event = recording_.events[i];
            for (const Argument& each : arguments_of(event)) {
                if (each.parameter == nullptr) continue;
                const auto values = std::span(event.values).subspan(each.begin, each.count);
                const Kind kind = each.parameter->kind;
                if (kind == Kind::newtype_)
                    (makes_round(event) ? round_types_ : others).insert(values[0]);
                else if (kind == Kind::types_)
                    others.insert(values.begin() + 1, values.end());
                else if (kind == Kind::type_ && elements_[i].empty())
                    others.insert(values[0]);
            }
            for (const Elements& each : elements_[i])
                for (std::size_t k = 0; k < each.count; ++k) {
                    const std::int64_t count = event.values[each.begin + k];
                    if (count > 0 && !is_power_of_two(count)) others.insert(each.type);
                }
        }
        for (const std::int64_t type : others) round_types_.erase(type);
        round_types_.erase(round_types_.begin(), round_types_.lower_bound(derived_type));
    }
    /// Whether no size that stays lies between that of a message of these datatypes and what it becomes.
    [[nodiscard]] bool types_fit() const {
        return std::all_of(round_bytes_.begin(), round_bytes_.end(), [&](std::int64_t bytes) {
            return rounded(bytes) == rounded_down(bytes);
        });
    }

    /// Sizes that stay: of datatypes whose elements would not be whole, and what a request of a file read or wrote.
    void learn_exact() {
        std::vector<bool> uneven(recording_.events.size(), false);
        for (std::size_t i = 0; i < uneven.size(); ++i)
            uneven[i] = std::any_of(
                elements_[i].begin(), elements_[i].end(),
                [](const Elements& each) { return each.type >= 0 && !is_even(each.type); });
        const std::vector<RequestStep> steps = request_steps();
        if (std::find(uneven.begin(), uneven.end(), true) == uneven.end() && steps.empty()) return;
        for (std::uint32_t rank = 0; rank < recording_.size(); ++rank) {
            TypeSizes sizes;
            for (std::uint32_t thread = 0; thread <= recording_.threads.size(); ++thread) {
                std::set<std::int64_t> of_files;
                const strings::Grammar grammar = recording_.grammar_of(rank, thread);
                for (strings::GrammarCursor at(grammar); !at.done(); at.next()) {
                    const Event& event = recording_.events[at.terminal()];
                    sizes.follow(event);
                    if (uneven[at.terminal()] && learn(event, elements_[at.terminal()], sizes))
                        stay(Stays::uneven, at.count());
                    if (!steps.empty()) learn(steps[at.terminal()], thread, of_files);
                }
            }
        }
    }
    /// What each event does with requests; nothing if no access to a file makes one.
    [[nodiscard]] std::vector<RequestStep> request_steps() const {
        const auto begins_access = [](const Event& event) {
            return event.function != Function::by_name && has(info(event.function), Kind::file_) &&
                   has(info(event.function), Kind::newrequest_);
        };
        std::vector<RequestStep> steps;
        if (std::none_of(recording_.events.begin(), recording_.events.end(), begins_access))
            return steps;
        for (const Event& event : recording_.events) {
            RequestStep& step = steps.emplace_back();
            for (const Kind kind : {Kind::newrequest_, Kind::newreceive_, Kind::newpersistent_})
                if (const auto made = values_of(event, kind); !made.empty()) step.made = made[0];
            step.of_file = begins_access(event);
            step.completed = completions(event);
        }
        return steps;
    }
    /// A number is given again, so what had it last counts. What another thread made may be a file's.
    void learn(const RequestStep& step, std::uint32_t thread, std::set<std::int64_t>& of_files) {
        for (const Completion& each : step.completed)
            if (each.bytes > 0 &&
                (of_files.contains(each.request) || thread_of(each.request) != thread))
                exact_.insert(each.bytes);
        if (step.of_file)
            of_files.insert(step.made);
        else
            of_files.erase(step.made);
    }
    /// Whether the call tells sizes that are not round.
    bool learn(const Event& event, const std::vector<Elements>& elements, const TypeSizes& sizes) {
        bool tells = false;
        for (const Elements& each : elements) {
            if (each.type < 0 || is_even(each.type)) continue;
            const bool stays = !round_types_.contains(each.type);
            const auto size = sizes.bytes(each.type);
            if (!size)
                throw UsageError("sizes cannot be rounded: the size of a datatype is not known: " +
                                 describe(event, recording_.texts, true));
            for (std::size_t i = 0; i < each.count; ++i) {
                const std::int64_t bytes = event.values[each.begin + i] * *size;
                if (!stays) {
                    round_bytes_.insert(bytes);
                    continue;
                }
                tells = tells || !is_round(bytes) ||
                        (each.places != 0 && !is_round(event.values[each.places + i]));
                if (bytes > 0 && each.sent) exact_.insert(bytes);
            }
        }
        return tells;
    }

    /// A size between two may become one that stays, of which elements of another datatype are not whole: then it stays as well.
    void share_exact() {
        for (bool more = !exact_.empty(); more;) {
            more = false;
            for (std::size_t i = 0; i < elements_.size(); ++i)
                for (const Elements& each : elements_[i]) {
                    if (!each.sent || each.type < 0 || !is_even(each.type)) continue;
                    const std::int64_t size = *TypeSizes().bytes(each.type);
                    for (std::size_t k = 0; k < each.count; ++k) {
                        const std::int64_t bytes =
                            recording_.events[i].values[each.begin + k] * size;
                        if (rounded(bytes) % size != 0) more = exact_.insert(bytes).second || more;
                    }
                }
        }
    }

    /// Never decreases, and is never more than what it is given.
    [[nodiscard]] std::int64_t rounded(std::int64_t bytes) const {
        const std::int64_t down = rounded_down(bytes);
        const auto above = exact_.upper_bound(bytes);
        return above == exact_.begin() ? down : std::max(down, *std::prev(above));
    }

    void round(std::size_t number) {
        Event& event = recording_.events[number];
        if (const auto made = values_of(event, Kind::newtype_);
            !made.empty() && round_types_.contains(made[0])) {
            for (const Argument& each : arguments_of(event))
                if (each.parameter != nullptr &&
                    (each.parameter->kind == Kind::int_ || each.parameter->kind == Kind::aint_))
                    event.values[each.begin] = rounded_down(event.values[each.begin]);
            return;
        }
        if (const auto why = stays(event)) {
            if (tells_sizes(event)) stay(*why, calls_[number]);
            return;
        }
        for (const Elements& each : elements_[number]) {
            const bool even = each.type >= 0 && is_even(each.type);
            const bool whole = round_types_.contains(each.type);  // as many, of what is smaller
            if (!even && !whole && each.type >= 0) continue;
            const std::int64_t size = even ? *TypeSizes().bytes(each.type) : 1;
            const std::vector<std::int64_t> before(
                event.values.begin() + static_cast<std::ptrdiff_t>(each.begin),
                event.values.begin() + static_cast<std::ptrdiff_t>(each.begin + each.count));
            bool same = false;
            for (std::size_t i = 0; i < each.count; ++i) {
                std::int64_t& count = event.values[each.begin + i];
                if (count > 0 && !whole) count = (rounded(count * size) + size - 1) / size;
                same = same || (count == before[i] && !is_round(count));
            }
            if (same) stay(Stays::shared, calls_[number]);
            if (each.places != 0 && !move_together(event.values, each, before))
                stay(Stays::below, calls_[number]);
        }
        for (const Argument& each : arguments_of(event)) {
            if (each.parameter == nullptr) continue;
            std::int64_t* const values = event.values.data() + each.begin;
            const Kind kind = each.parameter->kind;
            // Source and tag stand before the bytes of a message that the call itself receives.
            if (kind == Kind::status_) values[each.count - 2] = rounded(values[each.count - 2]);
            for (std::size_t i = 1; kind == Kind::statuses_ && i + 1 < each.count; i += 2)
                values[i] = rounded(values[i]);
            const bool is_memory = event.function == Function::Buffer_attach_ ||
                                   event.function == Function::Alloc_mem_;
            if ((is_memory && (kind == Kind::int_ || kind == Kind::aint_)) || kind == Kind::osize_)
                values[0] = event.function == Function::Alloc_mem_
                                ? rounded_up(values[0])
                                : std::min<std::int64_t>(rounded_up(values[0]),
                                                         std::numeric_limits<int>::max());
        }
    }

    /// A block begins where all those end that ended before it began. So what did not overlap does not, and no block ends behind
    /// where it did. False if nothing is moved, since some begin before the buffer.
    static bool move_together(std::vector<std::int64_t>& values, const Elements& elements,
                              const std::vector<std::int64_t>& before) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(elements.places);
        const std::vector<std::int64_t> places(first,
                                               first + static_cast<std::ptrdiff_t>(elements.count));
        std::vector<std::size_t> by_place;
        for (std::size_t i = 0; i < elements.count; ++i) {
            values[elements.places + i] = 0;
            if (before[i] > 0) by_place.push_back(i);
        }
        const auto is_below = [&](std::size_t i) { return places[i] < 0; };
        if (std::any_of(by_place.begin(), by_place.end(), is_below)) {
            std::copy(places.begin(), places.end(), first);
            return false;
        }
        std::vector<std::size_t> by_end = by_place;
        const auto end = [&](std::size_t i) { return places[i] + before[i]; };
        std::stable_sort(by_place.begin(), by_place.end(),
                         [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
        std::stable_sort(by_end.begin(), by_end.end(),
                         [&](std::size_t a, std::size_t b) { return end(a) < end(b); });
        std::int64_t ended = 0;
        for (auto other = by_end.begin(); const std::size_t i : by_place) {
            for (; other != by_end.end() && end(*other) <= places[i]; ++other)
                ended = std::max(
                    ended, values[elements.places + *other] + values[elements.begin + *other]);
            values[elements.places + i] = ended;
        }
        return true;
    }

    static void widen(SlotExtent& slot) {
        slot.before = rounded_up(slot.before);
        slot.behind = rounded_up(slot.behind);
    }

    /// "Send 20 1600", "to 1: 20 1600": sums of bytes would tell a size as well.
    static std::string rounded_counts(const std::string& counts) {
        std::string all;
        for (std::size_t at = 0; at < counts.size();) {
            const std::size_t end = std::min(counts.find('\n', at), counts.size());
            const std::string line = counts.substr(at, end - at);
            const std::size_t last = line.rfind(' ');
            all += last == std::string::npos
                       ? line
                       : line.substr(0, last + 1) +
                             std::to_string(rounded_down(std::atoll(line.c_str() + last + 1)));
            all += '\n';
            at = end + 1;
        }
        return all;
    }

    void stay(Stays why, std::uint64_t calls) { staying_[static_cast<std::size_t>(why)] += calls; }

    [[nodiscard]] std::string note() const {
        std::string all, words;
        std::uint64_t calls = 0;
        for (std::size_t i = 0; i < staying_.size(); ++i) {
            calls += staying_[i];
            if (staying_[i] != 0)
                words += (words.empty() ? "" : ", ") + std::to_string(staying_[i]) + " that " +
                         stays_words[i];
        }
        all = std::string(rounded_note) + " down to their two leading binary digits";
        if (calls != 0)
            all += "; those of " + std::to_string(calls) + " calls could not be: " + words;
        return all;
    }

    Recording& recording_;
    std::vector<std::uint64_t> calls_;  // by event
    std::vector<std::vector<Elements>> elements_;
    std::set<std::int64_t> exact_;        // bytes of messages that stay
    std::set<std::int64_t> round_types_;  // of the program's own, that are rounded themselves
    std::set<std::int64_t> round_bytes_;  // of messages of these, before
    std::array<std::uint64_t, stays_words.size()> staying_{};
};

}  // namespace

std::int64_t rounded_down(std::int64_t number) {
    if (number < 4) return number;
    const int digits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number))) - 2;
    return (number >> digits) << digits;
}

std::int64_t rounded_up(std::int64_t number) {
    const std::int64_t down = rounded_down(number);
    if (down == number) return number;
    return down + (std::int64_t{1} << (std::bit_width(static_cast<std::uint64_t>(number)) - 2));
}

void round_sizes(Recording& recording) {
    Rounding(recording).run();
}

bool has_rounded_sizes(const Recording& recording) {
    return std::any_of(recording.notes.begin(), recording.notes.end(),
                       [](const std::string& note) { return note.starts_with(rounded_note); });
}

}  // namespace refrain::proxy

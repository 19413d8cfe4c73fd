#include "sizes/member.hpp"

#include "generate/call_text.hpp"
#include "generate/generate.hpp"

#include <algorithm>
#include <stdexcept>

#include "sizes/said_values.hpp"

namespace refrain::proxy {
namespace {

constexpr std::uint64_t calls_max = 4'000'000;  // of all recordings, unfolded

[[noreturn]] void fail(const std::string& text) {
    throw std::runtime_error(text);
}

bool answers_differ(Function function) {
    switch (function) {
        case Function::Test_:
        case Function::Win_test_:
        case Function::Testall_:
        case Function::Testany_:
        case Function::Testsome_:
        case Function::Waitany_:
        case Function::Waitsome_:
        case Function::Iprobe_:
        case Function::Improbe_:
        case Function::Request_get_status_:
            return true;
        default:
            return false;
    }
}

/// Equal for calls that can be one call of the proxy. `place`: the call site; 0: unknown.
std::vector<std::int64_t> kind_of_call(const Event& event, std::int64_t place, Detail detail) {
    std::vector<std::int64_t> key{static_cast<std::int64_t>(event.function), place};
    const std::vector<Role> all = roles(event);
    for (const Argument& argument : arguments_of(event)) {
        const std::size_t said = said_values(argument);
        if (said == 0 || argument.parameter->root_only) continue;
        if (all[argument.begin] == Role::length) continue;
        for (std::size_t i = argument.begin; i < argument.begin + said; ++i) {
            const Role role = all[i];
            const std::int64_t value = event.values[i];
            if (role == Role::me || role == Role::size) continue;
            if (!may_follow_formula(role))
                key.push_back(value);
            else if ((role == Role::buffer || role == Role::request) && !is_unused(role, value))
                key.push_back(std::min<std::int64_t>(value, 0));
            else if (role == Role::rank)
                key.push_back(value == rank_root ? 1 : 0);
            else if (role == Role::tag && detail == Detail::tags)
                key.push_back(value);
        }
    }
    return key;
}

/// Seconds of computation between two events of a rank.
using WorkTable =
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::uint32_t, double>>;

WorkTable work_of(const Recording& recording) {
    WorkTable table;
    for (const Recording::MergedWork& work : recording.work)
        for (const Recording::RankWork& rank : work.ranks)
            if (rank.count != 0)
                table[{work.before, work.after}][rank.rank] =
                    rank.seconds / static_cast<double>(rank.count);
    return table;
}

class MemberReader {
  public:
    MemberReader(const std::vector<SizedInput>& inputs, Detail detail, std::int64_t unused_tag)
        : inputs_(inputs), detail_(detail), unused_tag_(unused_tag) {}

    Members read() {
        std::uint64_t calls = 0;
        for (const SizedInput& input : inputs_)
            for (const auto& rank : input.recording->ranks) calls += rank.events;
        if (calls > calls_max)
            fail("the recordings have " + std::to_string(calls) + " calls together, and at most " +
                 std::to_string(calls_max) + " can be compared; record fewer iterations");
        for (std::size_t run = 0; run < inputs_.size(); ++run) read_run(run);
        return std::move(members_);
    }

  private:
    void read_run(std::size_t run) {
        const Recording& recording = *inputs_[run].recording;
        const WorkTable work = work_of(recording);
        for (std::uint32_t rank = 0; rank < recording.size(); ++rank) {
            Member member;
            member.run = run;
            member.setting.ranks = recording.size();
            member.setting.rank = rank;
            member.setting.size = inputs_[run].size;
            CommunicatorBook book(rank, recording.size());
            std::vector<std::uint32_t> symbols;
            std::uint32_t before = Work::start;
            const strings::Grammar grammar = recording.grammar_of(rank);
            for (strings::GrammarCursor at(grammar); !at.done(); at.next())
                for (std::uint64_t i = 0; i < at.count(); ++i) {
                    member.events.push_back(read_event(recording, at.terminal(), book));
                    symbols.push_back(
                        symbol_of(member.events.back(),
                                  place_number(recording, recording.events[at.terminal()].site)));
                    const auto found = work.find({before, at.terminal()});
                    const bool known =
                        found != work.end() && found->second.find(rank) != found->second.end();
                    member.seconds.push_back(known ? found->second.at(rank) : 0);
                    before = at.terminal();
                }
            member.steps = fold(symbols);
            members_.all.push_back(std::move(member));
        }
    }

    Event read_event(const Recording& recording, std::uint32_t terminal, CommunicatorBook& book) {
        const Event& merged = recording.events[terminal];
        if (answers_differ(merged.function))
            fail(
                "MPI_" + std::string(info(merged.function).name) +
                ": what it answers follows from the network; a proxy for other sizes makes no such "
                "call");
        Event event = book.resolve(pinned(merged, unused_tag_));
        event.site = 0;
        if (event.function == Function::Cart_create_)
            members_.grids[values_of(event, Kind::newcomm_)[0]] = values_of(event, Kind::int_)[0];
        const std::vector<Role> all = roles(event);
        for (std::size_t i = 0; i < all.size(); ++i) {
            std::int64_t& value = event.values[i];
            if (all[i] == Role::text)
                value = text_number(recording.texts[static_cast<std::size_t>(value)]);
            if (all[i] != Role::error && value >= stand_in_first)
                fail("MPI_" + std::string(info(event.function).name) + ": the number " +
                     std::to_string(value) + " is too large for a proxy of other sizes");
        }
        return event;
    }

    std::int64_t text_number(const std::string& words) {
        const auto [place, is_new] = text_numbers_.try_emplace(words, members_.texts.size());
        if (is_new) members_.texts.push_back(words);
        return static_cast<std::int64_t>(place->second);
    }

    std::int64_t place_number(const Recording& recording, std::uint32_t site) {
        if (site == 0) return 0;
        const std::string words = describe(recording.sites[site - 1]);
        return static_cast<std::int64_t>(
            places_.try_emplace(words, places_.size() + 1).first->second);
    }

    std::uint32_t symbol_of(const Event& event, std::int64_t place) {
        const auto [known, is_new] =
            symbols_.try_emplace(kind_of_call(event, place, detail_),
                                 static_cast<std::uint32_t>(members_.functions.size()));
        if (is_new) members_.functions.push_back(event.function);
        return known->second;
    }

    const std::vector<SizedInput>& inputs_;
    Detail detail_;
    std::int64_t unused_tag_;
    Members members_;
    std::map<std::vector<std::int64_t>, std::uint32_t> symbols_;
    std::map<std::string, std::size_t> text_numbers_, places_;
};

}  // namespace

Members read_members(const std::vector<SizedInput>& inputs, Detail detail,
                     std::int64_t unused_tag) {
    return MemberReader(inputs, detail, unused_tag).read();
}

}  // namespace refrain::proxy

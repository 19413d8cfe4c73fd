#pragma once

#include "events/event.hpp"
#include "generate/amounts.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace refrain::proxy {

/// Numbers from here on stand for others, which follow only from the ranks that a program finds: they are spelled as they are,
/// and replaced in the text.
inline constexpr std::int64_t stand_in_first = 1'000'000'000'000;
/// The same for a whole array, whose only element this is.
inline constexpr std::int64_t array_stand_in_first = 8'000'000'000'000;

/// "12.5e-6": seconds as C spells them.
[[nodiscard]] std::string decimal(double seconds);

/// Spells events as C. Remembers what of the program's frame the spelled calls need.
class CallText {
  public:
    /// `texts`: those of the recording, which outlive this.
    CallText(std::uint32_t ranks, std::int64_t unused_tag, const std::vector<std::string>& texts)
        : ranks_(ranks), unused_tag_(unused_tag), texts_(texts) {}

    /// Statements, one per string, without the semicolon.
    [[nodiscard]] std::vector<std::string> statements(const Event& event);
    /// The same in a free proxy: a poll repeats until it succeeds, with `pause` seconds of computation in between; a receive from
    /// any source stays one.
    [[nodiscard]] std::vector<std::string> live_statements(const Event& event, double pause);

    /// Messages of this function keep their sizes under --bytes.
    void keep_size(Function function) { kept_.insert(function); }

    /// How many variables of each kind there are: number of the highest and one more.
    std::int64_t comms = 2, groups = 0, types = 0, ops = 0, requests = 0, messages = 0, infos = 0,
                 windows = 0, files = 0, keyvals = 0, memories = 0;
    std::set<std::int64_t> filenames;  // numbers of the files that are opened
    std::set<std::string> helpers;     // functions and variables of the frame that are called
    std::set<Function> functions;      // of MPI that are called

  private:
    [[nodiscard]] std::string comm(std::int64_t number);
    [[nodiscard]] std::string group(std::int64_t number);
    [[nodiscard]] std::string type(std::int64_t number);
    [[nodiscard]] std::string op(std::int64_t number);
    [[nodiscard]] std::string request(std::int64_t number);
    [[nodiscard]] std::string message(std::int64_t number);
    [[nodiscard]] std::string info_object(std::int64_t number);
    [[nodiscard]] std::string window(std::int64_t number);
    [[nodiscard]] std::string file(std::int64_t number);
    [[nodiscard]] std::string keyval(std::int64_t number);
    [[nodiscard]] std::string allocated(std::int64_t number);
    /// MPI's function that copies or deletes attributes, or one that stands in for the program's own.
    [[nodiscard]] std::string attribute_function(Function creator, Kind kind, std::int64_t code);
    [[nodiscard]] std::string displacement(const Parameter& parameter, const std::int64_t* values,
                                           const Event& event);
    [[nodiscard]] std::string filename(std::int64_t number, const Event& event);
    /// An array of the call. MPI may still read it when the call has returned, if there is a request.
    template <class Spell>
    [[nodiscard]] std::string array(const Parameter& parameter, const char* type,
                                    const std::int64_t* values, std::size_t count, Spell spell);
    /// A number of elements, as --bytes has it.
    [[nodiscard]] std::string amount(Amount what, std::int64_t value);
    [[nodiscard]] std::string memory(const Parameter& parameter, std::int64_t slot,
                                     const Event& event);
    /// `place`: of the communicator, or window, in the arrays of ranks and sizes.
    [[nodiscard]] std::string rank(std::int64_t encoded, const std::string& place);
    [[nodiscard]] std::string argument(const Parameter& parameter, const std::int64_t* values,
                                       std::size_t count, const std::string& place,
                                       Amount amount_of_it);
    [[nodiscard]] std::string plain_call(const Event& event);
    [[nodiscard]] std::vector<std::string> completion(const Event& event);
    [[nodiscard]] std::vector<std::string> probe(const Event& event);
    /// A helper that gets a yes: one that waits for it, or one that polls for it.
    [[nodiscard]] std::string yes(const std::string& kind) {
        return uses((pause_.empty() ? "" : "poll_") + kind);
    }
    [[nodiscard]] std::string uses(const std::string& helper) {
        helpers.insert(helper);
        return helper;
    }

    std::uint32_t ranks_;
    std::int64_t unused_tag_;
    const std::vector<std::string>& texts_;
    std::set<Function> kept_;
    std::string pause_;        // the last argument of a live poll; empty: polls get their answers
    bool any_source_ = false;  // receives from any source stay such
    bool lasting_ = false;     // whether arrays outlive the call that is spelled
    std::vector<std::string> declarations_;  // of these
};

/// The event that a strict proxy really makes: receives from any source and any tag get their match.
/// One that was never matched is posted to the process itself, with a tag that nobody uses.
[[nodiscard]] Event pinned(const Event& event, std::int64_t unused_tag);
[[nodiscard]] bool is_wildcard(const Event& event);

/// Where the arrays of ranks and sizes have the communicator of an event, or its window.
[[nodiscard]] std::string place_text(const Event& event);

/// Values of the parameter of this kind; empty if there is none.
[[nodiscard]] std::vector<std::int64_t> values_of(const Event& event, Kind kind);

}  // namespace refrain::proxy

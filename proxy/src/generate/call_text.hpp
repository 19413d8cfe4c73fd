#pragma once

#include "events/event.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace refrain::proxy {

/// Spells events as C. Remembers what of the program's frame the spelled calls need.
class CallText {
  public:
    CallText(std::uint32_t ranks, std::int64_t unused_tag)
        : ranks_(ranks), unused_tag_(unused_tag) {}

    /// Statements, one per string, without the semicolon.
    [[nodiscard]] std::vector<std::string> statements(const Event& event);

    /// How many variables of each kind there are: number of the highest and one more.
    std::int64_t comms = 2, groups = 0, types = 0, ops = 0, requests = 0, messages = 0;
    std::int64_t most_requests = 0;  // that one call names
    std::set<std::string> helpers;   // functions and variables of the frame that are called

  private:
    [[nodiscard]] std::string comm(std::int64_t number);
    [[nodiscard]] std::string group(std::int64_t number);
    [[nodiscard]] std::string type(std::int64_t number);
    [[nodiscard]] std::string op(std::int64_t number);
    [[nodiscard]] std::string request(std::int64_t number);
    [[nodiscard]] std::string message(std::int64_t number);
    [[nodiscard]] std::string rank(std::int64_t encoded, std::int64_t communicator);
    [[nodiscard]] std::string argument(const Parameter& parameter, const std::int64_t* values,
                                       std::size_t count, std::int64_t communicator);
    [[nodiscard]] std::string plain_call(const Event& event);
    [[nodiscard]] std::vector<std::string> completion(const Event& event);
    [[nodiscard]] std::vector<std::string> probe(const Event& event);
    [[nodiscard]] std::string uses(const std::string& helper) {
        helpers.insert(helper);
        return helper;
    }

    std::uint32_t ranks_;
    std::int64_t unused_tag_;
};

/// The event that a strict proxy really makes: receives from any source and any tag get their match.
/// One that was never matched is posted to the process itself, with a tag that nobody uses.
[[nodiscard]] Event pinned(const Event& event, std::int64_t unused_tag);
[[nodiscard]] bool is_wildcard(const Event& event);

/// Values of the parameter of this kind; empty if there is none.
[[nodiscard]] std::vector<std::int64_t> values_of(const Event& event, Kind kind);

}  // namespace refrain::proxy

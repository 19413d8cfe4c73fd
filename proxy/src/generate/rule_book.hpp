#pragma once

#include "merge/recording.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace refrain::proxy {

/// What is known of the rules of a recording: their names, how many calls they make, and with which they begin and end.
class RuleBook {
  public:
    /// `recording` outlives this.
    explicit RuleBook(const Recording& recording);

    /// "step_of_12": by the number of calls that a rule makes, since that is what a reader looks for. "exchange_of_12",
    /// "exchange_and_solve_of_12" if they are made in one or two functions of the program, and that was recorded.
    [[nodiscard]] const std::string& name(std::uint32_t rule) const { return names_[rule]; }
    /// The same for any run: that of a call is "allreduce".
    [[nodiscard]] std::string name(const strings::Run& run) const;
    [[nodiscard]] std::uint64_t calls(std::uint32_t rule) const { return lengths_[rule]; }
    /// "2 Isend, 2 Irecv, Waitall": what a run calls, the most frequent functions.
    [[nodiscard]] std::string contents(const strings::Run& run) const;

    /// The event that a run begins with, and the one that it ends with.
    [[nodiscard]] std::uint32_t first_of(const strings::Run& run) const {
        return run.is_rule ? ends_[run.symbol].first : run.symbol;
    }
    [[nodiscard]] std::uint32_t last_of(const strings::Run& run) const {
        return run.is_rule ? ends_[run.symbol].last : run.symbol;
    }

  private:
    struct Ends {
        std::uint32_t first = 0, last = 0;
        std::set<std::string>
            functions;  // in which calls are made, as far as names have room for them
        bool known = false;
    };
    void find_ends(std::uint32_t rule);
    void add_functions(const strings::Run& run, std::set<std::string>& functions) const;

    const Recording& recording_;
    std::vector<Ends> ends_;
    std::vector<std::uint64_t> lengths_;
    std::vector<std::string> names_;
};

}  // namespace refrain::proxy

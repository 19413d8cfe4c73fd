#pragma once

#include "ir/program.hpp"
#include "syntax/sources.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace refrain::script {

/// What becomes of each line of a script. Watches the compiler from the code of level O0 on:
///
///     Explanation explanation;
///     explanation.begin(code of level O0);
///     explanation.after(pass, code);      for each pass
///     explanation.text(sources);
///
///     squares.swift:9:   A[i] = square(i);
///         2 tasks at O0, none of its own now: function-inline -1, value-number -1
///         work of the task of squares.swift:8: computes multiply_int, assigns A
///         square is put in here
class Explanation {
  public:
    void begin(const ir::Program& program);
    void after(std::string_view pass, const ir::Program& program);
    [[nodiscard]] std::string text(const Sources& sources) const;

  private:
    /// How many tasks begin at a place; columns do not count.
    using Tasks = std::map<Position, int>;
    [[nodiscard]] static Tasks tasks_of(const ir::Program& program);

    ir::Program first_;
    ir::Program last_;
    Tasks at_first_;
    Tasks now_;
    std::map<Position, std::vector<std::pair<std::string, int>>> changes_;  // per line: by pass
};

}  // namespace refrain::script

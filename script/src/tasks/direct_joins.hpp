#pragma once

#include "ir/program.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace refrain::script::tasks {

/// The call of the task in which it stands.
[[nodiscard]] bool is_call_point(const ir::Statement& statement);

/// A wait of a block, by the index of its statement, and the data that are slots of its task.
struct Join {
    std::size_t reader = 0;
    std::vector<ir::VariableId> data;
};

/// Finds data that need not be in the store: one statement of their block assigns them, at most once whatever happens,
/// and one other waits for them. What is assigned is delivered to the task that waits.
class DirectJoins {
  public:
    explicit DirectJoins(const ir::Program& program);

    [[nodiscard]] std::vector<Join> of(const ir::Function& function, const ir::Block& block) const;

  private:
    struct Use {
        bool loaded = false;
        bool read = false;         // in another way
        std::uint32_t writes = 0;  // on one path; 2 stands for more

        void add(const Use& more, std::uint32_t writes_of_both) {
            loaded |= more.loaded;
            read |= more.read;
            writes = writes_of_both;
        }
    };
    using Uses = std::map<ir::VariableId, Use>;

    [[nodiscard]] Uses uses_of(const ir::Block& block) const;
    [[nodiscard]] Uses uses_of(const ir::Statement& statement) const;
    [[nodiscard]] Uses uses_of(const ir::Statement& statement, const ir::Instruction& is) const;
    [[nodiscard]] static Uses with_own(Uses inside, const ir::Statement& statement);
    [[nodiscard]] static bool is_assigned_once(const Uses& uses, ir::VariableId output);

    std::set<std::pair<std::string, std::size_t>>
        once_;  // functions and outputs that they assign at most once
};

}  // namespace refrain::script::tasks

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace refrain::runtime {

/// The program and its libraries as they lie in memory: tells in which of them a function is and
/// where, so that it can be found in another run, wherever they lie then.
///
///     &run  ->  module 0 ("", the program), offset 0x4a10  ->  &run of a later run
///
/// A module's mark is a hash of its layout and of its build id, if it has one: equal for the same
/// file, different for another build in all likelihood.
///
/// Threads:  a snapshot, taken when it is made.
class ProgramImage {
  public:
    struct Module {
        std::string name;
        std::uint64_t mark = 0;
        std::uintptr_t base = 0, end = 0;  // its memory, with holes
    };
    struct Place {
        std::uint32_t module = 0;
        std::uint64_t offset = 0;
    };

    ProgramImage();

    /// Of the program itself; 0 if nothing is known.
    [[nodiscard]] std::uint64_t mark() const { return modules_.empty() ? 0 : modules_[0].mark; }
    [[nodiscard]] const std::vector<Module>& modules() const { return modules_; }
    /// Nothing for code that lies in no module.
    [[nodiscard]] std::optional<Place> place_of(const void* function) const;
    /// Null if there is no such module, or it is another build of it, or the offset lies outside.
    [[nodiscard]] const void* function_at(const std::string& module, std::uint64_t mark,
                                          std::uint64_t offset) const;

  private:
    std::vector<Module> modules_;  // the program first
};

}  // namespace refrain::runtime

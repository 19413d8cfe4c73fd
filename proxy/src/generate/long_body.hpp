#pragma once

#include "generate/folded_lines.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace refrain::proxy {

/// The body of a C function that is split where it is long, since compilers take much more than twice as long for twice as
/// much in one function. Parts that run once are not optimised: of a program that repeats nothing, that took most of a minute
/// for 10,000 calls, a seventh of it now.
///
///     static NOINLINE void step_part_1(void) { ... }        functions()
///     static void step(void) { step_part_1(); ... }         text()
class LongBody {
  public:
    enum class Runs { once, often };
    enum class Alike { kept, folded };  // statements of long parts that differ in numbers only

    LongBody(std::string name, Runs runs, Alike alike)
        : name_(std::move(name)), runs_(runs), alike_(alike) {}

    /// What is there becomes a function of its own, if it is long. Call between two statements of the body.
    void cut() {
        if (text_.size() < part_bytes) return;
        const std::string part = name_ + "_part_" + std::to_string(++parts_);
        functions_ += std::string("\nstatic ") + (runs_ == Runs::once ? "AS_WRITTEN" : "NOINLINE") +
                      " void " + part + "(void)\n{\n" +
                      (alike_ == Alike::folded ? folded_lines(text_) : text_) + "}\n";
        text_.clear();
        calls_ += "    " + part + "();\n";
    }
    /// Whether functions() need `as_written`.
    [[nodiscard]] bool has_parts_as_written() const { return runs_ == Runs::once && parts_ != 0; }
    [[nodiscard]] bool is_long() const { return text_.size() >= part_bytes; }
    /// Statements are added here.
    [[nodiscard]] std::string& open() { return text_; }

    [[nodiscard]] const std::string& functions() const { return functions_; }
    /// What stands before functions() that has_parts_as_written.
    static constexpr const char* as_written =
        "\n/* Long parts that run once are not optimised, which would take a compiler minutes. "
        "*/\n#if defined(__clang__)\n#define AS_WRITTEN __attribute__((noinline, optnone))\n#elif "
        "defined(__GNUC__)\n#define AS_WRITTEN __attribute__((noinline, "
        "optimize(\"O0\")))\n#else\n#define AS_WRITTEN\n#endif\n";
    [[nodiscard]] std::string text() const { return calls_ + text_; }

    static constexpr std::size_t part_bytes = 20000;  // some 500 calls

  private:
    std::string name_;
    Runs runs_;
    Alike alike_;
    std::string functions_, calls_, text_;
    std::size_t parts_ = 0;
};

}  // namespace refrain::proxy

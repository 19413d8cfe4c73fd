#pragma once

#include "values/script_error.hpp"
#include "values/text.hpp"
#include "values/value.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace refrain::script {

/// A piece of another language, and an expression of it whose value, a text, is the result.
struct ForeignCode {
    enum class Language : std::uint8_t { none, python, r } language = Language::none;
    bool keeps_state = false;  // what it defines is there in later calls of the same worker
    std::string code;
    std::string expression;  // empty: the result is the empty text
};
/// An exception in a piece of another language.
class ForeignException : public ScriptError {
  public:
    using ScriptError::ScriptError;
};

/// What leaf functions may ask of the run. Nothing of it is there when the compiler calls one: ScriptError. Those of another
/// process or rank ask the original for what they do not override. Threads: any.
class Services {
  public:
    explicit Services(Services* original = nullptr) : original_(original) {}
    Services(const Services&) = delete;
    Services& operator=(const Services&) = delete;
    virtual ~Services() = default;

    /// Prints the text as a whole: no other output gets into it.
    virtual void print(const std::string& text) { original().print(text); }
    /// The arguments of the script; the first is the script's path.
    [[nodiscard]] virtual const std::vector<std::string>& arguments() const {
        return original().arguments();
    }
    [[nodiscard]] virtual int workers() const { return original().workers(); }
    /// Of the data, as the original counts them: ours serve where they work.
    [[nodiscard]] virtual int servers() const { return original().servers(); }
    /// The host of each.
    [[nodiscard]] virtual std::vector<std::string> hosts() const { return original().hosts(); }
    /// Which of them the calling thread is.
    [[nodiscard]] virtual std::uint32_t worker() const {
        return original_ == nullptr ? 0 : original_->worker();
    }
    /// Calls with @par are made by teams of ranks.
    [[nodiscard]] virtual bool has_teams() const { return false; }
    /// A path that nothing has yet.
    [[nodiscard]] virtual std::string temporary_path() { return original().temporary_path(); }
    /// The name of a file that is to be made, a temporary one if it has none; then its folder is there. True if temporary. Errors: ScriptError.
    bool prepare_file(Value& name) {
        const bool temporary = name.empty();
        if (temporary) name = Value(temporary_path());
        if (name.string().empty())
            throw ScriptError("a file that it makes is mapped to an empty name");
        make_folder(std::filesystem::path(name.string()).parent_path());
        return temporary;
    }
    /// Makes the folder if need be. Errors: ScriptError.
    virtual void copy_file(const std::string& from, const std::string& to) {
        original().copy_file(from, to);
    }
    /// Runs it to its end; its status. With a file for its output, 1 also if it writes to standard error.
    /// Errors: ScriptError or ProcessError if it cannot be started.
    [[nodiscard]] virtual int run_program(const std::vector<std::string>& words,
                                          const std::string& output = {}) {
        return original().run_program(words, output);
    }
    /// Errors: ForeignException; ScriptError if there is no interpreter, or if it died of the code.
    [[nodiscard]] virtual std::string evaluate(const ForeignCode& code) {
        if (original_ != nullptr) return original_->evaluate(code);
        throw ScriptError("this run has no interpreters of other languages");
    }

  private:
    [[nodiscard]] Services& original() const {
        if (original_ == nullptr) throw ScriptError("this is known only when run");
        return *original_;
    }

    Services* original_;
};

}  // namespace refrain::script

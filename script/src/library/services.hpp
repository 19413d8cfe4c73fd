#pragma once

#include "values/script_error.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace refrain::script {

/// A piece of another language, and an expression of it whose value, a text, is the result.
struct ForeignCode {
    enum class Language : std::uint8_t { none, python, r } language = Language::none;
    std::string_view code;
    std::string_view expression;  // empty: the result is the empty text
    bool keeps_state = false;     // what it defines is there in later calls of the same worker
};
/// An exception in a piece of another language.
class ForeignException : public ScriptError {
  public:
    using ScriptError::ScriptError;
};

/// What leaf functions may ask of the run. Nothing of it is there when the compiler calls one: ScriptError. Threads: any.
class Services {
  public:
    Services() = default;
    Services(const Services&) = delete;
    Services& operator=(const Services&) = delete;
    virtual ~Services() = default;

    /// Prints the text as a whole: no other output gets into it.
    virtual void print(const std::string&) { refuse(); }
    /// The arguments of the script; the first is the script's path.
    [[nodiscard]] virtual const std::vector<std::string>& arguments() const { refuse(); }
    [[nodiscard]] virtual int workers() const { refuse(); }
    /// Of the data, as the original counts them: ours serve where they work.
    [[nodiscard]] virtual int servers() const { refuse(); }
    /// The host of each.
    [[nodiscard]] virtual std::vector<std::string> hosts() const { refuse(); }
    /// Which of them the calling thread is.
    [[nodiscard]] virtual std::uint32_t worker() const { return 0; }
    /// Calls with @par are made by teams of ranks.
    [[nodiscard]] virtual bool has_teams() const { return false; }
    /// A path that nothing has yet.
    [[nodiscard]] virtual std::string temporary_path() { refuse(); }
    /// Makes the folder if need be. Errors: ScriptError.
    virtual void copy_file(const std::string& /*from*/, const std::string& /*to*/) { refuse(); }
    /// Runs it to its end; its status. Errors: ScriptError if it cannot be started.
    [[nodiscard]] virtual int run_program(const std::vector<std::string>& /*words*/) { refuse(); }
    /// Errors: ForeignException; ScriptError if there is no interpreter, or if it died of the code.
    [[nodiscard]] virtual std::string evaluate(const ForeignCode&) {
        throw ScriptError("this run has no interpreters of other languages");
    }

  private:
    [[noreturn]] static void refuse() { throw ScriptError("this is known only when run"); }
};

/// Those of another process or rank: what is not overridden is asked of the original.
class ForwardingServices : public Services {
  public:
    explicit ForwardingServices(Services& original) : original_(original) {}

    void print(const std::string& text) override { original_.print(text); }
    [[nodiscard]] const std::vector<std::string>& arguments() const override {
        return original_.arguments();
    }
    [[nodiscard]] int workers() const override { return original_.workers(); }
    [[nodiscard]] int servers() const override { return original_.servers(); }
    [[nodiscard]] std::vector<std::string> hosts() const override { return original_.hosts(); }
    [[nodiscard]] std::uint32_t worker() const override { return original_.worker(); }
    [[nodiscard]] std::string temporary_path() override { return original_.temporary_path(); }
    void copy_file(const std::string& from, const std::string& to) override {
        original_.copy_file(from, to);
    }
    [[nodiscard]] int run_program(const std::vector<std::string>& words) override {
        return original_.run_program(words);
    }
    [[nodiscard]] std::string evaluate(const ForeignCode& code) override {
        return original_.evaluate(code);
    }

  private:
    Services& original_;
};

}  // namespace refrain::script

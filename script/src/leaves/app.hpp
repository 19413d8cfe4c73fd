#pragma once

#include "ir/program.hpp"
#include "leaves/leaf.hpp"
#include "leaves/leaf_host.hpp"
#include "values/script_error.hpp"

#include <string>

namespace refrain::script {

/// A program that failed.
class AppFailure : public ScriptError {
  public:
    AppFailure(const std::string& text, std::string errors)
        : ScriptError(text), errors_(std::move(errors)) {}
    /// The file with its standard error; empty if none is kept.
    [[nodiscard]] const std::string& errors() const { return errors_; }

  private:
    std::string errors_;
};

/// A file that a program is to make, and what was there before.
struct AppOutput {
    std::string path{};
    bool temporary = false;
    std::optional<FileStamp> before{};
    bool shows_writing = false;  // as a file does that is settled; folders and links do not
};

/// A program with arguments and redirections. Arrays among the arguments expand to their elements, in the order of keys.
///
/// What a failed program has made of its outputs is renamed to NAME.incomplete.
///
/// Errors: ScriptError if it cannot be started; AppFailure if it ends with a status that is not 0, by a signal or by its
///         timeout (with the command, the directory and the last lines of its standard error), or does not make a declared
///         output.
class AppLeaf : public Leaf {
  public:
    AppLeaf(const ir::LeafDefinition& definition, LeafHost& host)
        : definition_(definition), host_(host) {}

    void call(Arguments arguments, Results results, Services& services) const override;
    [[nodiscard]] std::string describe(Arguments arguments,
                                       std::span<const Value> results) const override;

  private:
    [[nodiscard]] processes::ProcessCommand command_of(Arguments arguments,
                                                       std::span<const Value> results) const;
    void pretend(Arguments arguments, Results results, Services& services) const;
    [[noreturn]] void fail(const processes::ProcessCommand& command, const std::string& how,
                           const processes::SaidErrors& said) const;
    /// Fails if it is not there. Warns if the program has not touched it: it may be out of date, or good as it is (make).
    void expect_output(const processes::ProcessCommand& command, const AppOutput& output,
                       const std::string& name) const;

    ir::LeafDefinition definition_;
    LeafHost& host_;
};

/// The command inside a template. The word {cmd} becomes the words of the command; within a longer word it becomes the command
/// as a shell takes it. Words of the template are separated by blanks, and may stand in quotes. An empty template changes
/// nothing.
///
///     wrapped({"sort", "a b"}, "nice -n 5 {cmd}")         -> nice, -n, 5, sort, "a b"
///     wrapped({"sort", "a b"}, "ssh far 'cd x; {cmd}'")   -> ssh, far, "cd x; sort 'a b'"
///
/// Errors: ScriptError if there is no {cmd}, or a quote is left open.
[[nodiscard]] std::vector<std::string> wrapped(const std::vector<std::string>& command,
                                               const std::string& pattern);

}  // namespace refrain::script

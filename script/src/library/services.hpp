#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace refrain::script {

/// What leaf functions may ask of the run. Threads: any.
class Services {
  public:
    Services() = default;
    Services(const Services&) = delete;
    Services& operator=(const Services&) = delete;
    virtual ~Services() = default;

    /// Prints the text as a whole: no other output gets into it.
    virtual void print(const std::string& text) = 0;
    /// The arguments of the script; the first is the script's path.
    [[nodiscard]] virtual const std::vector<std::string>& arguments() const = 0;
    [[nodiscard]] virtual int workers() const = 0;
    /// Of the data, as the original counts them: ours serve where they work.
    [[nodiscard]] virtual int servers() const { return 1; }
    /// Which of them the calling thread is.
    [[nodiscard]] virtual std::uint32_t worker() const { return 0; }
    /// A path that nothing has yet.
    [[nodiscard]] virtual std::string temporary_path() = 0;
    /// Makes the folder if need be. Errors: ScriptError.
    virtual void copy_file(const std::string& from, const std::string& to) = 0;
};

}  // namespace refrain::script

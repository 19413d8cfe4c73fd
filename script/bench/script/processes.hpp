#pragma once

#include <string>
#include <vector>

namespace script_bench {

/// A folder that is removed at the end.
class Folder {
  public:
    Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder();
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string operator/(const std::string& name) const {
        return path_ + "/" + name;
    }

  private:
    std::string path_;
};

struct Ended {
    int status = 0;
    double peak_mb = 0;  // of its memory
};
/// Runs a program and waits for its end. Errors: std::runtime_error if there is none of that name.
Ended run_process(std::vector<std::string> words, const char* output = nullptr);

/// Of this process, and of those that it has waited for.
[[nodiscard]] double cpu_seconds_with_children();

}  // namespace script_bench

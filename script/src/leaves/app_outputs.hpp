#pragma once

#include "memo/content_hash.hpp"
#include "values/value.hpp"

#include <optional>
#include <string>
#include <vector>

namespace refrain::script {

/// The files that a program is about to make. Unless it succeeds, those that it has touched are renamed to NAME.incomplete,
/// and temporary ones removed; what was there before and was not touched stays.
class AppOutputs {
  public:
    void add(const std::string& path, bool temporary);
    AppOutputs() = default;
    AppOutputs(const AppOutputs&) = delete;
    AppOutputs& operator=(const AppOutputs&) = delete;
    ~AppOutputs();

    void succeeded() { files_.clear(); }

  private:
    struct File {
        std::string path;
        bool temporary;
        std::optional<FileStamp> before;
    };
    std::vector<File> files_;
};

}  // namespace refrain::script

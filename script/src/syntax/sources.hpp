#pragma once

#include "values/position.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace refrain::script {

/// The files that a script consists of, in the order in which they were read.
class Sources {
  public:
    /// Returns the number of the file.
    std::uint32_t add(const std::string& name, std::string text);
    [[nodiscard]] const std::string& name(std::uint32_t file) const { return files_[file].name; }
    [[nodiscard]] const std::string& text(std::uint32_t file) const { return files_[file].text; }
    [[nodiscard]] std::size_t count() const { return files_.size(); }
    /// The line, without its end; empty if there is none.
    [[nodiscard]] std::string_view line(Position at) const;
    /// "hello.swift:3:7"; without column for a column of 0.
    [[nodiscard]] std::string text(Position at) const;
    /// "hello.swift:3": the file as seen from the folder in which the program runs, where that is shorter.
    [[nodiscard]] std::string line_text(Position at) const;

  private:
    struct File {
        std::string name;
        std::string short_name;
        std::string text;
        std::vector<std::size_t> line_begins;
    };
    std::vector<File> files_;
};

}  // namespace refrain::script

/// The common part of every example's main(): runs the comparison, prints the table, and writes the
/// requested files.
#pragma once

#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include "common/common_config.hpp"
#include "common/comparison.hpp"
#include "common/picture.hpp"
#include "common/table.hpp"

namespace example {

/// The picture of a program's result, if the command line asks for one:
///
///     example::ResultPicture picture(config.common);
///     ...
///     picture.draw({.title = "speed"}, [&](example::Picture& p) { p.field(n, n, speed); });
///     ...
///     example::show("flow", "32 x 32", config.common, program, picture);
///
/// All runs have the same result. What is drawn is that of one more run, so that no measured time
/// includes the drawing.
class ResultPicture {
  public:
    explicit ResultPicture(const CommonConfig& config) : path_(config.picture_path) {}

    /// In each run, when its result is known.
    /// Errors: std::runtime_error if the file cannot be written.
    template <class Draw>
    void draw(Picture::Frame frame, const Draw& draw) {
        if (!is_wanted_) return;
        Picture picture(std::move(frame));
        draw(picture);
        picture.write(path_);
        caption_ = picture.caption();
    }
    /// Runs the program once more, if a picture is asked for, and says where that is.
    template <class Program>
    void run(const CommonConfig& config, const Program& program) {
        if (path_.empty()) return;
        const Mode mode = config.modes.front();
        is_wanted_ = true;
        {
            refrain::Runtime runtime(options_for(mode, config.runtime));
            static_cast<void>(program(runtime, mode));
        }
        is_wanted_ = false;
        std::printf("\nThe result is drawn in %s (%s)\n", path_.c_str(), caption_.c_str());
    }

  private:
    std::string path_;
    bool is_wanted_ = false;  // in this run
    std::string caption_;     // of what was drawn
};

/// Writes the files that the command line asks for.
void write_files(const Comparison& comparison, const CommonConfig& config);

/// `program(runtime, mode)` as for compare(); it draws `picture`.
template <class Program>
void show(std::string name, std::string problem, const CommonConfig& config, const Program& program,
          ResultPicture& picture) {
    const Comparison comparison = compare(std::move(name), std::move(problem), config, program);
    print_table(comparison);
    write_files(comparison, config);
    picture.run(config, program);
}

/// Runs `body` and returns the exit status: 1 if it throws, 0 otherwise.
template <class Body>
[[nodiscard]] int reporting_errors(const Body& body) {
    try {
        body();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "\nerror: %s\n", error.what());
        return 1;
    }
}

}  // namespace example

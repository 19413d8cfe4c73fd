/// Calls that are recorded by their names.
#pragma once

#include "interposer/boundary.h"

#include <string>

namespace refrain::proxy {

/// A call of a function that is not in the table.
class ByName : Boundary {
  public:
    ByName(const char* name, void* from) noexcept;
    ByName(const ByName&) = delete;
    ByName& operator=(const ByName&) = delete;
    ~ByName() { --depth; }
    int end(int result) noexcept;

  private:
    void begin(const char* name, void* from);
    void record();

    Event event_;
    double compute_ = 0, entered_ = 0;
};

/// "./app+0x1234 (solve)": a place of the program, for readers.
[[nodiscard]] std::string words_of_place(void* address);

}  // namespace refrain::proxy

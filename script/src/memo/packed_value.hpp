#pragma once

#include "values/value.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace refrain::script {

/// Writes numbers, texts and values as bytes, in the order of the machine.
class Packer {
  public:
    enum class References : bool { refused, taken };
    explicit Packer(References references = References::refused) : references_(references) {}

    void number(std::uint64_t value);
    void text(std::string_view value);
    /// Files by their names only. Errors: ScriptError for the id of a datum, unless ids are taken.
    void value(const Value& value);
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
    References references_;
};

/// Reads what a Packer wrote. Errors: ScriptError if the bytes end too early or are none of a Packer's.
class Unpacker {
  public:
    explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
    [[nodiscard]] std::uint64_t number();
    [[nodiscard]] std::string text();
    [[nodiscard]] Value value();

  private:
    [[nodiscard]] std::string_view take(std::size_t count);
    std::string_view bytes_;
    int depth_ = 0;
};

}  // namespace refrain::script

#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace refrain::regions {

/// A text without a byte to spare: one word if it is empty. It ends at its first zero byte.
class ShortText {
  public:
    ShortText() = default;
    explicit ShortText(std::string_view text) { *this = text; }
    ShortText& operator=(std::string_view text) {
        if (text.empty()) {
            bytes_.reset();
            return *this;
        }
        bytes_ = std::make_unique<char[]>(text.size() + 1);
        std::memcpy(bytes_.get(), text.data(), text.size());
        return *this;
    }
    [[nodiscard]] std::string_view view() const noexcept {
        return bytes_ == nullptr ? std::string_view() : std::string_view(bytes_.get());
    }
    [[nodiscard]] bool empty() const noexcept { return view().empty(); }

  private:
    std::unique_ptr<char[]> bytes_;
};

}  // namespace refrain::regions

#pragma once

#include "refrain/detail/box_set.hpp"

#include <cstdint>
#include <utility>

namespace refrain::data {

/// The bounds of a region, which its copies share: a program with many regions has few shapes.
///
/// Threads:  copied and assigned by the launching thread only; read by any.
class SharedSpace {
  public:
    SharedSpace() noexcept = default;
    SharedSpace(const Box& bounds) : record_(new Record{BoxSet(bounds), 1}) {}
    SharedSpace(const SharedSpace& other) noexcept : record_(other.record_) {
        if (record_ != nullptr) ++record_->references;
    }
    SharedSpace(SharedSpace&& other) noexcept : record_(std::exchange(other.record_, nullptr)) {}
    SharedSpace& operator=(SharedSpace other) noexcept {
        std::swap(record_, other.record_);
        return *this;
    }
    ~SharedSpace() {
        if (record_ != nullptr && --record_->references == 0) delete record_;
    }

    /// The bounds as a set, and as a box; valid while a copy lives.
    [[nodiscard]] const BoxSet& all() const noexcept {
        return record_ == nullptr ? nothing() : record_->all;
    }
    [[nodiscard]] const Box& box() const noexcept { return all().bounds(); }
    operator const Box&() const noexcept { return box(); }
    [[nodiscard]] bool contains(const Box& other) const noexcept { return box().contains(other); }
    [[nodiscard]] std::int64_t volume() const noexcept { return box().volume(); }

  private:
    [[nodiscard]] static const BoxSet& nothing() noexcept {
        static const BoxSet empty;
        return empty;
    }
    struct Record {
        BoxSet all;
        std::uint32_t references;
    };
    Record* record_ = nullptr;
};

}  // namespace refrain::data

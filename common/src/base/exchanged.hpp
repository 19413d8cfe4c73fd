#pragma once

#include <utility>

namespace refrain::base {

/// A variable has another value while it lives.
template <class T>
class Exchanged {
  public:
    Exchanged(T& place, T value) : place_(place), before_(std::exchange(place, std::move(value))) {}
    Exchanged(const Exchanged&) = delete;
    Exchanged& operator=(const Exchanged&) = delete;
    ~Exchanged() { place_ = std::move(before_); }

  private:
    T& place_;
    T before_;
};

}  // namespace refrain::base

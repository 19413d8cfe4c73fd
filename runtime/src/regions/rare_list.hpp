#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace refrain::regions {

/// A vector that is nearly always empty, and then takes one word.
template <class T>
class RareList {
  public:
    [[nodiscard]] bool empty() const noexcept { return items_ == nullptr || items_->empty(); }
    [[nodiscard]] T* begin() noexcept { return items_ == nullptr ? nullptr : items_->data(); }
    [[nodiscard]] T* end() noexcept { return begin() + size(); }
    [[nodiscard]] const T* begin() const noexcept {
        return items_ == nullptr ? nullptr : items_->data();
    }
    [[nodiscard]] const T* end() const noexcept { return begin() + size(); }
    [[nodiscard]] const T& front() const noexcept { return items_->front(); }
    [[nodiscard]] std::size_t size() const noexcept {
        return items_ == nullptr ? 0 : items_->size();
    }
    void push_back(T item) {
        if (items_ == nullptr) items_ = std::make_unique<std::vector<T>>();
        items_->push_back(std::move(item));
    }
    template <class IsGone>
    void erase_if(const IsGone& is_gone) {
        if (items_ != nullptr) std::erase_if(*items_, is_gone);
        if (empty()) items_.reset();
    }
    void clear() noexcept { items_.reset(); }

  private:
    std::unique_ptr<std::vector<T>> items_;
};

}  // namespace refrain::regions

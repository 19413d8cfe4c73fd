#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace refrain::proxy {

/// Values by a word, for look-ups in every call: open addressing, a multiplication for a hash, no division.
///
/// A pointer to a value holds until the next insertion or removal.
/// Complexity: constant; memory for twice as many values as there were at most.
template <class Value>
class KeyMap {
  public:
    /// Null if there is none.
    [[nodiscard]] Value* find(std::uintptr_t key) {
        for (std::size_t at = home_of(key);; at = (at + 1) & mask()) {
            Entry& entry = entries_[at];
            if (!entry.used) return nullptr;
            if (entry.key == key) return &entry.value;
        }
    }
    [[nodiscard]] const Value* find(std::uintptr_t key) const {
        return const_cast<KeyMap*>(this)->find(key);
    }
    /// The value of the key, a new one if there was none.
    Value& operator[](std::uintptr_t key) {
        if (Value* const known = find(key)) return *known;
        if (2 * (size_ + 1) > entries_.size()) grow();
        ++size_;
        return insert(key);
    }
    void erase(std::uintptr_t key) {
        const Value* const known = find(key);
        if (known == nullptr) return;
        // Entries behind the hole move into it, unless they would come to lie before their home.
        std::size_t hole = home_of(key);
        while (&entries_[hole].value != known) hole = (hole + 1) & mask();
        for (std::size_t at = (hole + 1) & mask(); entries_[at].used; at = (at + 1) & mask()) {
            const std::size_t home = home_of(entries_[at].key);
            if (((at - home) & mask()) < ((at - hole) & mask())) continue;
            entries_[hole] = std::move(entries_[at]);
            hole = at;
        }
        entries_[hole] = Entry{};
        --size_;
    }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    struct Entry {
        std::uintptr_t key = 0;
        bool used = false;
        Value value{};
    };

    [[nodiscard]] std::size_t mask() const { return entries_.size() - 1; }
    [[nodiscard]] std::size_t home_of(std::uintptr_t key) const {
        return static_cast<std::size_t>(std::uint64_t{key} * 0x9e3779b97f4a7c15U >> 32) & mask();
    }
    Value& insert(std::uintptr_t key) {
        std::size_t at = home_of(key);
        while (entries_[at].used) at = (at + 1) & mask();
        entries_[at].key = key;
        entries_[at].used = true;
        return entries_[at].value;
    }
    void grow() {
        std::vector<Entry> before(2 * entries_.size());
        before.swap(entries_);
        for (Entry& entry : before)
            if (entry.used) insert(entry.key) = std::move(entry.value);
    }

    std::vector<Entry> entries_ = std::vector<Entry>(16);  // a power of two, half of them free
    std::size_t size_ = 0;
};

}  // namespace refrain::proxy

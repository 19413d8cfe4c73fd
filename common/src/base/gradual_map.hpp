#pragma once

#include "base/gradual_vector.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace refrain::base {

/// Mixes the bits of an integer or an enumerator.
template <class Key>
struct MixedHash {
    [[nodiscard]] std::uint64_t operator()(const Key& key) const noexcept {
        const std::uint64_t mixed = static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15U;
        return mixed ^ mixed >> 32;
    }
};

/// A hash map that grows by one bucket per entry, so that no insertion moves all entries. Entries
/// never move, and none is removed.
///
///     5 entries, buckets 0 to 4: bucket 4 was split from bucket 0; bucket 1 is split next
///
/// A key may be inserted again with add(): for tables in which a hash finds candidates.
///
/// Complexity:  find, insert O(1) expected; insert moves the entries of one bucket.
/// Threads:     those of a std::unordered_map.
/// Source:      linear hashing (W. Litwin, 1980).
template <class Key, class Value, class Hash = MixedHash<Key>>
class GradualMap {
  public:
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

    /// The value of a key, or null; if it was added several times, any for which `holds(value)`.
    template <class Holds>
    [[nodiscard]] Value* find_if(const Key& key, const Holds& holds) noexcept {
        if (buckets_.size() == 0) return nullptr;
        for (Entry* entry = buckets_[bucket_of(key)]; entry != nullptr; entry = entry->next)
            if (entry->key == key && holds(entry->value)) return &entry->value;
        return nullptr;
    }
    [[nodiscard]] Value* find(const Key& key) noexcept {
        return find_if(key, [](const Value&) { return true; });
    }
    /// Adds an entry, even if there is one with this key. References stay valid.
    Value& add(const Key& key, Value value) {
        split_one();
        Entry*& bucket = buckets_[bucket_of(key)];
        bucket = &entries_.emplace_back(Entry{bucket, key, std::move(value)});
        return bucket->value;
    }
    /// The value of a key, and whether it was made by this call.
    std::pair<Value&, bool> try_emplace(const Key& key, Value value = {}) {
        if (Value* known = find(key)) return {*known, false};
        return {add(key, std::move(value)), true};
    }
    void swap(GradualMap& other) noexcept {
        entries_.swap(other.entries_);
        buckets_.swap(other.buckets_);
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return entries_.bytes() + buckets_.bytes(); }

  private:
    struct Entry {
        Entry* next;
        Key key;
        Value value;
    };

    /// Buckets from `size - low` to `low` are not split yet, for the largest power of two `low`
    /// that is at most the number of buckets.
    [[nodiscard]] std::size_t bucket_of(const Key& key) const noexcept {
        const std::uint64_t hash = Hash()(key);
        const std::size_t low = std::bit_floor(buckets_.size());
        const std::size_t split = hash & (2 * low - 1);
        return split < buckets_.size() ? split : hash & (low - 1);
    }
    /// Adds a bucket, and moves to it its share of the bucket that it is split from.
    void split_one() {
        const std::size_t made = buckets_.size();
        buckets_.emplace_back(nullptr);
        if (made == 0) return;
        Entry*& from = buckets_[made - std::bit_floor(made)];
        Entry* rest = std::exchange(from, nullptr);
        while (rest != nullptr) {
            Entry* entry = std::exchange(rest, rest->next);
            Entry*& bucket = buckets_[bucket_of(entry->key)];
            entry->next = std::exchange(bucket, entry);
        }
    }

    GradualVector<Entry> entries_;
    GradualVector<Entry*> buckets_;
};

}  // namespace refrain::base

#pragma once

#include "base/hash.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

/// Files of blocks that are damaged and have the right checksums all the same.
namespace refrain::proxy::testing {

inline std::uint64_t word_at(const std::string& file, std::size_t at) {
    std::uint64_t word = 0;
    std::memcpy(&word, file.data() + at, 8);
    return word;
}

/// The checksums of all blocks, as the format has them, over what the blocks hold now. A block that claims more than there is
/// ends with the file.
inline void sign(std::string& file) {
    constexpr std::size_t file_head = 9, block_head = 9, sum_bytes = 8;
    for (std::size_t at = file_head; at + block_head + sum_bytes <= file.size();) {
        const std::uint64_t room = file.size() - at - block_head - sum_bytes;
        const std::uint64_t bytes = std::min(word_at(file, at + 1), room);
        std::memcpy(file.data() + at + 1, &bytes, 8);
        const std::size_t end = at + block_head + static_cast<std::size_t>(bytes);
        base::Hasher hasher(end - at);
        for (std::size_t i = at; i < end; i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, file.data() + i, std::min<std::size_t>(8, end - i));
            hasher.add(word);
        }
        const std::uint64_t sum = hasher.finish().low;
        std::memcpy(file.data() + end, &sum, 8);
        at = end + sum_bytes;
    }
}

}  // namespace refrain::proxy::testing

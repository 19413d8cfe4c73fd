#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace refrain::proxy {

/// How the blocks of computation are written.
///
/// Assembly is the same under each compiler. What portable C becomes depends on compiler and processor, so that its proxies
/// compare what instruction sets make of the same work.
enum class BlockKind : std::uint8_t {
    assembly,  // of x86-64
    portable,  // C99
};
inline constexpr std::array<const char*, 2> block_kind_names = {"assembly", "portable"};

[[nodiscard]] constexpr const char* name_of(BlockKind kind) {
    return block_kind_names[static_cast<std::size_t>(kind)];
}
/// block_kind_named("portable") -> BlockKind::portable; nothing for other words.
[[nodiscard]] inline std::optional<BlockKind> block_kind_named(const std::string& name) {
    for (const BlockKind kind : {BlockKind::assembly, BlockKind::portable})
        if (name == name_of(kind)) return kind;
    return std::nullopt;
}

}  // namespace refrain::proxy

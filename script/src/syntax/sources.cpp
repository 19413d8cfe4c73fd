#include "syntax/sources.hpp"

namespace refrain::script {

std::string_view Sources::line(Position at) const {
    if (at.file >= files_.size() || at.line == 0) return {};
    std::string_view rest = files_[at.file].text;
    for (std::uint32_t i = 1; i < at.line; ++i) {
        const std::size_t end = rest.find('\n');
        if (end == std::string_view::npos) return {};
        rest.remove_prefix(end + 1);
    }
    return rest.substr(0, rest.find('\n'));
}

std::string Sources::text(Position at) const {
    if (at.file >= files_.size() || at.line == 0) return "?";
    std::string all = files_[at.file].name + ":" + std::to_string(at.line);
    if (at.column != 0) all += ":" + std::to_string(at.column);
    return all;
}

}  // namespace refrain::script

#include "syntax/sources.hpp"

namespace refrain::script {

std::uint32_t Sources::add(std::string name, std::string text) {
    std::vector<std::size_t> begins{0};
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\n') begins.push_back(i + 1);
    files_.push_back({std::move(name), std::move(text), std::move(begins)});
    return static_cast<std::uint32_t>(files_.size() - 1);
}

std::string_view Sources::line(Position at) const {
    if (at.file >= files_.size() || at.line == 0) return {};
    const File& file = files_[at.file];
    if (at.line > file.line_begins.size()) return {};
    const std::string_view rest = std::string_view(file.text).substr(file.line_begins[at.line - 1]);
    return rest.substr(0, rest.find('\n'));
}

std::string Sources::text(Position at) const {
    if (at.file >= files_.size() || at.line == 0) return "?";
    std::string all = files_[at.file].name + ":" + std::to_string(at.line);
    if (at.column != 0) all += ":" + std::to_string(at.column);
    return all;
}

}  // namespace refrain::script

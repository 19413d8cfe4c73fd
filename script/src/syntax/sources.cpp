#include "syntax/sources.hpp"

#include <filesystem>

namespace refrain::script {

namespace fs = std::filesystem;

std::uint32_t Sources::add(const std::string& name, std::string text) {
    std::vector<std::size_t> begins{0};
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\n') begins.push_back(i + 1);
    std::error_code gone;
    const std::string from_here =
        fs::path(name).lexically_relative(fs::current_path(gone)).string();
    const bool is_shorter = !from_here.empty() && from_here.size() < name.size();
    files_.push_back({name, is_shorter ? from_here : name, std::move(text), std::move(begins)});
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

std::string Sources::line_text(Position at) const {
    if (at.file >= files_.size() || at.line == 0) return "?";
    return files_[at.file].short_name + ":" + std::to_string(at.line);
}

}  // namespace refrain::script

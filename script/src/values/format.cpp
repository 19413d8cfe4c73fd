#include "values/format.hpp"

#include "values/script_error.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <array>

namespace refrain::script {
namespace {

std::string utf8(std::int64_t code) {
    const auto c = static_cast<std::uint32_t>(code);
    if (c < 0x80) return {static_cast<char>(c)};
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;  // bytes behind the first, of 6 bits each
    std::string text(1, static_cast<char>((0xff00U >> (more + 1)) | (c >> (6 * more))));
    for (int i = more; i-- > 0;) text += static_cast<char>(0x80 | ((c >> (6 * i)) & 63));
    return text;
}

/// Walks over a format, conversion by conversion.
class Formatter {
  public:
    Formatter(std::string_view format, std::span<const Value> values)
        : format_(format), values_(values) {}

    std::string run() {
        while (at_ < format_.size()) {
            if (format_[at_] == '%')
                conversion();
            else
                text_ += format_[at_++];
        }
        return std::move(text_);
    }

  private:
    void conversion() {
        const std::size_t begin = at_++;
        if (at_ < format_.size() && format_[at_] == '%') {
            text_ += format_[at_++];
            return;
        }
        const auto skip = [&](std::string_view letters) {
            while (at_ < format_.size() && letters.find(format_[at_]) != std::string_view::npos)
                ++at_;
        };
        skip("-+ 0#");
        skip("0123456789.");
        const std::string flags(format_.substr(begin, at_ - begin));
        skip("lhq");
        if (at_ == format_.size())
            throw ScriptError("format string ended in the middle of a conversion");
        convert(flags, format_[at_++]);
    }

    void convert(const std::string& flags, char letter) {
        const auto is = [&](std::string_view letters) {
            return letters.find(letter) != letters.npos;
        };
        if (is("di"))
            text_ += printed((of_whole(flags) + "lld").c_str(), whole(letter));
        else if (is("uxXo"))
            text_ += printed((of_whole(flags) + "ll" + letter).c_str(), whole(letter));
        else if (is("eEfgG"))
            text_ += printed((flags + letter).c_str(), number(letter));
        else if (is("c"))
            text_ += in_field(flags.substr(0, flags.find('.')), utf8(whole(letter)));
        else if (is("s"))
            text_ += in_field(flags, text_of(next(letter)));
        else
            throw ScriptError("bad conversion '%", letter, "' in format ", in_quotes(format_));
    }

    static bool has_zeros(const std::string& flags) {
        return flags.substr(0, flags.find_first_of("123456789.")).find('0') != std::string::npos;
    }
    /// As those of C, but zeros stand before digits also in a field that is filled on the right, and 0 has a digit in any precision.
    static std::string of_whole(std::string flags) {
        const std::size_t point = flags.find('.');
        if (point == std::string::npos && has_zeros(flags)) std::erase(flags, '-');
        const bool no_digit = point != std::string::npos && flags.find_last_not_of('0') == point;
        return no_digit ? flags.replace(point, std::string::npos, ".1") : flags;
    }
    /// Widths and precisions count characters, of which each stands for a letter first; zeros fill texts, too.
    static std::string in_field(const std::string& flags, const std::string& text) {
        const std::string letters(static_cast<std::size_t>(character_count(text)), 'x');
        std::string field = printed((flags + "s").c_str(), letters.c_str());
        if (has_zeros(flags)) std::ranges::replace(field, ' ', '0');
        const auto shown = static_cast<std::size_t>(std::ranges::count(field, 'x'));
        return field.replace(std::min(field.find('x'), field.size()), shown,
                             text.substr(0, byte_of(text, static_cast<std::int64_t>(shown))));
    }

    const Value& next(char letter) {
        if (used_ == values_.size())
            throw ScriptError("format ", in_quotes(format_), " has a conversion '%", letter,
                              "' for which there is no argument: it got ", values_.size());
        return values_[used_++];
    }

    long long whole(char letter) {
        const Value& value = next(letter);
        if (value.is<std::int64_t>()) return value.integer();
        if (value.is<bool>()) return value.truth() ? 1 : 0;
        throw ScriptError("expected an integer for '%", letter, "' in format ", in_quotes(format_),
                          ", but got '", text_of(value), "'");
    }

    double number(char letter) {
        const Value& value = next(letter);
        if (value.is<double>() || value.is<std::int64_t>()) return value.floating();
        throw ScriptError("expected a number for '%", letter, "' in format ", in_quotes(format_),
                          ", but got '", text_of(value), "'");
    }

    std::string_view format_;
    std::span<const Value> values_;
    std::size_t at_ = 0;
    std::size_t used_ = 0;
    std::string text_;
};

}  // namespace

std::optional<std::string> local_time(std::time_t seconds, const char* format) {
    std::tm parts{};
    if (localtime_r(&seconds, &parts) == nullptr) return std::nullopt;
    std::array<char, 4096> text{};
    return std::string(text.data(), std::strftime(text.data(), text.size(), format, &parts));
}

std::string format_values(std::string_view format, std::span<const Value> values) {
    return Formatter(format, values).run();
}

}  // namespace refrain::script

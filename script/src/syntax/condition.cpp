#include "syntax/macro.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace refrain::script {
namespace {

/// Thrown and caught here: what is read is no expression.
struct NoExpression {};

class Reader {
  public:
    explicit Reader(const std::vector<MacroWord>& words) {
        // Signs come one by one; those of two stand without a blank.
        for (const MacroWord& each : words) {
            static constexpr std::array<std::string_view, 8> pairs = {
                "&&", "||", "==", "!=", "<=", ">=", "<<", ">>"};
            if (!texts_.empty() && !each.blank_before) {
                const std::string both = texts_.back() + each.text;
                if (std::ranges::find(pairs, both) != pairs.end()) {
                    texts_.back() = both;
                    continue;
                }
            }
            texts_.push_back(each.text);
        }
    }
    std::int64_t all() {
        const std::int64_t value = choice();
        if (at_ != texts_.size()) throw NoExpression{};
        return value;
    }

  private:
    bool take(std::string_view text) {
        if (at_ >= texts_.size() || texts_[at_] != text) return false;
        ++at_;
        return true;
    }
    std::int64_t choice() {
        const std::int64_t condition = binary(0);
        if (!take("?")) return condition;
        const std::int64_t yes = choice();
        if (!take(":")) throw NoExpression{};
        const std::int64_t no = choice();
        return condition != 0 ? yes : no;
    }
    /// Loosest first.
    std::int64_t binary(std::size_t level) {
        static constexpr std::array<std::array<std::string_view, 4>, 10> levels = {
            {{"||"},
             {"&&"},
             {"|"},
             {"^"},
             {"&"},
             {"==", "!="},
             {"<", "<=", ">", ">="},
             {"<<", ">>"},
             {"+", "-"},
             {"*", "/", "%"}}};
        if (level == levels.size()) return unary();
        std::int64_t left = binary(level + 1);
        for (;;) {
            const auto sign = std::ranges::find_if(
                levels[level], [&](std::string_view each) { return !each.empty() && take(each); });
            if (sign == levels[level].end()) return left;
            left = applied(*sign, left, binary(level + 1));
        }
    }
    static std::int64_t applied(std::string_view sign, std::int64_t a, std::int64_t b) {
        const auto unsigned_a = static_cast<std::uint64_t>(a);
        const auto unsigned_b = static_cast<std::uint64_t>(b);
        if (sign == "||") return a != 0 || b != 0;
        if (sign == "&&") return a != 0 && b != 0;
        if (sign == "|") return a | b;
        if (sign == "^") return a ^ b;
        if (sign == "&") return a & b;
        if (sign == "==") return a == b;
        if (sign == "!=") return a != b;
        if (sign == "<") return a < b;
        if (sign == "<=") return a <= b;
        if (sign == ">") return a > b;
        if (sign == ">=") return a >= b;
        if (sign == "<<") return static_cast<std::int64_t>(unsigned_a << (unsigned_b & 63));
        if (sign == ">>") return a >> (unsigned_b & 63);
        if (sign == "+") return static_cast<std::int64_t>(unsigned_a + unsigned_b);
        if (sign == "-") return static_cast<std::int64_t>(unsigned_a - unsigned_b);
        if (sign == "*") return static_cast<std::int64_t>(unsigned_a * unsigned_b);
        // Of a branch that is not taken, too: cpp says so for those that are.
        if (b == 0 || (a == std::numeric_limits<std::int64_t>::min() && b == -1)) return 0;
        return sign == "/" ? a / b : a % b;
    }
    std::int64_t unary() {
        if (take("!")) return unary() == 0 ? 1 : 0;
        if (take("-")) return static_cast<std::int64_t>(-static_cast<std::uint64_t>(unary()));
        if (take("+")) return unary();
        if (take("~")) return ~unary();
        if (take("(")) {
            const std::int64_t value = choice();
            if (!take(")")) throw NoExpression{};
            return value;
        }
        if (at_ == texts_.size()) throw NoExpression{};
        return number(texts_[at_++]);
    }
    static std::int64_t number(const std::string& text) {
        if (MacroWord{text, {}, false, {}}.is_name()) return 0;
        const bool hex = text.starts_with("0x") || text.starts_with("0X");
        const int base = hex ? 16 : text.size() > 1 && text[0] == '0' ? 8 : 10;
        const std::string_view digits = std::string_view(text).substr(hex ? 2 : 0);
        const auto value =
            read_number<std::int64_t>(digits.substr(0, digits.find_last_not_of("uUlL") + 1), base);
        if (!value) throw NoExpression{};
        return *value;
    }

    std::vector<std::string> texts_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<std::int64_t> condition_value(const std::vector<MacroWord>& words) {
    try {
        return Reader(words).all();
    } catch (const NoExpression&) {
        return std::nullopt;
    }
}

}  // namespace refrain::script

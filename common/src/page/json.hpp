#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace refrain::page {

/// Writes JSON as text, value after value.
///
///     JsonWriter json;
///     json.begin_object(); json.key("a").value(1); json.key("b").value("x"); json.end_object();
///     json.text()    -> {"a":1,"b":"x"}
///
/// The text is plain ASCII. It contains no "<", so no "</script>", and is safe inside a page.
class JsonWriter {
  public:
    JsonWriter& begin_object() { return open('{'); }
    JsonWriter& end_object() { return close('}'); }
    JsonWriter& begin_array() { return open('['); }
    JsonWriter& end_array() { return close(']'); }
    JsonWriter& key(std::string_view name);

    JsonWriter& value(std::string_view text);
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(double number);  // NaN and infinity become null
    template <std::integral Number>
    JsonWriter& value(Number number) {
        separate();
        if constexpr (std::same_as<Number, bool>)
            text_ += number ? "true" : "false";
        else
            text_ += std::to_string(number);
        return *this;
    }
    template <class Values>
    JsonWriter& values(const Values& all) {
        begin_array();
        for (const auto& each : all) value(each);
        return end_array();
    }

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::string take() { return std::move(text_); }

  private:
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    void separate();
    void quote(std::string_view text);
    std::size_t escape(std::string_view text);

    std::string text_;
    bool first_ = true;  // the next value is the first of its array or object
};

}  // namespace refrain::page

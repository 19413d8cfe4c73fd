#include "memo/packed_value.hpp"

#include "values/script_error.hpp"

#include <cstring>

namespace refrain::script {
namespace {

enum class Tag : std::uint8_t {
    none,
    integer,
    floating,
    truth,
    text,
    nothing,
    file,
    blob,
    table,
    reference
};

[[noreturn]] void damaged() {
    throw ScriptError("a record is damaged");
}

}  // namespace

void Packer::number(std::uint64_t value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void Packer::text(std::string_view value) {
    number(value.size());
    bytes_ += value;
}
void Packer::value(const Value& value) {
    const auto tag = [&](Tag is) { bytes_ += static_cast<char>(is); };
    if (value.empty()) return tag(Tag::none);
    if (value.is<std::int64_t>()) {
        tag(Tag::integer);
        number(static_cast<std::uint64_t>(value.integer()));
    } else if (value.is<double>()) {
        tag(Tag::floating);
        std::uint64_t bits = 0;
        const double is = value.get<double>();
        std::memcpy(&bits, &is, sizeof bits);
        number(bits);
    } else if (value.is<bool>()) {
        tag(Tag::truth);
        bytes_ += value.truth() ? '\1' : '\0';
    } else if (value.is<std::string>()) {
        tag(Tag::text);
        text(value.string());
    } else if (value.is<Void>()) {
        tag(Tag::nothing);
    } else if (value.is<Value::File>()) {
        tag(Tag::file);
        text(value.path());
    } else if (value.is<Blob>()) {
        tag(Tag::blob);
        text(*value.get<Blob>().bytes);
    } else if (value.is<Value::TablePointer>()) {
        tag(Tag::table);
        number(value.entries().size());
        for (const auto& [key, element] : value.entries()) {
            this->value(key);
            this->value(element);
        }
    } else if (references_ == References::taken) {
        tag(Tag::reference);
        number(value.id().owner);
        number(value.id().number);
    } else {
        throw ScriptError("a reference cannot be kept");
    }
}

std::string_view Unpacker::take(std::size_t count) {
    if (count > bytes_.size()) damaged();
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
}
std::uint64_t Unpacker::number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
}
std::string Unpacker::text() {
    const std::uint64_t size = number();
    return std::string(take(size));
}
Value Unpacker::value() {
    switch (static_cast<Tag>(take(1)[0])) {
        case Tag::none:
            return {};
        case Tag::integer:
            return Value(static_cast<std::int64_t>(number()));
        case Tag::floating: {
            const std::uint64_t bits = number();
            double is = 0;
            std::memcpy(&is, &bits, sizeof is);
            return Value(is);
        }
        case Tag::truth:
            return Value::boolean(take(1)[0] != '\0');
        case Tag::text:
            return Value(text());
        case Tag::nothing:
            return Value(Void{});
        case Tag::file:
            return Value::file(text());
        case Tag::blob:
            return Value(Blob{std::make_shared<const std::string>(text())});
        case Tag::reference: {
            const std::uint64_t owner = number();
            return Value(DatumId{static_cast<std::uint32_t>(owner), number()});
        }
        case Tag::table: {
            constexpr int depth_max = 64;
            if (++depth_ > depth_max) damaged();
            Table table;
            for (std::uint64_t left = number(); left != 0; --left) {
                Value key = value();
                table.emplace(std::move(key), value());
            }
            --depth_;
            return Value::table(std::move(table));
        }
    }
    damaged();
}

}  // namespace refrain::script

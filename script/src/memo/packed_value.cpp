#include "memo/packed_value.hpp"

#include "values/script_error.hpp"

#include <cstring>

namespace refrain::script {

void Packer::transfer(std::uint64_t is) {
    bytes_.append(reinterpret_cast<const char*>(&is), sizeof is);
}
void Packer::transfer(const std::string& is) {
    transfer(is.size());
    bytes_ += is;
}
void Packer::transfer(const Value& value) {
    bytes_ += static_cast<char>(value.index());
    value.visit([&](const auto& is) {
        using Is = std::decay_t<decltype(is)>;
        if constexpr (std::is_same_v<Is, std::int64_t> || std::is_same_v<Is, bool>) {
            transfer(static_cast<std::uint64_t>(is));
        } else if constexpr (std::is_same_v<Is, double>) {
            transfer(std::bit_cast<std::uint64_t>(is));
        } else if constexpr (std::is_same_v<Is, std::string>) {
            transfer(is);
        } else if constexpr (std::is_same_v<Is, Value::File>) {
            transfer(is->path());
        } else if constexpr (std::is_same_v<Is, Blob>) {
            transfer(*is.bytes);
        } else if constexpr (std::is_same_v<Is, Value::TablePointer>) {
            transfer(is->size());
            for (const auto& [key, element] : *is) {
                transfer(key);
                transfer(element);
            }
        } else if constexpr (std::is_same_v<Is, DatumId>) {
            if (references_ == References::refused) throw ScriptError("a reference cannot be kept");
            transfer(is.owner);
            transfer(is.number);
        }
    });
}

void Unpacker::refuse() const {
    throw ScriptError("a record is damaged at its byte ", size_ - bytes_.size());
}

std::string_view Unpacker::take(std::size_t count) {
    if (count > bytes_.size()) refuse();
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
    const auto kind = static_cast<std::uint8_t>(take(1)[0]);
    if (kind == 0) return {};
    if (kind == Value::index_of<std::int64_t>()) return static_cast<std::int64_t>(number());
    if (kind == Value::index_of<double>()) return std::bit_cast<double>(number());
    if (kind == Value::index_of<bool>()) return Value::boolean(number() != 0);
    if (kind == Value::index_of<std::string>()) return text();
    if (kind == Value::index_of<Void>()) return Void{};
    if (kind == Value::index_of<Value::File>()) return Value::file(text());
    if (kind == Value::index_of<Blob>()) return Blob{std::make_shared<const std::string>(text())};
    if (kind == Value::index_of<DatumId>()) {
        const std::uint64_t owner = number();
        return DatumId{static_cast<std::uint32_t>(owner), number()};
    }
    constexpr int depth_max = 64;
    if (kind != Value::index_of<Value::TablePointer>() || ++depth_ > depth_max) refuse();
    Table table;
    for (std::uint64_t left = number(); left != 0; --left) {
        Value key = value();
        table.emplace(std::move(key), value());
    }
    --depth_;
    return Value::table(std::move(table));
}

}  // namespace refrain::script

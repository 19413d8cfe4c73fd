#pragma once

#include "base/fields.hpp"
#include "values/value.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace refrain::script {

/// Writes numbers, texts and values as bytes, in the order of the machine.
class Packer {
  public:
    enum class References : bool { refused, taken };
    explicit Packer(References references = References::refused) : references_(references) {}

    void transfer(std::uint64_t is);
    void transfer_count(std::uint64_t is) { transfer(is); }
    void transfer(const std::string& is);
    /// Files by their names only. Errors: ScriptError for the id of a datum, unless ids are taken.
    void transfer(const Value& value);
    static void refuse() { std::abort(); }  // what is in memory is whole
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
    References references_;
};

/// Reads what a Packer wrote. Errors: ScriptError if the bytes end too early or are none of a Packer's.
class Unpacker {
  public:
    explicit Unpacker(std::string_view bytes) : bytes_(bytes), size_(bytes.size()) {}
    [[nodiscard]] std::uint64_t number();
    [[nodiscard]] std::string text();
    [[nodiscard]] Value value();
    void transfer(std::uint64_t& is) { is = number(); }
    /// Of parts that follow, each of at least a byte: a damaged count must not take all memory.
    void transfer_count(std::uint64_t& is) {
        if ((is = number()) > bytes_.size()) refuse();
    }
    void transfer(std::string& is) { is = text(); }
    void transfer(Value& is) { is = value(); }

    /// Throws; says how many bytes had been read.
    [[noreturn]] void refuse() const;

  private:
    [[nodiscard]] std::string_view take(std::size_t count);
    std::string_view bytes_;
    std::size_t size_;
    int depth_ = 0;
};

/// Both directions are one: the fields in order, given to a Packer or an Unpacker.
namespace packing {

template <class Archive, class T>
void transfer(Archive& archive, T& is);

/// All fields of a struct without constructors.
template <class Archive, class T>
void transfer_fields(Archive& archive, T& is) {
    base::with_fields(is, [&](auto&... each) { (transfer(archive, each), ...); });
}

template <class Archive, class T>
void transfer_fields(Archive& archive, std::vector<T>& is) {
    std::uint64_t size = is.size();
    archive.transfer_count(size);
    is.resize(size);
    for (auto& each : is) transfer(archive, each);
}
template <class Archive, class T, std::size_t N>
void transfer_fields(Archive& archive, std::array<T, N>& is) {
    for (auto& each : is) transfer(archive, each);
}
template <class Archive, class A, class B>
void transfer_fields(Archive& archive, std::pair<A, B>& is) {
    transfer(archive, is.first);
    transfer(archive, is.second);
}
template <class Archive, class T>
void transfer_fields(Archive& archive, std::shared_ptr<const T>& is) {
    bool there = is != nullptr;
    transfer(archive, there);
    if (!there) return;
    T held = is == nullptr ? T{} : *is;
    transfer(archive, held);
    is = std::make_shared<const T>(std::move(held));
}
template <class Archive, class T>
void transfer_fields(Archive& archive, std::optional<T>& is) {
    bool there = is.has_value();
    transfer(archive, there);
    if (there && !is) is = T{};
    if (there) transfer(archive, *is);
}
template <class Archive, class... Kinds>
void transfer_fields(Archive& archive, std::variant<Kinds...>& is) {
    std::size_t index = is.index();
    transfer(archive, index);
    if (index >= sizeof...(Kinds)) archive.refuse();
    std::size_t kind = 0;
    if (index != is.index())
        ((kind++ == index ? static_cast<void>(is.template emplace<Kinds>()) : static_cast<void>(0)),
         ...);
    std::visit([&](auto& each) { transfer(archive, each); }, is);
}

template <class Archive, class T>
void transfer(Archive& archive, T& is) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
        auto number = static_cast<std::uint64_t>(is);
        archive.transfer(number);
        if constexpr (requires { enum_count(is); })
            if (number >= enum_count(is)) archive.refuse();
        is = static_cast<T>(number);
    } else if constexpr (std::is_same_v<T, double>) {
        auto bits = std::bit_cast<std::uint64_t>(is);
        archive.transfer(bits);
        is = std::bit_cast<double>(bits);
    } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, Value>) {
        archive.transfer(is);
    } else {
        transfer_fields(archive, is);
    }
}

}  // namespace packing

/// A struct as bytes: all its fields in order, those of structs, vectors, pairs, variants and the like in it, too.
/// Errors: as of Packer::value.
template <class T>
[[nodiscard]] std::string packed(T is, Packer::References references = Packer::References::taken) {
    Packer packer(references);
    packing::transfer(packer, is);
    return packer.bytes();
}
/// The inverse; what follows in the bytes is left alone. Errors: ScriptError if the bytes are none of packed().
template <class T>
[[nodiscard]] T unpacked(std::string_view bytes) {
    Unpacker unpacker(bytes);
    T is;
    packing::transfer(unpacker, is);
    return is;
}

}  // namespace refrain::script

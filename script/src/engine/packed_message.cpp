#include "engine/packed_message.hpp"

#include "engine/causal_order.hpp"
#include "values/script_error.hpp"

#include <array>
#include <bit>
#include <cstdlib>
#include <optional>
#include <type_traits>

#include "memo/packed_value.hpp"

namespace refrain::script::engine {
namespace {

/// Both directions are one: transfer() gives an archive the fields in order.
class WritingArchive {
  public:
    void number(std::uint64_t& value) { packer_.number(value); }
    void text(std::string& value) { packer_.text(value); }
    void value(Value& value) { packer_.value(value); }
    [[nodiscard]] const std::string& bytes() const { return packer_.bytes(); }

  private:
    Packer packer_{Packer::References::taken};
};
class ReadingArchive {
  public:
    explicit ReadingArchive(std::string_view bytes) : unpacker_(bytes) {}
    void number(std::uint64_t& value) { value = unpacker_.number(); }
    void text(std::string& value) { value = unpacker_.text(); }
    void value(Value& value) { value = unpacker_.value(); }

  private:
    Unpacker unpacker_;
};

template <class Archive, class T>
void transfer(Archive& archive, T& is);

/// Becomes a field of any type, to find out how many a struct has.
struct AnyField {
    template <class T>
    operator T() const {  // NOLINT(google-explicit-constructor)
        std::abort();     // only its type is used
    }
};
template <class T, class... Fields>
consteval std::size_t field_count(Fields... fields) {
    if constexpr (requires { T{Fields{}..., AnyField{}}; })
        return field_count<T>(fields..., AnyField{});
    else
        return sizeof...(Fields);
}
/// All fields of a struct without constructors, in order: none can be forgotten.
template <class Archive, class T>
void transfer_fields(Archive& archive, T& is) {
    constexpr std::size_t count = field_count<T>();
    static_assert(std::is_aggregate_v<T> && count <= 10, "write a line more for larger structs");
    const auto all = [&](auto&... each) { (transfer(archive, each), ...); };
    // clang-format off
    if constexpr (count == 1) { auto& [a] = is; all(a); }
    if constexpr (count == 2) { auto& [a, b] = is; all(a, b); }
    if constexpr (count == 3) { auto& [a, b, c] = is; all(a, b, c); }
    if constexpr (count == 4) { auto& [a, b, c, d] = is; all(a, b, c, d); }
    if constexpr (count == 5) { auto& [a, b, c, d, e] = is; all(a, b, c, d, e); }
    if constexpr (count == 6) { auto& [a, b, c, d, e, f] = is; all(a, b, c, d, e, f); }
    if constexpr (count == 7) { auto& [a, b, c, d, e, f, g] = is; all(a, b, c, d, e, f, g); }
    if constexpr (count == 8) { auto& [a, b, c, d, e, f, g, h] = is; all(a, b, c, d, e, f, g, h); }
    if constexpr (count == 9) { auto& [a, b, c, d, e, f, g, h, i] = is; all(a, b, c, d, e, f, g, h, i); }
    if constexpr (count == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = is; all(a, b, c, d, e, f, g, h, i, j); }
    // clang-format on
}

template <class Archive, class T>
void transfer_fields(Archive& archive, std::vector<T>& is) {
    std::uint64_t size = is.size();
    archive.number(size);
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
template <class Archive>
void transfer_fields(Archive& archive, FailurePointer& is) {
    bool there = is != nullptr;
    transfer(archive, there);
    if (!there) return;
    Failure failure = is == nullptr ? Failure{} : *is;
    transfer(archive, failure);
    is = std::make_shared<const Failure>(std::move(failure));
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
    if (index >= sizeof...(Kinds)) throw ScriptError("a message is damaged");
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
        archive.number(number);
        is = static_cast<T>(number);
    } else if constexpr (std::is_same_v<T, double>) {
        auto bits = std::bit_cast<std::uint64_t>(is);
        archive.number(bits);
        is = std::bit_cast<double>(bits);
    } else if constexpr (std::is_same_v<T, std::string>) {
        archive.text(is);
    } else if constexpr (std::is_same_v<T, Value>) {
        archive.value(is);
    } else {
        transfer_fields(archive, is);
    }
}

}  // namespace

template <class T>
std::string packed(T is) {
    WritingArchive archive;
    transfer(archive, is);
    return archive.bytes();
}
template <class T>
T unpacked(std::string_view bytes) {
    ReadingArchive archive(bytes);
    T is;
    transfer(archive, is);
    return is;
}

template std::string packed(Message);
template std::string packed(std::vector<Message>);
template std::string packed(RankReport);
template std::string packed(CallRequest);
template std::string packed(CallOutcome);
template std::string packed(CausalOrder::Parcel);
template std::string packed(std::vector<DatumId>);
template std::string packed(Descriptions);
template Message unpacked(std::string_view);
template std::vector<Message> unpacked(std::string_view);
template RankReport unpacked(std::string_view);
template CallRequest unpacked(std::string_view);
template CallOutcome unpacked(std::string_view);
template CausalOrder::Parcel unpacked(std::string_view);
template std::vector<DatumId> unpacked(std::string_view);
template Descriptions unpacked(std::string_view);

}  // namespace refrain::script::engine

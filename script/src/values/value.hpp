#pragma once

#include <atomic>
#include <bit>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace refrain::script {

/// Names a datum of the store: the rank that owns it, and its number there. Prints as d2.17.
struct DatumId {
    std::uint32_t owner = 0;
    std::uint64_t number = 0;

    /// Stands for an input of a task that waits on the rank, instead of a datum: what is assigned is delivered there.
    [[nodiscard]] static DatumId of_input(std::uint32_t rank, std::uint64_t task,
                                          std::uint32_t input) {
        return {rank, input_mark | (task << input_bits) | input};
    }
    static constexpr std::uint32_t inputs_max = 256;
    [[nodiscard]] bool is_input() const { return (number & input_mark) != 0; }
    [[nodiscard]] std::uint64_t task() const { return (number & ~input_mark) >> input_bits; }
    [[nodiscard]] std::uint32_t input() const {
        return static_cast<std::uint32_t>(number % inputs_max);
    }

    friend auto operator<=>(const DatumId&, const DatumId&) = default;
    [[nodiscard]] std::string text() const {
        return "d" + std::to_string(owner) + "." + std::to_string(number);
    }

  private:
    static constexpr std::uint64_t input_mark = std::uint64_t{1} << 63;
    static constexpr int input_bits = 8;
};

/// A file, or a folder with all that is in it; a temporary one is deleted with its last reference.
class FileHandle {
  public:
    FileHandle(std::string path, bool temporary) : path_(std::move(path)), temporary_(temporary) {
        if (temporary_ && kept_temporaries != nullptr) kept_temporaries->push_back(path_);
    }
    FileHandle(const FileHandle&) = delete;
    FileHandle& operator=(const FileHandle&) = delete;
    ~FileHandle();
    static void remove(const std::string& path) noexcept;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] bool is_temporary() const { return temporary_; }

    /// Set in a process whose values other processes hold, too: temporary files are noted there, and not deleted.
    inline static std::vector<std::string>* kept_temporaries = nullptr;

  private:
    std::string path_;
    bool temporary_;
};

struct Void {
    friend auto operator<=>(Void, Void) = default;
};
struct Blob {
    std::shared_ptr<const std::string> bytes;
};

class Value;
using Table =
    std::map<Value, Value>;  // of an array, by key; of a bag, by number; of a struct, by field

/// A value of any type but type variables and alternatives; empty where there is none yet.
///
/// Copies are cheap: texts, files, blobs and tables are shared and do not change. 16 bytes; numbers and ids lie in them.
class Value {
  public:
    using File = std::shared_ptr<const FileHandle>;
    using TablePointer = std::shared_ptr<const Table>;
    /// All that it holds, in the order of index().
    using Kinds = std::variant<std::monostate, std::int64_t, double, bool, std::string, Void,
                               DatumId, File, Blob, TablePointer>;
    /// Of a type, or 0.
    template <class T, std::size_t I = 1>
    static consteval std::uint8_t index_of() {
        if constexpr (I == std::variant_size_v<Kinds>)
            return 0;
        else
            return std::is_same_v<T, std::variant_alternative_t<I, Kinds>> ? I
                                                                           : index_of<T, I + 1>();
    }
    template <class T>
    using Held = std::conditional_t<std::is_trivially_copyable_v<T>, T, const T&>;

    Value() = default;
    template <class T>
    requires(!std::is_same_v<T, bool> && index_of<T>() != 0) Value(T value)
        : kind_(index_of<T>()) {  // NOLINT(google-explicit-constructor)
        if constexpr (std::is_same_v<T, DatumId>) {
            owner_ = value.owner;
            bits_ = value.number;
        } else if constexpr (std::is_arithmetic_v<T>) {
            bits_ = std::bit_cast<std::uint64_t>(value);
        } else if constexpr (!std::is_same_v<T, Void>) {
            Shared* const made = new SharedOf<T>(std::move(value));
            bits_ = std::bit_cast<std::uint64_t>(made);
        }
    }
    Value(const char* value) : Value(std::string(value)) {}  // NOLINT(google-explicit-constructor)
    Value(const Value& from) : kind_(from.kind_), owner_(from.owner_), bits_(from.bits_) {
        // Relaxed: who copies holds a use already.
        if (is_shared()) shared()->uses.fetch_add(1, std::memory_order_relaxed);
    }
    Value(Value&& from) noexcept
        : kind_(std::exchange(from.kind_, 0)), owner_(from.owner_), bits_(from.bits_) {}
    Value& operator=(const Value& from) { return *this = Value(from); }
    Value& operator=(Value&& from) noexcept {
        std::swap(kind_, from.kind_);
        std::swap(owner_, from.owner_);
        std::swap(bits_, from.bits_);
        return *this;
    }
    ~Value() {
        if (is_shared()) release();
    }
    [[nodiscard]] static Value boolean(bool value) {
        Value made;
        made.kind_ = 3;
        made.bits_ = value ? 1 : 0;
        return made;
    }
    [[nodiscard]] static Value table(Table entries);
    [[nodiscard]] static Value file(std::string path, bool temporary = false);

    [[nodiscard]] bool empty() const { return kind_ == 0; }
    template <class T>
    [[nodiscard]] bool is() const {
        return kind_ == index_of<T>();
    }
    /// Errors: std::bad_variant_access if it holds something else.
    template <class T>
    [[nodiscard]] Held<T> get() const {
        if (!is<T>()) [[unlikely]]
            throw std::bad_variant_access();
        return held<T>();
    }
    /// Which kind of value it is, as a number from 0 on.
    [[nodiscard]] std::size_t index() const { return kind_; }
    template <class Visit>
    void visit(Visit of_kind) const {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((kind_ == I + 1 ? of_kind(held<std::variant_alternative_t<I + 1, Kinds>>()) : void()),
             ...);
        }
        (std::make_index_sequence<std::variant_size_v<Kinds> - 1>());
    }
    [[nodiscard]] std::int64_t integer() const { return get<std::int64_t>(); }
    /// Of an int, too.
    [[nodiscard]] double floating() const {
        return is<double>() ? held<double>() : static_cast<double>(integer());
    }
    /// Of an int, too: not 0.
    [[nodiscard]] bool truth() const { return is<bool>() ? held<bool>() : integer() != 0; }
    [[nodiscard]] const std::string& string() const { return get<std::string>(); }
    [[nodiscard]] const Table& entries() const { return *get<TablePointer>(); }
    [[nodiscard]] const std::string& path() const { return get<File>()->path(); }
    [[nodiscard]] DatumId id() const { return get<DatumId>(); }
    /// Of one that is not empty.
    [[nodiscard]] std::size_t hash() const;

    /// Total order of keys; files, blobs and tables compare by what they hold.
    friend bool operator<(const Value& a, const Value& b) {
        return a.kind_ == 1 && b.kind_ == 1 ? a.held<std::int64_t>() < b.held<std::int64_t>()
                                            : is_less(a, b);
    }
    friend bool operator==(const Value& a, const Value& b) {
        return a.kind_ == 1 && b.kind_ == 1 ? a.bits_ == b.bits_ : !(a < b) && !(b < a);
    }

  private:
    struct Shared {
        std::atomic<std::uint32_t> uses{1};
    };
    template <class T>
    struct SharedOf : Shared {
        explicit SharedOf(T is) : held(std::move(is)) {}
        T held;
    };
    template <class T>
    [[nodiscard]] Held<T> held() const {
        if constexpr (std::is_same_v<T, bool>)
            return bits_ != 0;
        else if constexpr (std::is_arithmetic_v<T>)
            return std::bit_cast<T>(bits_);
        else if constexpr (std::is_same_v<T, Void>)
            return Void{};
        else if constexpr (std::is_same_v<T, DatumId>)
            return DatumId{owner_, bits_};
        else
            return static_cast<const SharedOf<T>*>(shared())->held;
    }
    [[nodiscard]] bool is_shared() const { return kind_ > 6 || kind_ == 4; }
    [[nodiscard]] Shared* shared() const { return std::bit_cast<Shared*>(bits_); }
    void release() const;
    [[nodiscard]] static bool is_less(const Value& a, const Value& b);

    std::uint8_t kind_ = 0;
    std::uint32_t owner_ = 0;  // of a datum
    std::uint64_t bits_ = 0;   // the number, or where it is
};
static_assert(sizeof(Value) == 16, "a value is copied as two words");

struct HashOfValue {
    std::size_t operator()(const Value& value) const { return value.hash(); }
};

}  // namespace refrain::script

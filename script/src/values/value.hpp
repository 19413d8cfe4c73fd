#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
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

/// A file; a temporary one is deleted with its last reference.
class FileHandle {
  public:
    FileHandle(std::string path, bool temporary) : path_(std::move(path)), temporary_(temporary) {
        if (temporary_ && kept_temporaries != nullptr) kept_temporaries->push_back(path_);
    }
    FileHandle(const FileHandle&) = delete;
    FileHandle& operator=(const FileHandle&) = delete;
    ~FileHandle();

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
/// Copies are cheap but for strings: files, blobs and tables are shared and do not change.
class Value {
  public:
    using File = std::shared_ptr<const FileHandle>;
    using TablePointer = std::shared_ptr<const Table>;

    Value() = default;
    Value(std::int64_t value) : data_(value) {}              // NOLINT(google-explicit-constructor)
    Value(double value) : data_(value) {}                    // NOLINT(google-explicit-constructor)
    Value(std::string value) : data_(std::move(value)) {}    // NOLINT(google-explicit-constructor)
    Value(const char* value) : data_(std::string(value)) {}  // NOLINT(google-explicit-constructor)
    Value(DatumId id) : data_(id) {}                         // NOLINT(google-explicit-constructor)
    Value(File file) : data_(std::move(file)) {}             // NOLINT(google-explicit-constructor)
    Value(Blob blob) : data_(std::move(blob)) {}             // NOLINT(google-explicit-constructor)
    Value(Void) : data_(Void{}) {}                           // NOLINT(google-explicit-constructor)
    Value(TablePointer table) : data_(std::move(table)) {}   // NOLINT(google-explicit-constructor)
    [[nodiscard]] static Value boolean(bool value) {
        Value made;
        made.data_ = value;
        return made;
    }
    [[nodiscard]] static Value table(Table entries);
    [[nodiscard]] static Value file(std::string path, bool temporary = false);

    [[nodiscard]] bool empty() const { return data_.index() == 0; }
    template <class T>
    [[nodiscard]] bool is() const {
        return std::holds_alternative<T>(data_);
    }
    template <class T>
    [[nodiscard]] const T& get() const {
        return std::get<T>(data_);
    }
    /// Which kind of value it is, as a number from 0 on.
    [[nodiscard]] std::size_t index() const { return data_.index(); }
    template <class Visit>
    decltype(auto) visit(Visit of_kind) const {
        return std::visit(of_kind, data_);
    }
    [[nodiscard]] std::int64_t integer() const { return get<std::int64_t>(); }
    /// Of an int, too.
    [[nodiscard]] double floating() const {
        return is<double>() ? get<double>() : static_cast<double>(integer());
    }
    /// Of an int, too: not 0.
    [[nodiscard]] bool truth() const { return is<bool>() ? get<bool>() : integer() != 0; }
    [[nodiscard]] const std::string& string() const { return get<std::string>(); }
    [[nodiscard]] const Table& entries() const { return *get<TablePointer>(); }
    [[nodiscard]] const std::string& path() const { return get<File>()->path(); }
    [[nodiscard]] DatumId id() const { return get<DatumId>(); }

    /// Total order of keys; files, blobs and tables compare by what they hold.
    friend bool operator<(const Value& a, const Value& b) {
        const auto* left = std::get_if<std::int64_t>(&a.data_);  // most keys are ints
        const auto* right = std::get_if<std::int64_t>(&b.data_);
        return left != nullptr && right != nullptr ? *left < *right : is_less(a, b);
    }
    friend bool operator==(const Value& a, const Value& b) { return !(a < b) && !(b < a); }

  private:
    [[nodiscard]] static bool is_less(const Value& a, const Value& b);

    std::variant<std::monostate, std::int64_t, double, bool, std::string, Void, DatumId, File, Blob,
                 TablePointer>
        data_;
};

}  // namespace refrain::script

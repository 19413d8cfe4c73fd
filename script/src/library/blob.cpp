/// `import blob;` and `import matrix;`. Floats and ints in blobs have 64 bits each, in this machine's order.

#include "library/modules.hpp"

#include <cstring>
#include <memory>

namespace refrain::script::blob_module {
namespace {

Value blob_of(std::string bytes) {
    return Blob{std::make_shared<const std::string>(std::move(bytes))};
}
const std::string& bytes_of(const Value& value) {
    return *value.get<Blob>().bytes;
}

/// Up to a zero, as functions of C end their strings.
Value to_string(In in, Services&) {
    const std::string& bytes = bytes_of(in[0]);
    return bytes.substr(0, bytes.find('\0'));
}
template <class Number>
Value from_numbers(In in, Services&) {
    std::string bytes;
    for (const auto& [key, each] : in[0].entries()) {
        Number number{};
        if constexpr (std::is_same_v<Number, double>)
            number = each.floating();
        else
            number = each.integer();
        bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
    return blob_of(std::move(bytes));
}
template <class Number>
Number number_at(const std::string& bytes, std::size_t index) {
    Number number{};
    std::memcpy(&number, bytes.data() + index * sizeof number, sizeof number);
    return number;
}
std::size_t count_of(const std::string& bytes) {
    if (bytes.size() % 8 != 0)
        throw ScriptError("a blob of ", bytes.size(),
                          " bytes does not hold numbers of 8 bytes each");
    return bytes.size() / 8;
}
template <class Number>
Value to_numbers(In in, Services&) {
    const std::string& bytes = bytes_of(in[0]);
    Table table;
    for (std::size_t i = 0; i < count_of(bytes); ++i)
        table.emplace(static_cast<std::int64_t>(i), number_at<Number>(bytes, i));
    return Value::table(std::move(table));
}
Value zeroes(In in, Services&) {
    if (in[0].integer() < 0) throw ScriptError("a blob of fewer than no numbers");
    if (static_cast<std::size_t>(in[0].integer()) > std::string().max_size() / sizeof(double))
        throw ScriptError("a blob of ", in[0].integer(), " numbers is too large");
    return blob_of(std::string(static_cast<std::size_t>(in[0].integer()) * sizeof(double), '\0'));
}

constexpr Builtin blobs[] = {
    {"(int o) blob_size(blob b)",
     of([](const Value& b) { return static_cast<std::int64_t>(bytes_of(b).size()); })},
    {"(blob o) blob_null()", of([] { return blob_of({}); })},
    {"(blob o) blob_from_string(string s)", of([](const std::string& s) { return blob_of(s); })},
    {"(string o) string_from_blob(blob b)", to_string},
    {"(blob o) blob_from_floats(float f[])", from_numbers<double>},
    {"(blob o) blob_from_ints(int i[])", from_numbers<std::int64_t>},
    {"(float f[]) floats_from_blob(blob b)", to_numbers<double>},
    {"(int i[]) ints_from_blob(blob b)", to_numbers<std::int64_t>},
    {"(blob o) blob_zeroes_float(int n)", zeroes},
    {"(blob o) blob_read(file f)",
     of([](const Value& f) { return blob_of(file_content(f.path())); }), false, true},
    {"(file f) blob_write(blob b)",
     of([](const Value& b, Services& run) { return new_file_with(bytes_of(b), run); }), false,
     true},
};

// ---- matrices

/// Column by column, as Fortran stores them.
Value matrix(In in, Services&) {
    const std::string& bytes = bytes_of(in[0]);
    const std::int64_t rows = in[1].integer();
    const std::int64_t columns = in[2].integer();
    const auto count = static_cast<std::int64_t>(count_of(bytes));
    const bool fits =
        rows == 0 || columns == 0 ? count == 0 : count % rows == 0 && count / rows == columns;
    if (rows < 0 || columns < 0 || !fits)
        throw ScriptError("a blob of ", count_of(bytes), " floats is no matrix of ", rows,
                          " rows and ", columns, " columns");
    Table all;
    for (std::int64_t i = 0; i < rows; ++i) {
        Table row;
        for (std::int64_t j = 0; j < columns; ++j)
            row.emplace(j, number_at<double>(bytes, static_cast<std::size_t>(j * rows + i)));
        all.emplace(i, Value::table(std::move(row)));
    }
    return Value::table(std::move(all));
}

constexpr Builtin matrices[] = {
    {"(float A[][]) matrix_from_blob_fortran(blob b, int m, int n)", matrix},
};

}  // namespace
}  // namespace refrain::script::blob_module

const refrain::script::Builtins refrain::script::blob_functions = blob_module::blobs;
const refrain::script::Builtins refrain::script::matrix_functions = blob_module::matrices;

#include "values/value.hpp"

#include <filesystem>

namespace refrain::script {

void FileHandle::remove(const std::string& path) noexcept {
    std::error_code ignored;  // it may be a folder, or gone
    std::filesystem::remove_all(path, ignored);
}

FileHandle::~FileHandle() {
    if (temporary_ && kept_temporaries == nullptr) remove(path_);
}

Value Value::table(Table entries) {
    return {std::make_shared<const Table>(std::move(entries))};
}

Value Value::file(std::string path, bool temporary) {
    return {std::make_shared<const FileHandle>(std::move(path), temporary)};
}

void Value::release() const {
    // Releases what this copy has read; the last one acquires what the others have.
    if (shared()->uses.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    visit([this]<class T>(const T&) {
        if constexpr (!std::is_trivially_copyable_v<T>) delete static_cast<SharedOf<T>*>(shared());
    });
}

std::size_t Value::hash() const {
    if (is<std::string>()) return std::hash<std::string>()(string());
    if (is<double>()) return std::hash<double>()(floating());  // of both zeros
    return (bits_ ^ owner_) * 0x9e3779b97f4a7c15U >> 20U;
}

bool Value::is_less(const Value& a, const Value& b) {
    if (a.kind_ != b.kind_) return a.kind_ < b.kind_;
    bool less = false;
    a.visit([&]<class T>(const T& left) {
        const auto& right = b.held<T>();
        if constexpr (std::is_same_v<T, Value::File>)
            less = left->path() < right->path();
        else if constexpr (std::is_same_v<T, Blob>)
            less = *left.bytes < *right.bytes;
        else if constexpr (std::is_same_v<T, Value::TablePointer>)
            less = *left < *right;
        else
            less = left < right;
    });
    return less;
}

}  // namespace refrain::script

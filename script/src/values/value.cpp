#include "values/value.hpp"

#include <cstdio>

namespace refrain::script {

FileHandle::~FileHandle() {
    if (temporary_ && kept_temporaries == nullptr) std::remove(path_.c_str());
}

Value Value::table(Table entries) {
    return {std::make_shared<const Table>(std::move(entries))};
}

Value Value::file(std::string path, bool temporary) {
    return {std::make_shared<const FileHandle>(std::move(path), temporary)};
}

bool Value::is_less(const Value& a, const Value& b) {
    if (a.data_.index() != b.data_.index()) return a.data_.index() < b.data_.index();
    return std::visit(
        [&](const auto& left) {
            using Held = std::decay_t<decltype(left)>;
            const auto& right = std::get<Held>(b.data_);
            if constexpr (std::is_same_v<Held, Value::File>)
                return left->path() < right->path();
            else if constexpr (std::is_same_v<Held, Blob>)
                return *left.bytes < *right.bytes;
            else if constexpr (std::is_same_v<Held, Value::TablePointer>)
                return *left < *right;
            else
                return left < right;
        },
        a.data_);
}

}  // namespace refrain::script

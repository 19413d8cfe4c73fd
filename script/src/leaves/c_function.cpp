#include "leaves/c_function.hpp"

#include "base/assertion.hpp"
#include "refrain/script/c_buffer.h"
#include "values/script_error.hpp"

#include <cstring>
#include <ffi.h>

namespace refrain::script {
namespace {

/// A parameter, or an element of an array.
union Word {
    std::int64_t integer;
    double floating;
    bool truth;
    const void* pointer;
};
static_assert(sizeof(Word) == 8, "arrays of them are those of C");
/// What is returned, or what a pointer leads to.
union Output {
    refrain_buffer buffer{};
    Word word;
};

bool has_length(const Type& type) {
    return type.is(Kind::blob) || type.is(Kind::array);
}
ffi_type* type_in_c(const Type& type) {
    if (type.is(Kind::integer)) return &ffi_type_sint64;
    if (type.is(Kind::floating)) return &ffi_type_double;
    return type.is(Kind::boolean) ? &ffi_type_uint8 : &ffi_type_pointer;
}

Word word_of(const Value& value, const Type& type) {
    if (type.is(Kind::integer)) return {.integer = value.integer()};
    if (type.is(Kind::floating)) return {.floating = value.floating()};
    if (type.is(Kind::boolean)) return {.truth = value.truth()};
    const std::string& text = type.is(Kind::file) ? value.path() : value.string();
    if (text.find('\0') != std::string::npos)
        throw ScriptError("a string with a zero byte, which C takes for its end: give a blob");
    return {.pointer = text.c_str()};
}

Value value_of(const Output& made, const Type& type) {
    if (type.is(Kind::integer)) return made.word.integer;
    if (type.is(Kind::floating)) return made.word.floating;
    if (type.is(Kind::boolean)) return Value::boolean(made.word.truth);
    if (type.is(Kind::void_)) return Void{};
    const auto* data = static_cast<const char*>(made.word.pointer);
    if (data == nullptr && (type.is(Kind::string) || made.buffer.length != 0))
        throw ScriptError("it gave NULL for ", type.with_article());
    if (type.is(Kind::string)) return std::string(data);
    const std::shared_ptr<void> released(made.buffer.data, [&](void* all) {
        if (made.buffer.release != nullptr) made.buffer.release(all);
    });
    if (type.is(Kind::blob))
        return Blob{std::make_shared<const std::string>(data, made.buffer.length)};
    Table table;
    for (std::size_t i = 0; i < made.buffer.length; ++i) {
        Output element;
        std::memcpy(&element.word, data + i * sizeof(Word), sizeof(Word));
        table.emplace(static_cast<std::int64_t>(i), value_of(element, type.element()));
    }
    return Value::table(std::move(table));
}

class CLeaf : public Leaf {
  public:
    CLeaf(const ir::LeafDefinition& definition, void* symbol)
        : definition_(definition), function_(reinterpret_cast<void (*)()>(symbol)) {
        for (const Type& each : definition_.inputs) {
            if (!each.is(Kind::void_)) types_.push_back(type_in_c(each));
            if (has_length(each)) types_.push_back(&ffi_type_sint64);
        }
        ffi_type* result = &ffi_type_void;
        for (const Type& each : definition_.outputs) {
            if (each.is(Kind::void_)) continue;
            if (&each == definition_.outputs.data() && !has_length(each) && !each.is(Kind::file))
                result = type_in_c(each);
            else
                types_.push_back(&ffi_type_pointer);
        }
        const auto count = static_cast<unsigned>(types_.size());
        const auto status =
            ffi_prep_cif(&signature_, FFI_DEFAULT_ABI, count, result, types_.data());
        REFRAIN_ASSERT(status == FFI_OK, "libffi knows these types");
    }
    void call(Arguments arguments, Results results, Services& services) const override {
        std::vector<Word> words;
        std::vector<std::vector<Word>> arrays;
        const auto add_memory = [&](const auto& memory) {
            words.push_back({.pointer = memory.data()});
            words.push_back({.integer = static_cast<std::int64_t>(memory.size())});
        };
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const Type& type = definition_.inputs[i];
            if (type.is(Kind::blob)) {
                add_memory(*arguments[i].get<Blob>().bytes);
            } else if (type.is(Kind::array)) {
                std::vector<Word>& all = arrays.emplace_back();
                for (const auto& [key, element] : arguments[i].entries())
                    all.push_back(word_of(element, type.element()));
                add_memory(all);
            } else if (!type.is(Kind::void_)) {
                words.push_back(word_of(arguments[i], type));
            }
        }
        std::vector<Output> outputs(results.size() + 1);
        for (std::size_t i = 0; i < results.size(); ++i) {
            const Type& type = definition_.outputs[i];
            if (type.is(Kind::file)) {
                const bool temporary = services.prepare_file(results[i]);
                results[i] = Value::file(results[i].string(), temporary);
                words.push_back(word_of(results[i], type));
            } else if (!type.is(Kind::void_) && (i != 0 || signature_.rtype == &ffi_type_void)) {
                words.push_back({.pointer = &outputs[i]});
            }
        }
        std::vector<void*> addresses;
        for (Word& each : words) addresses.push_back(&each);
        ffi_call(&signature_, function_, outputs.data(), addresses.data());
        for (std::size_t i = 0; i < results.size(); ++i)
            if (!definition_.outputs[i].is(Kind::file))
                results[i] = value_of(outputs[i], definition_.outputs[i]);
    }
    [[nodiscard]] bool may_be_brief() const override { return true; }

  private:
    ir::LeafDefinition definition_;
    void (*function_)();
    std::vector<ffi_type*> types_;  // of the parameters
    mutable ffi_cif signature_{};   // which calls only read
};

}  // namespace

std::unique_ptr<Leaf> c_leaf(const ir::LeafDefinition& definition, void* symbol) {
    return std::make_unique<CLeaf>(definition, symbol);
}

}  // namespace refrain::script

#include "memo/memo.hpp"

#include "memo/packed_value.hpp"
#include "values/format.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <cinttypes>
#include <filesystem>
#include <unistd.h>

namespace refrain::script {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t nearest_max = 8;  // calls of one identity that why_unknown looks at

/// With what a record begins.
struct RecordKey {
    Hash128 key;
    std::uint64_t identity = 0;
};

std::string prepared(std::string folder, Memo::Keep keep) {
    if (keep != Memo::Keep::nothing) make_folder(folder + "/files");
    return folder;
}

std::string listed(const std::vector<std::string>& labels) {
    constexpr std::size_t labels_max = 4;
    if (labels.size() <= labels_max) return joined(labels);
    return joined({labels.begin(), labels.begin() + labels_max}) + " and " +
           std::to_string(labels.size() - labels_max) + " more";
}

}  // namespace

Hash128 MemoCall::key() const {
    return hash_of(packed(*this));
}

std::uint64_t MemoCall::identity() const {
    return short_hash_of(packed(std::pair(function, mapped)));
}

Memo::Memo(std::string folder, Keep keep)
    : folder_(prepared(std::move(folder), keep)),
      keep_(keep),
      log_(folder_ + (keep == Keep::nothing ? "" : "/results.log"),
           [this](std::string_view payload, std::uint64_t at) { index(payload, at); }) {}

void Memo::index(std::string_view payload, std::uint64_t at) {
    const RecordKey found_key = unpacked<RecordKey>(payload);
    const std::lock_guard lock(mutex_);
    by_key_[found_key.key] = at;
    auto& near = by_identity_[found_key.identity];
    near.push_back(at);
    if (near.size() > nearest_max) near.pop_front();
}

Memo::Stored Memo::stored(std::uint64_t at) const {
    return unpacked<std::pair<RecordKey, Stored>>(log_.read(at)).second;
}

std::string Memo::kept_path(const Hash128& content) const {
    return folder_ + "/files/" + printed("%016" PRIx64 "%016" PRIx64, content.high, content.low);
}

std::optional<std::vector<Value>> Memo::find(const MemoCall& call, Services& services,
                                             ContentHashes& hashes) {
    std::uint64_t at = 0;
    {
        const std::lock_guard lock(mutex_);
        const auto found = by_key_.find(call.key());
        if (found == by_key_.end()) return std::nullopt;
        at = found->second;
    }
    try {
        Stored known = stored(at);
        if (known.call.parts != call.parts || known.call.function != call.function)
            return std::nullopt;  // two keys are one
        for (std::size_t i = 0; i < known.results.size(); ++i) {
            if (!known.results[i].is<Value::File>()) continue;
            const std::string mapped = i < call.mapped.size() ? call.mapped[i] : "";
            auto file = file_again(mapped, known.contents[i], services, hashes);
            if (!file) return std::nullopt;
            known.results[i] = std::move(*file);
        }
        return std::move(known.results);
    } catch (const ScriptError&) {
        return std::nullopt;
    }
}

std::optional<Value> Memo::file_again(const std::string& mapped, const Hash128& content,
                                      Services& services, ContentHashes& hashes) {
    if (!mapped.empty() && hashes.of(mapped) == content) return Value::file(mapped);
    const std::string kept = kept_path(content);
    if (keep_ == Keep::nothing || !fs::exists(kept)) return std::nullopt;
    const std::string to = mapped.empty() ? services.temporary_path() : mapped;
    // Beside it first: what a kill leaves half written must not look like a result.
    const std::string half = to + ".restored";
    services.copy_file(kept, half);
    if (hashes.of(half) != content) {
        std::error_code ignored;
        fs::remove_all(half, ignored);
        fs::remove_all(kept, ignored);
        return std::nullopt;
    }
    std::error_code error;
    fs::rename(half, to, error);
    if (error) return std::nullopt;
    return Value::file(to, mapped.empty());
}

void Memo::keep_file(const Value& file, bool mapped, const Hash128& content) {
    if (keep_ == Keep::nothing || (mapped && keep_ == Keep::temporaries)) return;
    const std::string to = kept_path(content);
    if (fs::exists(to)) return;
    if (!mapped && link(file.path().c_str(), to.c_str()) == 0) return;
    if (keep_ == Keep::temporaries) return;
    // Relaxed: only the numbers matter, which differ.
    const std::string half = to + "." + std::to_string(getpid()) + "-" +
                             std::to_string(copies_.fetch_add(1, std::memory_order_relaxed));
    std::error_code error;
    fs::copy(file.path(), half, fs::copy_options::recursive, error);
    if (!error) fs::rename(half, to, error);
    if (error) {
        std::error_code ignored;
        fs::remove_all(half, ignored);
        throw ScriptError("cannot keep '" + file.path() + "': " + error.message());
    }
}

void Memo::remember(const MemoCall& call, std::span<const Value> results, ContentHashes& hashes) {
    try {
        Stored made{call, {results.begin(), results.end()}, std::vector<Hash128>(results.size())};
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (!results[i].is<Value::File>()) continue;
            const auto hash = hashes.of(results[i].path());
            if (!hash) return;  // it is gone already
            made.contents[i] = *hash;
            keep_file(results[i], i < call.mapped.size() && !call.mapped[i].empty(), *hash);
        }
        const std::string bytes =
            packed(std::pair(RecordKey{call.key(), call.identity()}, std::move(made)),
                   Packer::References::refused);
        index(bytes, log_.append(bytes));
    } catch (const ScriptError& error) {
        const std::lock_guard lock(mutex_);
        if (warning_.empty()) warning_ = error.what();
    }
}

std::string Memo::why_unknown(const MemoCall& call) {
    std::deque<std::uint64_t> near;
    {
        const std::lock_guard lock(mutex_);
        const auto found = by_identity_.find(call.identity());
        if (found != by_identity_.end()) near = found->second;
        if (by_key_.contains(call.key())) return "its files are gone, and no copy is kept";
    }
    if (near.empty()) return "no earlier result";
    std::vector<std::string> fewest;
    bool any = false;
    for (const std::uint64_t at : near) {
        const MemoCall known = stored(at).call;
        std::vector<std::string> differ;
        for (const MemoCall::Part& part : call.parts)
            if (std::ranges::find(known.parts, part) == known.parts.end() &&
                std::ranges::find(differ, part.label) == differ.end())
                differ.push_back(part.label);
        for (const MemoCall::Part& part : known.parts)
            if (std::ranges::none_of(call.parts, [&](const MemoCall::Part& each) {
                    return each.label == part.label;
                }))
                differ.push_back(part.label + " (gone)");
        if (!any || differ.size() < fewest.size()) fewest = std::move(differ);
        any = true;
    }
    return "changed: " + listed(fewest);
}

std::uint64_t Memo::size() {
    const std::lock_guard lock(mutex_);
    return by_key_.size();
}

std::string Memo::warning() {
    const std::lock_guard lock(mutex_);
    return warning_;
}

void Memo::drop_files() {
    std::error_code ignored;
    fs::remove_all(fs::path(folder_) / "files", ignored);
}

}  // namespace refrain::script

#include "leaves/hosted_leaf.hpp"

#include "base/clock.hpp"
#include "leaves/app.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <optional>
#include <random>

namespace refrain::script {
namespace {

std::string text_of_definition(const ir::LeafDefinition& is) {
    std::string text = is.name + "\n" + is.library + "\n" + is.symbol + "\n";
    if (is.kind == ir::LeafDefinition::Kind::tcl)
        text += is.fragment.version + "\n" + is.fragment.text + "\n";
    for (const Type& each : is.outputs) text += each.text() + ",";
    for (const std::vector<ir::LeafWord>* words : {&is.words, &is.streams}) {
        text += "\n";
        for (const ir::LeafWord& each : *words)
            text += (each.output ? "o" : "i") + std::to_string(each.index) + " ";
    }
    return text + is.policy.wrap;
}

/// A value as the key has it: files by content, and temporary ones not by their names.
std::string described(const Value& value, MemoCall& call, ContentHashes& hashes) {
    if (value.is<Value::File>()) {
        const auto hash = hashes.of(value.path());
        const bool temporary = value.get<Value::File>()->is_temporary();
        call.parts.push_back(
            {temporary ? "content of an unnamed input" : "content of '" + value.path() + "'",
             hash ? hash->low ^ hash->high : 0});
        return temporary ? "<file>" : value.path();
    }
    if (!value.is<Value::TablePointer>()) return text_of(value);
    std::string all = "{";
    // With lengths: no other value looks like it.
    for (const auto& [key, element] : value.entries())
        for (const std::string& text : {text_of(key), described(element, call, hashes)})
            all += std::to_string(text.size()) + ":" + text;
    return all + "}";
}

/// From 0 to 1.
double some_part() {
    thread_local std::minstd_rand generator{std::random_device{}()};
    return std::uniform_real_distribution<double>(0, 1)(generator);
}
/// Before another attempt: doubled each time, and not at the same moment as others that failed with this one.
double back_off_s(double delay_s, std::uint32_t attempts) {
    constexpr double longest_s = 60;
    const double doubled = delay_s * static_cast<double>(1ULL << std::min(attempts - 1, 20U));
    return std::min(doubled * (0.5 + some_part()), longest_s);
}

}  // namespace

HostedLeaf::HostedLeaf(const ir::LeafDefinition& definition, std::unique_ptr<Leaf> leaf,
                       LeafHost& host, std::string origin)
    : definition_(definition),
      leaf_(std::move(leaf)),
      host_(host),
      origin_(std::move(origin)),
      definition_text_(text_of_definition(definition)) {
    if (definition_.policy.wrap.empty() && is_app()) definition_text_ += host.options().wrap;
}

bool HostedLeaf::uses_cache() const {
    using Caching = ir::LeafPolicy::Caching;
    const Caching caching = definition_.policy.caching;
    if (caching != Caching::by_default) return caching == Caching::on;
    return is_app() && host_.options().cache_apps &&
           std::ranges::any_of(definition_.outputs, [](auto& each) { return each.is(Kind::file); });
}

MemoCall HostedLeaf::described(Arguments arguments, std::span<const Value> results) const {
    MemoCall call;
    call.function = definition_.name;
    call.parts.push_back({"definition", short_hash_of(definition_text_ + origin_)});
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string text = script::described(arguments[i], call, host_.hashes);
        const std::vector<std::string>& names = definition_.input_names;
        call.parts.push_back({i < names.size() ? "input '" + names[i] + "'"
                                               : "word " + std::to_string(i - names.size() + 1),
                              short_hash_of(text)});
    }
    for (const std::string& each : definition_.policy.environment)
        call.parts.push_back({"environment " + each, short_hash_of(setting(each))});
    for (const Value& each : results)
        call.mapped.push_back(each.is<std::string>() ? each.string() : "");
    return call;
}

/// Where its results are kept, in the order in which they are looked for.
std::vector<Memo*> HostedLeaf::memos(Use use) const {
    std::vector<Memo*> all;
    const std::size_t own = host_.options().checkpoint_file.empty() ? 0 : 1;  // the others are read
    const std::size_t most = use == Use::keep ? own : host_.checkpoints.size();
    for (const auto& each : host_.checkpoints)
        if (has_checkpoints() && all.size() < most) all.push_back(each.get());
    if (is_resumable() && (use == Use::keep || host_.resumed)) all.push_back(host_.run_memo());
    if (uses_cache()) all.push_back(host_.cache());
    std::erase(all, nullptr);
    return all;
}

bool HostedLeaf::recall(const MemoCall& call, Results results, Services& services,
                        TaskRecord& record) const {
    for (Memo* memo : memos(Use::find)) {
        const auto known = memo->find(call, services, host_.hashes);
        if (known && known->size() == results.size()) {
            std::copy(known->begin(), known->end(), results.begin());
            return true;
        }
        record.why = memo->why_unknown(call);
    }
    return false;
}

void HostedLeaf::try_call(Arguments arguments, Results results, Services& services,
                          TaskRecord& record) const {
    const ir::LeafPolicy& policy = definition_.policy;
    const std::int64_t retries = policy.retries >= 0 ? policy.retries
                                 : is_app()          ? host_.options().retries
                                                     : 0;
    const std::vector<Value> entry(results.begin(), results.end());
    if (const double delay_s = host_.options().app_delay_s; is_app() && delay_s > 0)
        static_cast<void>(host_.sleep(delay_s * some_part()));
    for (record.attempts = 1;; ++record.attempts) {
        std::optional<ResourceGate::Hold> hold;
        const auto began = std::chrono::steady_clock::now();
        hold.emplace(host_.gate, ResourceGate::Amount{policy.cpus, policy.memory_bytes});
        LeafHost::count_held_up(began);
        try {
            if (host_.control().stopped()) throw RunStopped();
            return leaf_->call(arguments, results, services);
        } catch (const std::exception&) {
            if (record.attempts > retries) host_.stop_at_failure();  // who waits for `hold` sees it
            hold.reset();
            const bool over = record.attempts > retries || host_.control().stopped();
            if (over || !host_.sleep(back_off_s(host_.options().retry_delay_s, record.attempts)))
                throw;
            host_.retried.fetch_add(1, std::memory_order_relaxed);
            std::copy(entry.begin(), entry.end(), results.begin());
        }
    }
}

void HostedLeaf::call(Arguments arguments, Results results, Services& services) const {
    if (host_.options().dry_run && !is_app()) throw ScriptError("not called in a dry run");
    if (host_.options().dry_run) return leaf_->call(arguments, results, services);
    TaskRecord record;
    record.function = definition_.name;
    record.place = host_.place_of(definition_.at);
    record.worker = services.worker();
    record.began = base::unix_time_s();
    const bool is_remembered = uses_cache() || has_checkpoints() ||
                               (is_resumable() && !host_.options().runs_folder.empty());
    RunFolder* const folder = is_resumable() || uses_cache() ? host_.record() : nullptr;
    if (folder != nullptr) record.text = leaf_->describe(arguments, results);
    const auto note = [&](const char* state) {
        if (folder == nullptr) return;
        record.state = state;
        record.seconds = base::unix_time_s() - record.began;
        try {
            folder->add(record);
        } catch (const ScriptError&) {
            // The record of the run's end says so, too, and the user is told then.
        }
    };
    MemoCall known;
    if (is_remembered) {
        known = described(arguments, results);
        if (recall(known, results, services, record)) {
            host_.cached.fetch_add(1, std::memory_order_relaxed);
            return note("cached");
        }
    }
    try {
        try_call(arguments, results, services, record);
    } catch (const std::exception& error) {
        if (const auto* app = dynamic_cast<const AppFailure*>(&error))
            record.errors = app->errors();
        record.text = error.what();
        const bool began = dynamic_cast<const RunStopped*>(&error) == nullptr;
        note(began && !host_.control().killed() ? "failed" : "interrupted");
        throw;
    }
    if (is_remembered)
        for (Memo* memo : memos(Use::keep)) memo->remember(known, results, host_.hashes);
    note("done");
}

}  // namespace refrain::script

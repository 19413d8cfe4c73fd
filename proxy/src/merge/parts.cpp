#include "merge/parts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace refrain::proxy {
namespace {

/// Adds part after part; each event and each pair of neighbours is there once.
class Joint {
  public:
    explicit Joint(RankRecording& whole) : whole_(whole) {
        whole_.grammar.assign(1, {});
        for (ThreadStream& each : whole_.threads) each.grammar.assign(1, {});
    }

    void add(const RankRecording& part) {
        const std::vector<std::uint32_t> event_number = add_events(part);
        latest_.resize(std::max(latest_.size(), part.threads.size() + 1), Work::start);
        for (Work work : part.work) {
            const std::uint32_t latest = latest_[part.events[work.after].thread];
            work.before = work.before == Work::start ? latest : event_number[work.before];
            work.after = event_number[work.after];
            add_work(work);
        }
        add_grammar(part.grammar, event_number, whole_.grammar, latest_[0]);
        for (std::size_t i = 0; i < part.threads.size(); ++i)
            add_grammar(part.threads[i].grammar, event_number, whole_.threads[i].grammar,
                        latest_[i + 1]);
    }

  private:
    /// Rule 0 is continued; the others come behind those that are there.
    static void add_grammar(const strings::Grammar& part, const std::vector<std::uint32_t>& number,
                            strings::Grammar& whole, std::uint32_t& latest) {
        const auto first_rule = static_cast<std::uint32_t>(whole.size()) - 1;
        for (std::size_t rule = 0; rule < part.size(); ++rule) {
            if (rule != 0) whole.emplace_back();
            auto& body = rule == 0 ? whole.front() : whole.back();
            for (strings::Run run : part[rule]) {
                run.symbol = run.is_rule ? run.symbol + first_rule : number[run.symbol];
                append(body, run);
            }
        }
        if (part.empty() || part[0].empty()) return;
        strings::Run last = part[0].back();
        while (last.is_rule) last = part[last.symbol].back();
        latest = number[last.symbol];
    }
    std::vector<std::uint32_t> add_events(const RankRecording& part) {
        std::vector<std::uint32_t> numbers;
        for (std::size_t i = 0; i < part.events.size(); ++i) {
            const auto [known, is_new] = event_numbers_.try_emplace(
                part.events[i], static_cast<std::uint32_t>(whole_.events.size()));
            if (is_new) whole_.events.push_back(part.events[i]);
            whole_.times.resize(whole_.events.size());
            whole_.times[known->second].count += part.times[i].count;
            whole_.times[known->second].seconds += part.times[i].seconds;
            numbers.push_back(known->second);
        }
        return numbers;
    }
    static void append(std::vector<strings::Run>& body, const strings::Run& run) {
        const bool same =
            !body.empty() && body.back().symbol == run.symbol && body.back().is_rule == run.is_rule;
        if (same)
            body.back().count += run.count;
        else
            body.push_back(run);
    }
    void add_work(const Work& work) {
        const auto [known, is_new] =
            work_numbers_.try_emplace({work.before, work.after}, whole_.work.size());
        if (is_new) {
            whole_.work.push_back(work);
            return;
        }
        Work& sum = whole_.work[known->second];
        sum.count += work.count;
        sum.seconds += work.seconds;
        sum.team.add(work.team);
        proxy::add(sum.counts, work.counts);
        proxy::add(sum.team_counts, work.team_counts);
    }

    RankRecording& whole_;
    std::map<Event, std::uint32_t, EventOrder> event_numbers_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> work_numbers_;
    std::vector<std::uint32_t> latest_;  // by thread
};

/// Each once, in the order of the first time.
std::vector<Attached> joint_attached(const std::vector<RankRecording>& parts) {
    std::vector<Attached> all;
    std::set<Attached> known;
    for (const RankRecording& part : parts)
        for (const Attached& each : part.attached)
            if (known.insert(each).second) all.push_back(each);
    return all;
}

}  // namespace

RankRecording join_parts(std::vector<RankRecording> parts) {
    if (parts.size() == 1) return std::move(parts[0]);
    RankRecording whole = parts.back();
    whole.events.clear();
    whole.times.clear();
    whole.work.clear();
    Joint joint(whole);
    for (const RankRecording& part : parts) joint.add(part);
    whole.attached = joint_attached(parts);
    return whole;
}

}  // namespace refrain::proxy

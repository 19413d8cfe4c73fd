#include "merge/step.hpp"

#include <algorithm>
#include <span>
#include <string_view>

namespace refrain::proxy {
namespace {

bool is(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The arguments of an event by kind and name.
class Reader {
  public:
    explicit Reader(const Event& event) : event_(event), arguments_(arguments_of(event)) {}

    [[nodiscard]] std::span<const std::int64_t> find(Kind kind) const {
        for (const Argument& each : arguments_)
            if (each.parameter != nullptr && each.parameter->kind == kind) return values(each);
        return {};
    }
    [[nodiscard]] std::int64_t number(std::string_view name, std::int64_t absent) const {
        for (const Argument& each : arguments_)
            if (each.parameter != nullptr && name == each.parameter->name && each.count == 1)
                return event_.values[each.begin];
        return absent;
    }
    /// Without the length.
    [[nodiscard]] std::vector<std::int64_t> list(Kind kind) const {
        const auto all = find(kind);
        if (all.empty()) return {};
        return {all.begin() + 1, all.end()};
    }

  private:
    [[nodiscard]] std::span<const std::int64_t> values(const Argument& each) const {
        return std::span(event_.values).subspan(each.begin, each.count);
    }

    const Event& event_;
    std::vector<Argument> arguments_;
};

/// Which requests a Wait or Test completed, and which of them as cancelled.
void read_completion(const Event& event, const Reader& reader, RankStep& step) {
    std::vector<std::int64_t> all = reader.list(Kind::waits_);
    const auto one = reader.find(Kind::wait_);
    all.insert(all.end(), one.begin(), one.end());
    const auto asked = reader.find(Kind::request_);
    all.insert(all.end(), asked.begin(), asked.end());
    const auto flag = reader.find(Kind::oflag_);
    if (!flag.empty() && flag[0] == 0) return;
    std::vector<std::int64_t> which;
    if (const auto index = reader.find(Kind::oindex_); !index.empty())
        which.push_back(index[0]);
    else if (!reader.find(Kind::oindices_).empty())
        which = reader.list(Kind::oindices_);
    else
        for (std::size_t i = 0; i < all.size(); ++i) which.push_back(static_cast<std::int64_t>(i));
    const auto status = reader.find(Kind::status_);
    const std::vector<std::int64_t> statuses = reader.list(Kind::statuses_);
    for (std::size_t i = 0; i < which.size(); ++i) {
        if (which[i] < 0 || static_cast<std::size_t>(which[i]) >= all.size()) continue;
        step.requests.push_back(all[static_cast<std::size_t>(which[i])]);
        const bool cancelled = statuses.empty()
                                   ? status.size() == 2 && status[1] != 0
                                   : 2 * i + 1 < statuses.size() && statuses[2 * i + 1] != 0;
        step.were_cancelled.push_back(cancelled);
    }
    step.ends_requests = event.function != Function::Request_get_status_;
}

/// Where a message comes from: what came out says more than what was asked for.
Peer source_of(const Reader& reader, const RankStep& step) {
    Peer from{reader.number("source", rank_none),
              reader.number("recvtag", reader.number("tag", 0))};
    if (from.rank != rank_any && from.tag != tag_any) return from;
    auto match = reader.find(Kind::newreceive_);
    if (!match.empty()) match = match.subspan(1);
    if (const auto status = reader.find(Kind::status_); status.size() == 4) match = status.first(2);
    // A persistent receive may match another message each time.
    if (match.empty() || step.persistent) return {};
    return {match[0], match[1]};
}

}  // namespace

RankStep read_step(const Event& event) {
    RankStep step;
    step.function = event.function;
    if (event.function == Function::by_name) return step;
    const Reader reader(event);
    if (const auto comm = reader.find(Kind::comm_); !comm.empty())
        step.comm = comm[0], step.me = comm[1];
    if (const auto freed = reader.find(Kind::freecomm_); !freed.empty())
        step.comm = freed[0], step.me = freed[1], step.frees_comm = true;
    if (event.function == Function::Finalize_) step.comm = 0;
    if (const auto made = reader.find(Kind::newwin_); !made.empty()) step.new_window = made[0];
    step.collective = info(event.function).collective;
    if (step.collective) {
        for (const Kind kind : {Kind::win_, Kind::freewin_})
            if (const auto used = reader.find(kind); !used.empty())
                step.window = used[0], step.me = used[1];
        for (const Kind kind : {Kind::file_, Kind::freefile_})
            if (const auto used = reader.find(kind); !used.empty()) step.file = used[0];
    }
    if (const auto made = reader.find(Kind::newfile_); !made.empty()) step.new_file = made[0];
    for (const Kind kind : {Kind::newrequest_, Kind::newreceive_, Kind::newpersistent_})
        if (const auto made = reader.find(kind); !made.empty()) step.request = made[0];
    step.persistent = !reader.find(Kind::newpersistent_).empty();
    if (const auto made = reader.find(Kind::newcomm_); !made.empty()) {
        step.new_comm = made[0], step.new_rank = made[1], step.new_size = made[2];
        step.key = {reader.number("color", 0)};
        step.dimensions =
            event.function == Function::Cart_create_ ? reader.list(Kind::ints_) : step.dimensions;
        if (event.function == Function::Cart_sub_) step.dimensions = reader.list(Kind::logicals_);
    }
    if (!reader.find(Kind::tag_).empty() && step.new_comm < 0) {
        const auto flag = reader.find(Kind::oflag_);
        const bool found = flag.empty() || flag[0] != 0;
        step.probes = is(info(event.function).name, {"Probe", "Iprobe", "Mprobe", "Improbe"});
        step.to = {reader.number("dest", rank_none),
                   reader.number("sendtag", reader.number("tag", 0))};
        if (found) step.from = source_of(reader, step);
        return step;
    }
    for (const Kind kind : {Kind::start_, Kind::requestp_, Kind::freerequest_})
        if (const auto used = reader.find(kind); !used.empty()) step.requests.push_back(used[0]);
    if (event.function == Function::Startall_) step.requests = reader.list(Kind::starts_);
    if (step.requests.empty()) read_completion(event, reader, step);
    return step;
}

}  // namespace refrain::proxy

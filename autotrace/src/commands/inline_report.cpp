#include "commands/inline_report.hpp"

#include "page/loop_book.hpp"
#include "page/run_curve.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "commands/inline_stream.hpp"
#include "commands/operation_reader.hpp"
#include "commands/stream_sites.hpp"

namespace refrain::commands {
namespace {

using autotrace::OperationHandle;
using autotrace::Token;
using page::SiteId;
using How = page::Served::How;

/// Names of operations: their numbers, and whether they repeat, in the lowest bit.
constexpr OperationHandle handle_of(std::uint64_t number, bool repeats) {
    return 2 * number + (repeats ? 1 : 0);
}
constexpr std::uint64_t number_of(OperationHandle handle) {
    return handle / 2;
}
constexpr bool repeats(OperationHandle handle) {
    return handle % 2 == 1;
}

std::string operations(std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " operation" : " operations");
}

/// Counts what the recogniser says of each operation, as the observer of a runtime would.
class Books {
  public:
    void operation(const Token& token, SiteId site, StreamSites& sites);
    void untraceable() { stream_.untraceable(); }
    /// Of the site's latest operation that was not replayed.
    [[nodiscard]] std::string detail(SiteId site, NotReplayed reason) const;
    void add_to(page::RunData& run);

  private:
    /// What is known of the latest operation of a site that had a precedent, but was not replayed.
    struct Note {
        std::uint64_t distance = 0;  // of the precedent
        std::uint32_t context = 0;   // operations that repeat
    };
    [[nodiscard]] page::RunSample sample() const;

    InlineStream stream_;
    page::LoopBook loops_;
    page::RunCurve curve_;
    std::vector<Note> notes_;  // by site
    std::uint64_t operations_ = 0;
    std::uint64_t replayed_ = 0;
    std::uint64_t recorded_ = 0;
    std::uint64_t first_replay_ = 0;  // 0: none
};

void Books::operation(const Token& token, SiteId site, StreamSites& sites) {
    page::Served served;
    served.number = ++operations_;
    const bool rests = stream_.recogniser().rests();
    const auto repeat = stream_.operation(token, handle_of(operations_, false));
    const bool repeats_now = repeat && repeat->context >= InlineStream::context_asked;
    if (repeats_now) stream_.rename(handle_of(operations_, true));
    const std::uint64_t distance = repeat ? operations_ - number_of(repeat->precedent) : 0;
    if (repeats_now && repeats(repeat->precedent)) {
        served.how = How::replayed;
        if (replayed_++ == 0) first_replay_ = operations_;
        loops_.operation(distance, operations_, 0, site,
                         [] { return std::span<const page::WaitsFor>(); });
    } else {
        if (site >= notes_.size()) notes_.resize(site + std::size_t{1});
        if (repeat) notes_[site] = {distance, repeat->context};
        served.how = repeats_now ? How::recorded : How::analysed;
        served.reason = rests         ? NotReplayed::resting
                        : !repeat     ? NotReplayed::no_precedent
                        : repeats_now ? NotReplayed::first_repetition
                                      : NotReplayed::short_context;
        recorded_ += repeats_now ? 1 : 0;
    }
    sites.table.count(site, served);
    if (curve_.is_due(operations_)) curve_.add(sample());
}

std::string Books::detail(SiteId site, NotReplayed reason) const {
    const Note& note = notes_[site];
    switch (reason) {
        case NotReplayed::no_precedent:
            return "The newest " + operations(stream_.recogniser().capacity()) +
                   " are remembered, without further turns of a loop that goes on.";
        case NotReplayed::short_context:
            return "Counted back from it, " + operations(note.context) +
                   (note.context == 1 ? " repeats" : " repeat") + " what was launched " +
                   operations(note.distance) + " before; it takes " +
                   std::to_string(InlineStream::context_asked) + ".";
        case NotReplayed::first_repetition:
            return "The first time was " + operations(note.distance) +
                   " before; from the third time on it is served.";
        default:
            return {};
    }
}

page::RunSample Books::sample() const {
    page::RunSample now;
    now.operations = operations_;
    now.replayed = replayed_;
    now.recorded = recorded_;
    return now;
}

void Books::add_to(page::RunData& run) {
    curve_.end(sample());
    for (const page::RunSample& sample : curve_.samples()) run.curve.push_back({sample, 0});
    run.operations = operations_;
    run.replayed = replayed_;
    run.recorded = recorded_;
    run.analysed = operations_ - replayed_ - recorded_;
    run.first_replay = first_replay_;
    run.loops = loops_.loops();
    run.other_loop_count = loops_.other_count();
    run.other_loops_served = loops_.others_served();
}

}  // namespace

StreamReport report_on_stream_inline(std::istream& input, const std::string& name) {
    StreamSites sites;
    Books books;
    StreamReport result;
    page::RunData& run = result.run;
    OperationReader reader(input, name, [&](std::string_view text) { sites.comment(text); });
    for (StreamLine line{}; reader.next(line);) {
        using Kind = StreamLine::Kind;
        if (line.kind == Kind::operation)
            books.operation(line.token, sites.of(line.token), sites);
        else if (line.kind != Kind::wait)
            ++run.without_token;
        if (line.kind == Kind::untraceable) books.untraceable();
    }
    run.title = name.substr(name.find_last_of('/') + 1);
    run.from_stream = true;
    run.automatic = true;
    run.from_precedents = true;
    books.add_to(run);
    for (SiteId id = 0; id < sites.table.size(); ++id) {
        run.sites.push_back(sites.table.report(id));
        LaunchSiteReport& site = run.sites.back();
        if (site.latest != 0) site.detail = books.detail(id, site.latest_reason);
    }
    result.texts = sites.take_texts();
    return result;
}

}  // namespace refrain::commands

#include "commands/inline_report.hpp"

#include "commands/inline_stream.hpp"
#include "commands/operation_reader.hpp"
#include "commands/stream_sites.hpp"
#include "page/loop_book.hpp"
#include "page/run_curve.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace refrain::commands {
namespace {

using autotrace::OperationHandle;
using autotrace::Token;
using page::SiteId;
using How = page::Served::How;

/// Handles of operations: their numbers, with the lowest bit set if they repeat.
constexpr OperationHandle numbered_handle(std::uint64_t number, bool repeats) {
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

/// Counts the findings of the recogniser, like the observer of a runtime.
class Books {
  public:
    void operation(const Token& token, SiteId site, StreamSites& sites);
    void untraceable() { stream_.untraceable(); }
    /// Explains the site's latest operation that was not replayed.
    [[nodiscard]] std::string detail(SiteId site, NotReplayed reason) const;
    void add_to(page::RunData& run);

  private:
    /// The latest operation of a site that had a precedent but was not replayed.
    struct Note {
        std::uint64_t distance = 0;  // to the precedent
        std::uint32_t context = 0;
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
    const bool was_skipped = stream_.recogniser().backing_off();
    const auto repeat = stream_.operation(token, numbered_handle(operations_, false));
    const bool repeats_now = repeat && repeat->context >= InlineStream::context_asked;
    if (repeats_now) stream_.rename(numbered_handle(operations_, true));
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
        served.reason = was_skipped   ? NotReplayed::resting
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
                   " are remembered; further iterations of a folded loop do not count.";
        case NotReplayed::short_context:
            return "Counted back from it, " + operations(note.context) +
                   (note.context == 1 ? " repeats" : " repeat") + " what was launched " +
                   operations(note.distance) + " before; " +
                   std::to_string(InlineStream::context_asked) + " are needed.";
        case NotReplayed::first_repetition:
            return "Its first occurrence was " + operations(note.distance) +
                   " before; it is replayed from the third on.";
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

/// Random programs with traced loops: regions are renamed, replaced, aliased and divided; bodies
/// differ now and then; traces begin and end anywhere.
#pragma once

#include "trace/traced_analyser.hpp"

#include <optional>
#include <variant>

namespace refrain::trace::testing {

struct BeginTrace {
    TraceId trace;
};
struct EndTrace {};
struct RenewRegion {
    std::size_t region;
};
using Event = std::variant<Launch, BeginTrace, EndTrace, RenewRegion>;

struct TraceStream {
    std::vector<Extents> regions;
    std::vector<Event> events;
};

class StreamMaker {
  public:
    explicit StreamMaker(std::uint64_t seed) : random_(seed) {
        calm_ = random_() % 3 == 0;
        pieces_only_ = random_() % 4 == 0;
        extents_ = {1, static_cast<std::uint32_t>(2 + random_() % 9)};
        stream_.regions.assign(2 + random_() % 4, extents_);
        for (std::size_t bodies = 1 + random_() % 3; bodies > 0; --bodies)
            bodies_.push_back(random_body());
    }

    [[nodiscard]] TraceStream make(std::size_t events_max) {
        while (stream_.events.size() < events_max) add_phase(events_max);
        return std::move(stream_);
    }

  private:
    using Body = std::vector<Launch>;
    using Names = std::vector<std::size_t>;

    /// Executes a body several times, traced or not.
    void add_phase(std::size_t events_max) {
        const std::size_t which = random_() % bodies_.size();
        Names names = random_names();
        const bool traced = random_() % 8 != 0;
        const bool renames = random_() % 3 == 0;
        for (std::size_t rounds = 1 + random_() % 6; rounds > 0; --rounds) {
            if (stream_.events.size() >= events_max) return;
            if (renames) names = random_() % 3 == 0 ? random_names() : rotated(names);
            if (random_() % 16 == 0) stream_.events.emplace_back(foreign_launch());
            if (random_() % 12 == 0) stream_.events.emplace_back(RenewRegion{random_region()});
            execute(which, names, traced);
        }
    }
    void execute(std::size_t which, const Names& names, bool traced) {
        const Body body =
            random_() % (calm_ ? 12 : 5) == 0 ? changed(bodies_[which]) : bodies_[which];
        // Most traces begin and end with the body, some inside it.
        const bool whole = random_() % 6 != 0;
        const std::size_t begin = whole ? 0 : random_() % (body.size() + 1);
        const std::size_t end = whole ? body.size() : begin + random_() % (body.size() + 1 - begin);
        for (std::size_t i = 0; i <= body.size(); ++i) {
            if (traced && i == begin) stream_.events.emplace_back(BeginTrace{TraceId{which}});
            if (traced && i == end) stream_.events.emplace_back(EndTrace{});
            if (i == body.size()) break;
            if (random_() % 60 == 0) stream_.events.emplace_back(RenewRegion{random_region()});
            Launch launch = body[i];
            for (Use& use : launch.uses) use.region = names[use.region];
            stream_.events.emplace_back(std::move(launch));
        }
    }

    Body random_body() {
        Body body;
        for (std::size_t length = 1 + random_() % 7; length > 0; --length)
            body.push_back(random_launch());
        return body;
    }
    Body changed(Body body) {
        const std::size_t at = random_() % body.size();
        const auto where = body.begin() + static_cast<std::ptrdiff_t>(at);
        switch (random_() % 4) {
            case 0:
                body.erase(where);
                break;
            case 1:
                body.insert(where, random_launch());
                break;
            case 2:
                body.resize(at);
                break;
            default:
                *where = random_launch();
        }
        if (body.empty()) body.push_back(random_launch());
        return body;
    }
    Launch random_launch() {
        Launch launch{static_cast<unsigned>(random_() % 3), {}};
        const std::uint32_t points = 1 + static_cast<std::uint32_t>(random_() % 3);
        for (std::size_t uses = random_() % 16 == 0 ? 0 : 1 + random_() % 3; uses > 0; --uses)
            launch.uses.push_back(random_use(points));
        return launch;
    }
    Launch foreign_launch() {
        Launch launch = random_launch();
        for (Use& use : launch.uses) use.region = random_region();
        return launch;
    }
    Use random_use(std::uint32_t points) {
        Use use;
        use.region = random_region();
        use.privilege = static_cast<Privilege>(random_() % 4);
        if (use.privilege == Privilege::reduce)
            use.reduction = static_cast<std::uint16_t>(1 + random_() % 2);
        const bool whole = !pieces_only_ && random_() % 3 == 0;
        for (std::uint32_t point = 0; point < points; ++point)
            use.elements.push_back(whole ? extents_.all() : random_elements());
        return use;
    }
    analysis::testing::Elements random_elements() {
        if (random_() % 8 == 0) return random_() & extents_.all();
        const auto begin = static_cast<std::uint32_t>(random_() % extents_.columns);
        const auto most = pieces_only_ ? std::max(1U, extents_.columns / 4) : extents_.columns;
        const auto count = 1 + static_cast<std::uint32_t>(random_() % most);
        return analysis::testing::span(begin, std::min(extents_.columns, begin + count));
    }
    std::size_t random_region() { return random_() % stream_.regions.size(); }
    /// The region of each name in a body; two names may share one.
    Names random_names() {
        Names names(stream_.regions.size());
        for (std::size_t i = 0; i < names.size(); ++i) names[i] = i;
        std::shuffle(names.begin(), names.end(), random_);
        if (random_() % 8 == 0) names[random_region()] = names[random_region()];
        return names;
    }
    static Names rotated(Names names) {
        std::rotate(names.begin(), names.begin() + 1, names.end());
        return names;
    }

    Random random_;
    bool calm_;
    bool pieces_only_;
    Extents extents_;
    std::vector<Body> bodies_;
    TraceStream stream_;
};

}  // namespace refrain::trace::testing

#include "property/generator.hpp"

#include <algorithm>
#include <bit>

#include "property/statement_maker.hpp"

namespace refrain::property {
namespace {

/// A statement in the body of a loop, over slots.
struct Item {
    Statement statement;
    bool swaps = false;         // swaps two slots instead
    int first = 0, second = 0;  // the slots to swap
    int every = 1, phase = 0;   // executed in iterations i with i % every == phase
    bool new_scalar = false;    // a new scalar in each iteration
};

struct Body {
    std::vector<Item> items;
    std::uint64_t trace = 0;  // 0: none
};

class Generator {
  public:
    Generator(Program& program, const GeneratorLimits& limits)
        : program_(program),
          random_(program.seed),
          limits_(limits),
          style_(draw_style(random_, limits)),
          scope_(program),
          maker_(scope_, random_, style_) {}

    void run() {
        declare();
        std::vector<Body> bodies;
        while (scope_.length() < style_.statements)
            if (limits_.long_loops && random_.once_in(2))
                long_loop();
            else if (limits_.exact_edges && !random_.once_in(4))
                interrupted_loop();
            else if (limits_.resizes && !random_.once_in(4))
                resizing_loop();
            else if (limits_.rows)
                row_loop();
            else
                phase(bodies);
        finish();
    }

  private:
    void declare();
    void declare_sizes();
    void phase(std::vector<Body>& bodies);
    void long_loop();
    void interrupted_loop();
    void resizing_loop();
    void resize(int from, int to);
    void declare_rows();
    void row_loop();
    void add_between(Body& body);
    void disturb_row(const Body& body);
    void iterate_under_view(const Body& body, int slot);
    void fail_in_row(const Body& body);
    void perturbed_iteration(const Body& body, int iteration);
    void part_of_iteration(const Body& body, int begin, int end);
    Body first_iteration(int items);
    [[nodiscard]] int usual_items() { return random_.among<int>({1, 2, 3, 4, 6, 9, 14}); }
    void iterate(const Body& body, int iteration);
    void add(Body& body, const Statement& statement);
    void add_something(Body& body);
    void add_temporary(Body& body);
    void add_swap(Body& body);
    void swap(int first, int second);
    bool emit(const Item& item, int iteration);
    void begin_trace(const Body& body);
    void end_trace(const Body& body);
    void mend();
    void finish();
    void observe(int region);
    [[nodiscard]] int lacking_region();

    Program& program_;
    Random random_;
    const GeneratorLimits& limits_;
    Style style_;
    Scope scope_;
    StatementMaker maker_;
    std::uint64_t traces_ = 0;
    std::vector<int> sizes_;  // spaces that take each other's place in resizing loops
    int size_now_ = 0;        // that of them which regions have
};

void Generator::declare() {
    if (limits_.rows) return declare_rows();
    for (int i = 0; i < style_.spaces; ++i) program_.spaces.push_back(maker_.space());
    if (limits_.resizes) declare_sizes();
    for (int i = 0; i < style_.regions; ++i) {
        scope_.regions.push_back({maker_.region(i), -1});
        scope_.emit({scope_.regions.back().make});
        if (!random_.once_in(8)) scope_.emit(maker_.initialisation(i));
    }
    for (int i = 0; i < style_.partitions; ++i) {
        scope_.partitions.push_back({});
        scope_.partitions.back().make = maker_.partition(i);
        scope_.emit({scope_.partitions.back().make});
    }
    scope_.futures.assign(static_cast<std::size_t>(style_.future_slots), -1);
}

/// A straight-line part, a new loop, or a repetition of an earlier loop.
void Generator::phase(std::vector<Body>& bodies) {
    const bool again = !bodies.empty() && random_.once_in(2);
    if (!again) bodies.push_back(first_iteration(usual_items()));
    const Body& body = again ? random_.among(bodies) : bodies.back();
    const int iterations = random_.among<int>({1, 2, 3, 5, 8, 13, 25});
    for (int i = again ? 0 : 1; i < iterations && scope_.length() < style_.statements; ++i)
        iterate(body, i);
    mend();
}

/// Long enough to be compiled, with whatever window; it may end or change at any operation.
void Generator::long_loop() {
    const Body body = first_iteration(random_.between(1, 3));
    const int turns = random_.between(100, 1200);
    const int perturbed_every = random_.among<int>({30, 150, 400, 10'000});
    for (int i = 1; i < turns && scope_.length() < style_.statements; ++i)
        if (random_.once_in(perturbed_every))
            perturbed_iteration(body, i);
        else
            iterate(body, i);
    mend();
}

/// Visits one loop several times, for numbers of turns around those at which loops are found,
/// compiled and unrolled. A visit begins and ends at any statement of a turn.
void Generator::interrupted_loop() {
    const Body body = first_iteration(random_.between(1, 5));
    const int items = static_cast<int>(body.items.size());
    const int visits = random_.between(2, 7);
    for (int visit = 0; visit < visits && scope_.length() < style_.statements; ++visit) {
        const int begin = random_.once_in(2) ? 0 : random_.below(items + 1);
        const int end = random_.once_in(2) ? 0 : random_.below(items + 1);
        const int turns =
            random_.among<int>({1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65});
        part_of_iteration(body, begin, items);
        for (int i = 1; i <= turns && scope_.length() < style_.statements; ++i) iterate(body, i);
        part_of_iteration(body, 0, end);
        if (random_.once_in(2)) scope_.emit({maker_.launch()});
        if (random_.once_in(6))
            scope_.emit(random_.once_in(2) ? maker_.host_access() : maker_.wait());
    }
    mend();
}

/// The items [begin, end) of the body, without its trace.
void Generator::part_of_iteration(const Body& body, int begin, int end) {
    for (int i = begin; i < end; ++i) emit(body.items[static_cast<std::size_t>(i)], 0);
}

/// Other sizes of the first space, for loops whose regions change them.
void Generator::declare_sizes() {
    for (int i = random_.between(1, 3); i > 0; --i) {
        Space other = program_.spaces.front();
        for (int d = 0; d < other.rank; ++d) {
            const int most = other.rank == 1 ? 64 : other.rank == 2 ? 8 : 4;
            other.bounds.hi[d] = other.bounds.lo[d] + random_.between(1, most);
        }
        program_.spaces.push_back(other);
        sizes_.push_back(static_cast<int>(program_.spaces.size()) - 1);
    }
    sizes_.push_back(0);
}

/// The regions of one space are made anew, in another size, before some of the turns.
void Generator::resizing_loop() {
    const Body body = first_iteration(random_.between(2, 5));
    const int turns = random_.between(10, 60);
    const int every = random_.among<int>({1, 2, 3, 7, 20});
    for (int i = 1; i < turns && scope_.length() < style_.statements; ++i) {
        if (i % every == 0) {
            const int to = random_.among(sizes_);
            resize(size_now_, to);
            size_now_ = to;
        }
        iterate(body, i);
    }
    mend();
}

/// What is of space `from` becomes of space `to`: regions lose their values, tiles keep their number.
void Generator::resize(int from, int to) {
    if (from == to) return;
    const auto regions = static_cast<int>(scope_.regions.size());
    for (int slot = 0; slot < regions; ++slot) {
        CreateRegion& make = scope_.regions[static_cast<std::size_t>(slot)].make;
        if (make.space != from) continue;
        scope_.emit({CloseView{slot}});
        make.space = to;
        scope_.emit({make});
        scope_.emit(maker_.initialisation(slot));
    }
    for (PartitionSlot& partition : scope_.partitions) {
        if (partition.make.space != from) continue;
        partition.make.space = to;
        const PartitionKind kind = partition.make.kind;
        const bool has_elements = kind == PartitionKind::rectangles ||
                                  kind == PartitionKind::subsets || partition.make.pointers >= 0;
        if (has_elements) {
            partition.make.kind = PartitionKind::tiles;
            partition.make.of = partition.make.pointers = -1;
            partition.make.counts = {random_.between(1, 4), 1, 1};
        }
        scope_.emit({partition.make});
    }
}

/// Regions of one space, in tiles, halos of these, and tiles of another number (StatementMaker::row_launch).
void Generator::declare_rows() {
    const int tiles = random_.between(4, 9);
    program_.spaces.push_back({{{0, 0, 0}, {random_.between(tiles, 40), 1, 1}}, 1});
    for (int i = random_.between(2, 5); i >= 0; --i) {
        CreateRegion make;
        make.region = static_cast<int>(scope_.regions.size());
        scope_.regions.push_back({make, -1});
        scope_.emit({make});
        scope_.emit(maker_.initialisation(make.region));
    }
    CreatePartition make;
    make.kind = PartitionKind::tiles;
    for (const int count : {tiles, random_.between(2, 9), tiles}) {
        make.partition = static_cast<int>(scope_.partitions.size());
        make.counts = {count, 1, 1};
        scope_.partitions.push_back({make, -1});
        if (scope_.partitions.size() == 3) {
            CreatePartition& halos = scope_.partitions.back().make;
            halos.kind = PartitionKind::halo;
            halos.of = StatementMaker::row_tiles;
            halos.low[0] = random_.between(0, 2);
            halos.high[0] = random_.between(0, 2);
            halos.periodic = random_.once_in(3);
        }
        scope_.emit({scope_.partitions.back().make});
    }
    scope_.futures.assign(static_cast<std::size_t>(style_.future_slots), -1);
}

/// The same index launches over the same regions, or over regions that change places, turn after turn: as many
/// as two windows and more. Between them comes now and then what must see, or change, what they leave behind.
void Generator::row_loop() {
    Body body;
    const int items = limits_.long_turns ? random_.among<int>({5, 9, 20, 40, 70, 100, 150})
                                         : random_.among<int>({1, 1, 2, 2, 3, 4, 7});
    const bool has_tasks = limits_.long_turns && random_.once_in(3);
    for (int i = 0; i < items; ++i) {
        Item item;
        item.statement = {has_tasks && random_.once_in(2)             ? maker_.row_task()
                          : limits_.long_turns && !random_.once_in(3) ? maker_.row_part()
                                                                      : maker_.row_launch()};
        item.new_scalar = true;
        if (emit(item, 0)) body.items.push_back(item);
    }
    if (body.items.empty()) return mend();
    if (random_.once_in(3)) add_swap(body);
    if (random_.once_in(2)) add_between(body);
    const int turns = random_.between(800, 4000) / items + (limits_.long_turns ? 20 : 0);
    const int disturbed_every = 1 + random_.among<int>({100, 500, 1000, 2000, 4000}) / items;
    for (int i = 1; i < turns && scope_.length() < style_.statements; ++i)
        if (random_.once_in(disturbed_every))
            disturb_row(body);
        else
            iterate(body, i);
    mend();
}

/// What many loops have besides launches that go into lanes: each few turns, a read by the host, or a launch that does
/// not go there; or a launch and then a read, as to look for convergence.
void Generator::add_between(Body& body) {
    Item item;
    item.every = random_.among<int>({1, 2, 5, 10, 40, 100});
    const int kind = random_.below(3);
    const auto place = [&](const Statement& statement) {
        item.statement = statement;
        const int at = random_.below(static_cast<int>(body.items.size()) + 1);
        if (emit(item, 0)) body.items.insert(body.items.begin() + at, item);
    };
    if (kind != 0) place({maker_.launch()});
    if (kind != 1) place({HostRead{random_.below(static_cast<int>(scope_.regions.size()))}});
}

/// The host holds a view meanwhile: what may not be launched must be refused, wherever launches have come from.
void Generator::iterate_under_view(const Body& body, int slot) {
    scope_.emit({OpenView{slot}});
    for (int turns = random_.among<int>({1, 1, 2, 10, 100}); turns > 0; --turns)
        for (const Item& item : body.items) {
            if (emit(item, 0) || item.swaps || !limits_.misuse) continue;
            Item refused = item;
            refused.statement.refused = true;
            emit(refused, 0);
        }
    scope_.emit({CloseView{slot}});
}

/// A turn with something else in it, at any place.
void Generator::disturb_row(const Body& body) {
    const int items = static_cast<int>(body.items.size());
    const int at = random_.below(items);
    part_of_iteration(body, 0, at);
    const int slot = random_.below(static_cast<int>(scope_.regions.size()));
    switch (random_.below(11)) {
        case 0:
        case 1:
            scope_.emit({HostRead{slot}});
            break;
        case 2:
            scope_.emit({HostWrite{slot, random_.once_in(2), maker_.scalar()}});
            break;
        case 3:
            iterate_under_view(body, slot);
            break;
        case 4:
        case 5:
            scope_.emit({scope_.regions[static_cast<std::size_t>(slot)].make});
            scope_.emit(maker_.initialisation(slot));
            break;
        case 6:
            scope_.emit({maker_.launch()});
            break;
        case 7:
            scope_.emit({limits_.long_turns ? maker_.row_part() : maker_.row_launch()});
            break;
        case 8:
            scope_.emit(maker_.wait());
            break;
        case 9:
            emit(body.items[static_cast<std::size_t>(at)], 0);  // once more
            break;
        default:
            fail_in_row(body);
    }
    part_of_iteration(body, random_.once_in(8) ? at + 1 : at, items);
}

/// Rarely, and late in the program: what a failure leaves behind keeps later launches out of lanes.
void Generator::fail_in_row(const Body& body) {
    if (!limits_.failures || scope_.length() < style_.statements / 4 * 3) return;
    Statement failing = random_.among(body.items).statement;
    if (auto* launch = std::get_if<Launch>(&failing.what)) {
        launch->throws_at = random_.below(point_count(*launch));
        scope_.emit(failing);
    }
    for (int i = random_.below(40); i > 0; --i) iterate(body, i);
    mend();
}

/// A statement is left out, repeated, or another one is added; or the turn ends early.
void Generator::perturbed_iteration(const Body& body, int iteration) {
    const int items = static_cast<int>(body.items.size());
    const int at = items == 0 ? 0 : random_.below(items);
    const int change = random_.below(5);
    begin_trace(body);
    for (int i = 0; i < items; ++i) {
        if (change == 0 && i == at) continue;
        if (change == 1 && i == at) break;
        emit(body.items[static_cast<std::size_t>(i)], iteration);
        if (change == 2 && i == at) emit(body.items[static_cast<std::size_t>(i)], iteration);
        if (change == 3 && i == at) scope_.emit({maker_.launch()});
    }
    end_trace(body);
    if (change == 4) scope_.emit(random_.once_in(2) ? maker_.host_access() : maker_.wait());
}

Body Generator::first_iteration(int items) {
    Body body;
    if (random_.percent(style_.traced_bodies)) {
        const bool shares_id = traces_ > 0 && random_.once_in(6);
        body.trace = shares_id ? 1 + random_.word() % traces_ : ++traces_;
    }
    begin_trace(body);
    for (int i = 0; i < items; ++i) add_something(body);
    end_trace(body);
    return body;
}

void Generator::iterate(const Body& body, int iteration) {
    begin_trace(body);
    for (const Item& item : body.items)
        if (iteration % item.every == item.phase) emit(item, iteration);
    end_trace(body);
}

void Generator::begin_trace(const Body& body) {
    if (body.trace != 0) scope_.emit({BeginTrace{body.trace}});
}
void Generator::end_trace(const Body& body) {
    if (body.trace != 0) scope_.emit({EndTrace{body.trace}});
}

bool Generator::emit(const Item& item, int iteration) {
    if (item.swaps) {
        swap(item.first, item.second);
        return true;
    }
    Statement statement = item.statement;
    if (auto* launch = std::get_if<Launch>(&statement.what); launch != nullptr) {
        if (item.new_scalar) launch->scalar += static_cast<std::uint64_t>(iteration);
        if (!statement.refused && random_.below(1000) < style_.throws)
            launch->throws_at = random_.below(point_count(*launch));
        if (limits_.throwing_folds && launch->throws_at >= 0)
            launch->throws_in_fold = random_.once_in(2);
    }
    return scope_.emit(statement);
}

void Generator::add(Body& body, const Statement& statement) {
    Item item;
    item.statement = statement;
    item.new_scalar = random_.once_in(2);
    if (random_.percent(style_.branches)) {
        item.every = random_.between(2, 4);
        item.phase = random_.below(item.every);
    }
    if (emit(item, 0)) body.items.push_back(item);
}

void Generator::add_something(Body& body) {
    const int lacking = lacking_region();
    if (lacking >= 0 && random_.once_in(2)) return add(body, maker_.initialisation(lacking));
    if (random_.percent(style_.misuse)) {
        if (const auto misuse = maker_.misuse()) return add(body, *misuse);
    }
    if (random_.percent(style_.host_accesses)) return add(body, maker_.host_access());
    if (random_.percent(style_.waits)) return add(body, maker_.wait());
    if (random_.percent(style_.temporaries)) {
        if (random_.once_in(3)) return add_swap(body);
        return add_temporary(body);
    }
    if (random_.percent(style_.futures) && random_.once_in(4))
        return add(body, {GetFuture{random_.below(style_.future_slots), 0}});
    if (!scope_.partitions.empty() && random_.percent(style_.partition_churn))
        return add(body, {random_.among(scope_.partitions).make});
    if (random_.percent(style_.sweeps)) {
        for (const Statement& statement : maker_.sweep()) add(body, statement);
        return;
    }
    if (random_.percent(style_.aliases)) {
        for (const Statement& statement : maker_.aliases()) add(body, statement);
        return;
    }
    add(body, {random_.percent(style_.views) ? maker_.views() : maker_.launch()});
}

/// Assigns a new region to a slot, and initialises it.
void Generator::add_temporary(Body& body) {
    const int slot = random_.below(static_cast<int>(scope_.regions.size()));
    if (random_.once_in(5)) return add(body, {DestroyRegion{slot}});
    add(body, {scope_.regions[static_cast<std::size_t>(slot)].make});
    add(body, maker_.initialisation(slot));
}

void Generator::add_swap(Body& body) {
    const auto slots = static_cast<int>(scope_.regions.size());
    const int first = random_.below(slots);
    for (int second = 0; second < slots; ++second) {
        const CreateRegion& a = scope_.regions[static_cast<std::size_t>(first)].make;
        const CreateRegion& b = scope_.regions[static_cast<std::size_t>(second)].make;
        if (first == second || a.space != b.space || a.type != b.type || a.pointee != b.pointee)
            continue;
        Item item{{}, true, first, second, 1, 0, false};
        if (random_.percent(style_.branches)) item.every = random_.between(2, 4);
        body.items.push_back(item);
        return swap(first, second);
    }
}

void Generator::swap(int first, int second) {
    std::swap(scope_.regions[static_cast<std::size_t>(first)].region,
              scope_.regions[static_cast<std::size_t>(second)].region);
}

/// A slot without a region or with an uninitialised one; -1: none.
int Generator::lacking_region() {
    for (int slot = 0; slot < static_cast<int>(scope_.regions.size()); ++slot) {
        const RegionState* region = scope_.region_in(slot);
        if (region == nullptr || region->initialised != scope_.oracle().space(region->space).all())
            return slot;
    }
    return -1;
}

/// Between phases: usually reinitialises regions that are tainted or missing.
void Generator::mend() {
    for (int slot = 0; slot < static_cast<int>(scope_.regions.size()); ++slot) {
        const RegionState* region = scope_.region_in(slot);
        if (region == nullptr) scope_.emit({scope_.regions[static_cast<std::size_t>(slot)].make});
        const bool valid = region != nullptr && region->all_tainted() == 0;
        if (!valid && !random_.once_in(4)) scope_.emit(maker_.initialisation(slot));
    }
    if (random_.once_in(2))
        for (int slot = 0; slot < static_cast<int>(scope_.regions.size()); ++slot)
            scope_.emit({CloseView{slot}});
}

/// At the end, reads everything that can be read.
void Generator::finish() {
    std::vector<int> alive;
    for (const auto& [region, state] : scope_.oracle().regions) alive.push_back(region);
    for (const int region : alive) observe(region);
}

void Generator::observe(int number) {
    const RegionState& region = scope_.oracle().regions.at(number);
    if (region.is_open) scope_.append({CloseView{number}});
    const Elements valid = region.initialised & ~region.all_tainted();
    const Elements all = scope_.oracle().space(region.space).all();
    if (region.initialised == all) scope_.append({HostRead{number}});
    if (valid == all || valid == 0) return;
    // The host cannot read a tainted region; a task can read its valid part.
    CreatePartition valid_part;
    valid_part.partition = (1 << 21) + number;
    valid_part.kind = PartitionKind::subsets;
    valid_part.space = region.space;
    valid_part.colours = {{0, 0, 0}, {1, 1, 1}};
    valid_part.subsets = {valid};
    scope_.append({valid_part});
    Launch look;
    look.result = valid_part.partition;
    look.requirements = {
        {number, valid_part.partition, Privilege::read, Operator::sum, Projection::same, {}}};
    scope_.append({look});
    scope_.append({GetFuture{look.result, 0}});
}

}  // namespace

Program generate(std::uint64_t seed, const GeneratorLimits& limits) {
    Program program;
    program.seed = seed;
    program.reductions = limits.reductions;
    Generator(program, limits).run();
    return program;
}

}  // namespace refrain::property

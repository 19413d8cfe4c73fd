#include "trace/saved_history.hpp"

#include "base/hash.hpp"
#include "trace/description.hpp"

#include <algorithm>
#include <string_view>

#ifndef REFRAIN_VERSION
#error "the build says which version this is"
#endif

namespace refrain::trace {
namespace {

using Limits = SavedHistory::Limits;
using Words = std::vector<std::uint64_t>;

/// A file of words in another order of bytes has another one.
constexpr std::uint64_t magic = 0x0a'6e'69'61'72'66'65'52;  // "Refrain\n", the lowest byte first
constexpr std::uint64_t format = 1;
enum Head : std::size_t { is_magic, is_format, is_version, is_count, is_checksum, head_words };

constexpr std::uint64_t other_magic = 0x52'65'66'72'61'69'6e'0a;

std::uint64_t version() {
    base::Hasher hasher;
    for (const char letter : std::string_view(REFRAIN_VERSION))
        hasher.add(static_cast<unsigned char>(letter));
    return hasher.finish().low;
}

/// Each step is a permutation of the sum and of the word: two contents that differ in one word have
/// different sums.
std::uint64_t checksum(std::span<const std::uint64_t> words) {
    std::uint64_t sum = words.size();
    for (const std::uint64_t word : words) sum = base::mix(sum ^ word) + 0x9e3779b97f4a7c15U;
    return sum;
}

bool is_on_one_line(const data::Box& a, const data::Box& b) {
    return a.lo[1] == b.lo[1] && a.hi[1] == b.hi[1] && a.lo[2] == b.lo[2] && a.hi[2] == b.hi[2];
}

/// Boxes of a footprint, one after the other, against the limits.
class BoxCheck {
  public:
    bool add(const data::Box& box, std::size_t times) {
        if (box.empty()) return false;
        for (std::size_t d = 0; d < 3; ++d) {
            if (box.lo[d] < -Limits::coordinate || box.hi[d] > Limits::coordinate) return false;
            bounds_.lo[d] = boxes_ == 0 ? box.lo[d] : std::min(bounds_.lo[d], box.lo[d]);
            bounds_.hi[d] = boxes_ == 0 ? box.hi[d] : std::max(bounds_.hi[d], box.hi[d]);
        }
        if (boxes_ == 0) first_ = box;
        is_spread_ = is_spread_ || !is_on_one_line(first_, box);
        boxes_ += times;
        return boxes_ <= (is_spread_ ? Limits::spread_boxes : Limits::boxes) && has_small_bounds();
    }
    [[nodiscard]] std::size_t boxes() const { return boxes_; }

  private:
    [[nodiscard]] bool has_small_bounds() const {
        std::int64_t volume = 1;
        for (std::size_t d = 0; d < 3; ++d) {
            const std::int64_t extent = bounds_.hi[d] - bounds_.lo[d];
            if (extent > Limits::volume / volume) return false;
            volume *= extent;
        }
        return true;
    }

    data::Box bounds_, first_;
    std::size_t boxes_ = 0;
    bool is_spread_ = false;
};

class Writer {
  public:
    explicit Writer(Words& words) : words_(words) {}

    void add(std::uint64_t word) { words_.push_back(word); }
    void add(const std::string& text) {
        add(text.size());
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (i % 8 == 0) add(std::uint64_t{0});
            words_.back() |= std::uint64_t{static_cast<unsigned char>(text[i])} << (i % 8 * 8);
        }
    }
    void add(const data::BoxSet& set) {
        add(set.boxes().size());
        for (const data::Box& box : set.boxes())
            for (std::size_t d = 0; d < 3; ++d) {
                add(static_cast<std::uint64_t>(box.lo[d]));
                add(static_cast<std::uint64_t>(box.hi[d]));
            }
    }
    /// Subsets that are equal one behind the other are written once.
    void add(const SavedHistory::Subsets& subsets) {
        add(subsets.size());
        for (std::size_t begin = 0, end = 0; begin < subsets.size(); begin = end) {
            while (end < subsets.size() && subsets[end] == subsets[begin]) ++end;
            add(end - begin);
            add(subsets[begin]);
        }
    }
    void add(const SavedHistory::Operation& operation) {
        add(std::uint64_t{operation.task} << 32 | operation.points);
        add(operation.requirements.size());
        for (const SavedHistory::Requirement& r : operation.requirements) {
            add(std::uint64_t{r.footprint} << 32 | std::uint64_t{r.reduction} << 8 |
                static_cast<std::uint64_t>(r.privilege));
            add(r.link);
        }
    }
    template <class Each, class Write>
    void add_all(const std::vector<Each>& all, Write&& write) {
        add(all.size());
        for (const Each& each : all) write(each);
    }

  private:
    Words& words_;
};

/// Takes words one after the other; once something is out of bounds, all further answers are 0.
class Reader {
  public:
    explicit Reader(std::span<const std::uint64_t> words) : words_(words) {}

    [[nodiscard]] bool is_well() const { return is_well_; }
    [[nodiscard]] bool is_at_end() const { return words_.empty(); }
    void refuse() { is_well_ = false; }
    void require(bool holds) { is_well_ = is_well_ && holds; }

    std::uint64_t next() {
        require(!words_.empty());
        if (!is_well_) return 0;
        const std::uint64_t word = words_.front();
        words_ = words_.subspan(1);
        return word;
    }
    std::uint64_t next(std::uint64_t max) {
        const std::uint64_t word = next();
        require(word <= max);
        return is_well_ ? word : 0;
    }
    /// Of things that have a word each, at least.
    std::size_t count(std::size_t max) {
        return static_cast<std::size_t>(next(std::min(max, words_.size())));
    }
    std::string text() {
        const std::size_t size = next(Limits::name_bytes);
        std::string text;
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < size && is_well_; ++i, word >>= 8) {
            if (i % 8 == 0) word = next();
            text.push_back(static_cast<char>(word & 0xff));
        }
        return text;
    }

  private:
    std::span<const std::uint64_t> words_;
    bool is_well_ = true;
};

data::BoxSet read_set(Reader& reader, std::size_t times, BoxCheck& check) {
    const std::size_t count = reader.count(Limits::boxes);
    std::vector<data::Box> boxes;
    for (std::size_t i = 0; i < count && reader.is_well(); ++i) {
        data::Box box;
        for (std::size_t d = 0; d < 3; ++d) {
            box.lo[d] = static_cast<std::int64_t>(reader.next());
            box.hi[d] = static_cast<std::int64_t>(reader.next());
        }
        reader.require(check.add(box, times));
        boxes.push_back(box);
    }
    if (!reader.is_well()) return {};
    data::BoxSet set = data::BoxSet::of_boxes(boxes);
    const auto normal = set.boxes();
    reader.require(std::equal(normal.begin(), normal.end(), boxes.begin(), boxes.end()));
    return set;
}

/// Empty subsets count, too: they take memory.
SavedHistory::Subsets read_footprint(Reader& reader, std::size_t& boxes_left) {
    SavedHistory::Subsets subsets;
    BoxCheck check;
    const std::size_t points = reader.next(std::min(Limits::points, boxes_left));
    while (reader.is_well() && subsets.size() < points) {
        const std::size_t times = reader.next(points - subsets.size());
        reader.require(times != 0);
        const data::BoxSet set = read_set(reader, times, check);
        reader.require(check.boxes() <= boxes_left);
        if (reader.is_well()) subsets.insert(subsets.end(), times, set);
    }
    boxes_left -= std::min(boxes_left, std::max(points, check.boxes()));
    return subsets;
}

bool is_link(std::uint64_t link, std::size_t requirement) {
    if (link == Describer::old_or_new) return true;
    if (link >> 16 == 0 || link >> 48 != 0) return false;
    return Describer::distance_of(link) != 0 || Describer::requirement_of(link) < requirement;
}

SavedHistory::Operation read_operation(Reader& reader, const SavedHistory& history) {
    SavedHistory::Operation operation;
    const std::uint64_t head = reader.next();
    operation.task = static_cast<std::uint32_t>(head >> 32);
    operation.points = static_cast<std::uint32_t>(head);
    reader.require(operation.task < history.tasks.size() ||
                   operation.task == SavedHistory::no_task);
    reader.require(operation.points <= Limits::points);
    const std::size_t count = reader.count(Limits::requirements);
    for (std::size_t i = 0; i < count && reader.is_well(); ++i) {
        const std::uint64_t shape = reader.next();
        SavedHistory::Requirement r;
        r.footprint = static_cast<std::uint32_t>(shape >> 32);
        r.reduction = static_cast<std::uint16_t>(shape >> 8);
        r.privilege = static_cast<Privilege>(shape & 3);
        r.link = reader.next();
        const bool is_reduction = r.privilege == Privilege::reduce;
        reader.require((shape & 0xff) <= 3 && ((shape >> 24) & 0xff) == 0);
        reader.require(is_reduction == (r.reduction != 0));
        reader.require(r.footprint < history.footprints.size() &&
                       history.footprints[r.footprint].size() == operation.points);
        reader.require(is_link(r.link, i));
        operation.requirements.push_back(r);
    }
    return operation;
}

void read_sequence(Reader& reader, SavedHistory& history) {
    const std::size_t count = reader.next(2 * Limits::words);
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count && reader.is_well(); ++i, word >>= 32) {
        if (i % 2 == 0) word = reader.next();
        const auto operation = static_cast<std::uint32_t>(word);
        reader.require(operation < history.operations.size() || operation == SavedHistory::gap);
        history.sequence.push_back(operation);
    }
}

/// What follows a gap may link to what was launched in it, which nobody knows.
bool links_lead_somewhere(const SavedHistory& history) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < history.sequence.size(); ++at) {
        if (history.sequence[at] == SavedHistory::gap) {
            begin = at + 1;
            continue;
        }
        for (const auto& r : history.operations[history.sequence[at]].requirements) {
            const std::uint64_t distance = Describer::distance_of(r.link);
            if (distance == 0 || distance > at - begin) continue;
            const auto& target = history.operations[history.sequence[at - distance]];
            if (Describer::requirement_of(r.link) >= target.requirements.size()) return false;
        }
    }
    return true;
}

bool read_content(Reader& reader, SavedHistory& history) {
    history.program = reader.next();
    for (std::size_t left = reader.count(Limits::words); left > 0 && reader.is_well(); --left) {
        std::string name = reader.text();
        history.modules.push_back({std::move(name), reader.next()});
    }
    for (std::size_t left = reader.count(Limits::words); left > 0 && reader.is_well(); --left) {
        const auto module = static_cast<std::uint32_t>(reader.next(UINT32_MAX));
        reader.require(module < history.modules.size());
        history.tasks.push_back({module, reader.next()});
    }
    std::size_t boxes_left = Limits::boxes;
    for (std::size_t left = reader.count(Limits::words); left > 0 && reader.is_well(); --left)
        history.footprints.push_back(read_footprint(reader, boxes_left));
    for (std::size_t left = reader.count(Limits::words); left > 0 && reader.is_well(); --left)
        history.operations.push_back(read_operation(reader, history));
    read_sequence(reader, history);
    return reader.is_well() && reader.is_at_end() && links_lead_somewhere(history);
}

}  // namespace

bool can_be_saved(std::span<const data::BoxSet> subsets) {
    BoxCheck check;
    for (const data::BoxSet& set : subsets)
        for (const data::Box& box : set.boxes())
            if (!check.add(box, 1)) return false;
    return subsets.size() <= Limits::points;
}

void seal(std::span<std::uint64_t> words) {
    words[is_count] = words.size() - head_words;
    words[is_checksum] = checksum(words.subspan(head_words));
}

std::vector<std::uint64_t> encode(const SavedHistory& history) {
    Words words(head_words);
    words[is_magic] = magic;
    words[is_format] = format;
    words[is_version] = version();
    Writer writer(words);
    writer.add(history.program);
    writer.add_all(history.modules, [&](const SavedHistory::Module& module) {
        writer.add(module.name);
        writer.add(module.mark);
    });
    writer.add_all(history.tasks, [&](const SavedHistory::Task& task) {
        writer.add(task.module);
        writer.add(task.offset);
    });
    writer.add_all(history.footprints, [&](const SavedHistory::Subsets& s) { writer.add(s); });
    writer.add_all(history.operations, [&](const SavedHistory::Operation& o) { writer.add(o); });
    writer.add(history.sequence.size());
    for (std::size_t i = 0; i < history.sequence.size(); i += 2) {
        const bool is_last = i + 1 == history.sequence.size();
        writer.add(history.sequence[i] |
                   (is_last ? 0 : std::uint64_t{history.sequence[i + 1]} << 32));
    }
    seal(words);
    return words;
}

DecodedHistory decode(std::span<const std::uint64_t> words) {
    const auto nothing = [](const char* problem) { return DecodedHistory{{}, problem}; };
    if (words.empty()) return nothing("it is empty");
    if (words[is_magic] == other_magic) return nothing("a machine of another kind wrote it");
    if (words[is_magic] != magic) return nothing("Refrain did not write it");
    if (words.size() < head_words) return nothing("it is cut off");
    if (words[is_format] != format || words[is_version] != version())
        return nothing("another version of Refrain wrote it");
    const auto content = words.subspan(head_words);
    if (words[is_count] > content.size()) return nothing("it is cut off");
    if (words[is_count] < content.size() || words[is_checksum] != checksum(content))
        return nothing("it is damaged");
    DecodedHistory decoded;
    Reader reader(content);
    if (!read_content(reader, decoded.history)) return nothing("it contradicts itself");
    return decoded;
}

}  // namespace refrain::trace

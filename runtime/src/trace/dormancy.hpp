#pragma once

#include "base/pages.hpp"
#include "base/prefetch.hpp"
#include "graph/operation_number.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::trace {

using graph::OperationNumber;

/// Decides when a recogniser that finds no repeats is left alone, and when it is asked again.
/// Meanwhile each operation is given to this as a *fingerprint*: a hash, cheaper than a description.
///
///     awake      no repeats for `patience` operations              -> dormant
///     dormant    8 fingerprints in succession occurred before,
///                and so it went on for `evidence` operations        -> awake
///
/// The newest 8 fingerprints are always looked up, but remembered only where they end at every
/// eighth operation: of 8 sequences that follow each other one is, wherever a repeat begins.
///
/// A wake that brings nothing costs what the recogniser costs. So `evidence`, 8 at first, doubles
/// after each such wake, up to 1024; and each lasts twice as long as the one before. What few
/// sequences announce falsely is soon not believed any more, and a loop within which sequences
/// occur more than once gets the time it needs all the same.
///
/// Guarantees. Let the fingerprints given in dormancy be u x x x ..., |x| = P.
///   D1  It wakes at operation |u| + P + 7 + evidence at the latest, if no remembered sequence was
///       displaced in the table by another one within P operations.
///   D2  If no sequence occurs twice in x, it stays awake for 2P operations or more: one turn to
///       record the loop, one to see that it repeats. So such a loop is known one turn and
///       7 + evidence operations later than to a recogniser that is always asked. Any other loop is
///       known after at most log2(2P / patience) wakes that brought nothing.
///   D3  Decisions are a function of the calls alone.
///
/// D1. In the first turn a remembered sequence ends at |u| + 14 or before, and others do every 8
/// operations after it. All of them occur again P operations later, are looked up, and are found. So
/// a repeat has lasted for 8 operations at |u| + P + 14 or before, and for 8 more every 8 operations.
/// The answer to a look-up is one operation late, so that its line is there by then. Where places were
/// displaced, up to three in succession do not end a repeat.
///
/// What patience and the limit of evidence cost on streams of several kinds: bench/dormancy.
///
/// Complexity:  a multiplication and a look-up per operation in dormancy; 128 KiB, from the first
///              dormancy on.
/// Threads:     the launching thread only.
class Dormancy {
  public:
    static constexpr std::uint64_t grain = 8;
    static constexpr std::uint64_t gap_max = 4 * grain;  // in a repeat; others displace some places
    static constexpr std::uint64_t evidence_max = 1024;
    static constexpr std::uint64_t interval = 16;  // operations between two calls of should_begin
    static constexpr std::uint64_t span_max = std::uint64_t{1} << 17;  // two turns of any loop

    struct Limits {
        std::uint64_t patience;
        std::uint64_t evidence = evidence_max;
    };
    explicit Dormancy(const Limits& limits) : limits_(limits), span_(limits.patience) {}
    explicit Dormancy(std::uint64_t patience) : Dormancy(Limits{.patience = patience}) {}

    [[nodiscard]] bool is_dormant() const { return is_dormant_; }

    /// Awake: whether to be left alone from operation `now` on. `fruitless`: operations up to now
    /// that brought no repeats.
    [[nodiscard]] bool should_begin(OperationNumber now, std::uint64_t fruitless) const {
        return fruitless >= limits_.patience && now >= awake_until_;
    }
    void begin(OperationNumber now) {
        const bool brought_nothing = awake_until_ != 0 && now - awake_until_ <= interval;
        evidence_ = brought_nothing ? std::min(2 * evidence_, limits_.evidence) : grain;
        span_ = brought_nothing ? std::min(2 * span_, span_max) : limits_.patience;
        if (places_.empty()) make_places();
        asked_ = {};
        lasted_ = 0;
        begun_ = now;
        is_dormant_ = true;
    }

    /// Dormant: takes the fingerprint of operation `now`, the first since begin(now) or the next. Whether dormancy should end before it.
    [[nodiscard]] bool should_end(OperationNumber now, std::uint64_t fingerprint) {
        const auto newest = static_cast<std::uint32_t>(now.value() - 1);
        Place& place = places_[asked_.place];
        const Place known = place;
        if (newest % grain == 0) place = {asked_.tag, newest};
        const bool ends = known.tag == asked_.tag && lasts(now, newest - known.at);
        sequence_ = (sequence_ << 8) + fingerprint;  // the ninth is shifted out
        const std::uint64_t hash = sequence_ * 0x9e3779b97f4a7c15U;
        asked_ = {static_cast<std::uint32_t>(hash >> place_shift),
                  static_cast<std::uint32_t>(hash >> 16)};
        base::prefetch_for_read(&places_[asked_.place]);
        return ends;
    }
    /// The recogniser is asked again.
    void end() { is_dormant_ = false; }

  private:
    struct Place {
        std::uint32_t tag = 0;
        std::uint32_t at = 0;  // lower half of the operation at which the sequence ended
    };
    /// The newest sequence.
    struct Asked {
        std::uint32_t place = 0;
        std::uint32_t tag = 0;
    };
    static constexpr unsigned place_shift = 50;
    static constexpr std::size_t places_count = std::size_t{1} << (64 - place_shift);

    void make_places() {
        places_.reserve(places_count);
        base::fetch_pages(places_.data(), places_count * sizeof(Place));
        places_.resize(places_count);
    }
    /// The sequence before operation `now` has occurred, `distance` operations ago. Whether that has
    /// gone on for long enough.
    [[gnu::noinline]] bool lasts(OperationNumber now, std::uint32_t distance) {
        if (now - begun_ < grain) return false;  // part of it was not given
        const std::uint64_t since = now - last_;
        lasted_ = lasted_ != 0 && since <= gap_max ? lasted_ + since : grain;
        last_ = now;
        if (lasted_ < evidence_) return false;
        awake_until_ = now + std::max(2 * std::uint64_t{distance}, span_);
        return true;
    }

    Limits limits_;
    bool is_dormant_ = false;
    std::uint64_t evidence_ = grain;
    std::uint64_t span_;  // the least that a wake lasts
    Asked asked_;
    std::uint64_t sequence_ = 0;  // the newest 8 fingerprints, 8 bits apart
    std::uint64_t lasted_ = 0;    // operations for which known sequences have followed each other
    OperationNumber last_ = 0;    // the newest of them
    OperationNumber begun_ = 0;   // this dormancy
    OperationNumber awake_until_ = 0;
    std::vector<Place> places_;  // by hash
};

}  // namespace refrain::trace

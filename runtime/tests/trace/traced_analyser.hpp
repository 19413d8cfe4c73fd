/// Tracing and analysis connected as in the runtime, run on programs of launches.
#pragma once

#include "analysis/access_program.hpp"
#include "analysis/dependence_oracle.hpp"
#include "trace/description.hpp"
#include "trace/tracer.hpp"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace refrain::trace::testing {

using analysis::testing::AccessProgram;
using analysis::testing::DependenceOracle;
using analysis::testing::Edges;
using analysis::testing::Extents;
using analysis::testing::Random;
using analysis::testing::Use;

/// A launch of a named task.
struct Launch {
    unsigned task = 0;
    std::vector<Use> uses;
};

/// Runs a program with tracing and keeps it for the oracle.
class TracedAnalyser {
  public:
    struct Options {
        std::uint32_t window = 1024;
        std::size_t template_bytes = std::size_t{1} << 20;
        std::size_t variants = 4;
        std::uint32_t verify_interval = 0;
        analysis::DependenceWalk::Limits divisions{};
        std::optional<Imitator::Options> imitation{};
    };
    TracedAnalyser(std::vector<Extents> regions, const Options& options)
        : window_(options.window),
          history_(options.window),
          walk_(history_, walks_, footprints_, options.divisions),
          tracer_({.limits = {.bytes_max = options.template_bytes,
                              .variants_max = options.variants,
                              .window = options.window},
                   .verify_interval = options.verify_interval,
                   .imitation = options.imitation},
                  history_, walk_, patterns_, footprints_) {
        program_.regions = std::move(regions);
        regions_.resize(program_.regions.size());
        for (std::size_t region = 0; region < regions_.size(); ++region) create(region);
    }

    void begin(TraceId trace, Tracer::OnMismatch on_mismatch = Tracer::OnMismatch::fall_back) {
        tracer_.begin(trace, launched_ + 1, on_mismatch);
    }
    void end() { tracer_.end(launched_ + 1); }
    /// Replaces the region by a new one in the same record.
    void renew(std::size_t region) {
        create(region);
        made_.push_back(region);
    }
    /// Launches and returns what the launch waits for.
    Edges launch(const Launch& launch) {
        program_.steps.push_back({launch.uses, made_});
        const Signature signature(*this, launch);
        const auto sources = tracer_.dependences(launched_ + 1, signature.get());
        ++launched_;
        made_.clear();
        return edges(sources);
    }
    /// The same with a precedent: of all launches made by this function, the one with the longest
    /// common context.
    Edges launch_looked_at(const Launch& launch) {
        program_.steps.push_back({launch.uses, made_});
        const Signature signature(*this, launch);
        const auto words = describer_.describe(launched_ + 1, signature.get());
        past_.add({words.begin(), words.end()});
        const StreamPosition where{
            .position = past_.position(), .precedent = past_.precedent(), .context = past_};
        const auto sources = tracer_.dependences(launched_ + 1, signature.get(), where);
        ++launched_;
        made_.clear();
        return edges(sources);
    }
    /// Launches where a strict trace throws.
    void expect_refusal(const Launch& launch) {
        const Signature signature(*this, launch);
        (void)tracer_.dependences(launched_ + 1, signature.get());
    }

    /// What the latest launch must wait for, by the oracle.
    [[nodiscard]] Edges expected() const {
        return DependenceOracle(program_, window_).direct_conflicts(program_.steps.size() - 1);
    }
    [[nodiscard]] std::uint64_t launched() const { return launched_.value(); }
    [[nodiscard]] const TraceCounters& counters() const { return tracer_.counters(); }
    [[nodiscard]] const TemplateStore& store() const { return tracer_.store(); }
    [[nodiscard]] Tracer& tracer() { return tracer_; }
    [[nodiscard]] const analysis::DependenceWalk& walk() const { return walk_; }
    [[nodiscard]] const analysis::WalkTable& walks() const { return walks_; }
    [[nodiscard]] const analysis::PatternTable& patterns() const { return patterns_; }
    [[nodiscard]] std::size_t history_bytes() const { return history_.bytes(); }
    /// Makes content ids stand for other content, which must not happen while a template lives.
    void reuse_content_ids() {
        walks_.clear();
        footprints_.clear();
        for (RegionHistory& region : regions_) region.forget_accesses();
    }

    [[nodiscard]] static const LaunchSite& site(unsigned task) {
        static const char* const names[] = {"stencil", "axpy", "dot", "norm", "fill", "copy"};
        static const std::vector<LaunchSite> sites = [] {
            std::vector<LaunchSite> all;
            for (unsigned i = 0; i < std::size(names); ++i)
                all.emplace_back(names[i], "solver.cpp", 10 + i);
            return all;
        }();
        return sites[task % sites.size()];
    }

  private:
    /// All descriptions so far; finds precedents by comparison.
    class Past final : public Context {
      public:
        void add(std::vector<std::uint64_t> words) {
            all_.push_back(std::move(words));
            precedent_.reset();
            std::size_t longest = 0;
            for (std::size_t at = 0; at + 1 < all_.size(); ++at)
                if (const std::size_t length = common(at); length > longest) {
                    longest = length;
                    precedent_ = at;
                }
        }
        [[nodiscard]] Position position() const { return Position::at(all_.size() - 1); }
        [[nodiscard]] std::optional<Position> precedent() const {
            if (!precedent_) return std::nullopt;
            return Position::at(*precedent_);
        }
        [[nodiscard]] bool agrees(std::uint32_t operations) override {
            return common(*precedent_) >= operations;
        }

      private:
        [[nodiscard]] std::size_t common(std::size_t at) const {
            std::size_t length = 0;
            while (length <= at && all_[at - length] == all_[all_.size() - 1 - length]) ++length;
            return length;
        }
        std::vector<std::vector<std::uint64_t>> all_;
        std::optional<std::uint64_t> precedent_;
    };

    /// The tracer's signature of a launch.
    class Signature {
      public:
        Signature(TracedAnalyser& analyser, const Launch& launch) {
            for (const Use& use : launch.uses) {
                std::vector<data::BoxSet> subsets;
                for (const auto elements : use.elements)
                    subsets.push_back(box_set(elements, analyser.program_.regions[use.region]));
                shapes_.emplace_back(analyser.footprints_.intern(std::move(subsets)), use.privilege,
                                     use.reduction);
                regions_.push_back(&analyser.regions_[use.region]);
            }
            const LaunchSite& launch_site = site(launch.task);
            const auto points = launch.uses.empty()
                                    ? 1U
                                    : static_cast<std::uint32_t>(launch.uses[0].elements.size());
            signature_ = {.task = &launch_site,
                          .site = &launch_site,
                          .point_count = points,
                          .shapes = shapes_,
                          .regions = regions_};
        }
        [[nodiscard]] const OperationSignature& get() const { return signature_; }

      private:
        std::vector<RequirementShape> shapes_;
        std::vector<RegionHistory*> regions_;
        OperationSignature signature_;
    };

    void create(std::size_t region) {
        regions_[region] = {};
        regions_[region].serial = ++serials_;
        regions_[region].bounds = bounds(program_.regions[region]);
    }
    [[nodiscard]] Edges edges(std::span<const Source> sources) const {
        Edges found;
        for (const Source& source : sources)
            for (const auto& pair : patterns_.get(source.pattern).pairs())
                found.push_back({(launched_ - source.distance - 1).value(), pair.source,
                                 pair.target, source.carries_data});
        return DependenceOracle::normalised(std::move(found));
    }

    std::uint32_t window_;
    AccessProgram program_;
    analysis::FootprintTable footprints_;
    analysis::PatternTable patterns_;
    analysis::WalkTable walks_{footprints_, patterns_};
    analysis::AccessHistory history_;
    analysis::DependenceWalk walk_;
    Tracer tracer_;
    Describer describer_{window_};
    Past past_;
    std::vector<RegionHistory> regions_;
    std::vector<std::size_t> made_;
    OperationNumber launched_ = 0;
    std::uint64_t serials_ = 0;
};

}  // namespace refrain::trace::testing

#pragma once

#include "refrain/autotrace.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

namespace refrain::autotrace::testing {

/// One call of a TraceHost.
struct Event {
    enum class Kind { issue, begin, end, leave, forget };
    Kind kind;
    std::uint64_t value;     ///< operation or trace
    std::size_t length = 0;  ///< of begin
    friend bool operator==(const Event&, const Event&) = default;
};

/// A host that records all calls and fails the test on invalid ones: operations out of order, begin
/// and end that do not alternate, a forgotten trace that begins again, an execution that differs
/// from the recorded one.
class RecordingHost final : public TraceHost {
  public:
    /// The launched operations with tokens, by handle.
    std::map<OperationHandle, Token> tokens;
    std::set<OperationHandle> untraceable;
    bool keep_events = true;

    std::vector<Event> events;
    std::vector<OperationHandle> issued;
    std::uint64_t issued_count = 0;
    std::uint64_t traced_count = 0;
    std::uint64_t plain_count = 0;  ///< traceable operations outside of traces
    TraceId last_trace = TraceId::none;
    std::uint64_t last_change_at = 0;  ///< issued_count when a different trace last began
    std::uint64_t last_plain_at = 0;   ///< issued_count at the last operation outside of traces
    std::set<TraceId> traces;

    void issue(OperationHandle operation) override {
        note({Event::Kind::issue, operation});
        if (issued_count > 0) {
            EXPECT_LT(last_issued_, operation) << "out of order";
        }
        last_issued_ = operation;
        if (keep_events) issued.push_back(operation);
        ++issued_count;
        const auto token = tokens.find(operation);
        if (token == tokens.end()) {
            EXPECT_FALSE(open_ != TraceId::none && untraceable.contains(operation))
                << "inside a trace";
            return;
        }
        if (open_ != TraceId::none) {
            content_.push_back(token->second);
            ++traced_count;
        } else {
            ++plain_count;
            last_plain_at = issued_count;
        }
    }

    void begin_trace(TraceId trace, std::size_t length) override {
        note({Event::Kind::begin, number_of(trace), length});
        EXPECT_EQ(open_, TraceId::none) << "begin inside of a trace";
        EXPECT_NE(trace, TraceId::none);
        EXPECT_FALSE(forgotten_.contains(trace)) << "begin of a forgotten trace";
        if (trace != last_trace) last_change_at = issued_count;
        last_trace = trace;
        traces.insert(trace);
        open_ = trace;
        length_ = length;
        content_.clear();
    }

    void end_trace(TraceId trace) override {
        note({Event::Kind::end, number_of(trace)});
        EXPECT_EQ(open_, trace) << "end of another trace";
        open_ = TraceId::none;
        EXPECT_EQ(content_.size(), length_);
        const auto [recorded, first] = recorded_.emplace(trace, content_);
        EXPECT_TRUE(first || recorded->second == content_)
            << "a different execution of " << number_of(trace);
    }

    void leave_trace(TraceId trace) override {
        note({Event::Kind::leave, number_of(trace)});
        EXPECT_EQ(open_, trace) << "leave of another trace";
        open_ = TraceId::none;
        ASSERT_TRUE(recorded_.contains(trace)) << "left before it was recorded";
        const std::vector<Token>& whole = recorded_.at(trace);
        ASSERT_LE(content_.size(), whole.size());
        EXPECT_TRUE(std::equal(content_.begin(), content_.end(), whole.begin()))
            << number_of(trace);
    }

    void forget_trace(TraceId trace) override {
        EXPECT_NE(open_, trace) << "forgotten during its execution";
        note({Event::Kind::forget, number_of(trace)});
        EXPECT_TRUE(recorded_.contains(trace)) << "forgotten before it was recorded";
        EXPECT_TRUE(forgotten_.insert(trace).second) << "forgotten twice";
        recorded_.erase(trace);
    }

    [[nodiscard]] bool in_trace() const { return open_ != TraceId::none; }
    [[nodiscard]] std::size_t remembered_traces() const { return recorded_.size(); }

  private:
    void note(const Event& event) {
        if (keep_events) events.push_back(event);
    }

    TraceId open_ = TraceId::none;
    std::size_t length_ = 0;
    OperationHandle last_issued_ = 0;
    std::vector<Token> content_;
    std::map<TraceId, std::vector<Token>> recorded_;
    std::set<TraceId> forgotten_;
};

/// Launches operations through a tracer and registers them with the host.
class Launcher {
  public:
    Launcher(AutoTracer& tracer, RecordingHost& host) : tracer_(tracer), host_(host) {}

    OperationHandle operation(std::uint64_t token) { return operation(Token{1, token}); }
    OperationHandle operation(const Token& token) {
        host_.tokens.emplace(++handle_, token);
        tracer_.operation(token, handle_);
        return handle_;
    }
    OperationHandle untraceable() {
        host_.untraceable.insert(++handle_);
        tracer_.untraceable(handle_);
        return handle_;
    }
    OperationHandle ignorable() {
        tracer_.ignorable(++handle_);
        return handle_;
    }
    [[nodiscard]] std::uint64_t launched() const { return handle_; }

  private:
    AutoTracer& tracer_;
    RecordingHost& host_;
    OperationHandle handle_ = 0;
};

}  // namespace refrain::autotrace::testing

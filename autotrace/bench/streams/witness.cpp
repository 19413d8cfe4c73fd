#include "streams/witness.hpp"

#include <algorithm>

namespace streams {

using refrain::autotrace::OperationHandle;
using refrain::autotrace::Token;
using refrain::autotrace::TraceId;

namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw Broken("the recogniser is broken: " + what);
}

std::string text_of(TraceId trace) {
    return "trace " + std::to_string(number_of(trace));
}

}  // namespace

Witness::Witness(std::span<const Line> lines) : lines_(lines) {
    operations_.reserve(lines.size());
    index_of_line_.assign(lines.size(), no_token);
    replayed_.reserve(lines.size());
    skip_waits();
}

void Witness::launching(std::size_t line) {
    if (lines_[line].kind != Line::Kind::wait) ++launched_;
}

void Witness::skip_waits() {
    while (next_ < lines_.size() && lines_[next_].kind == Line::Kind::wait) ++next_;
}

void Witness::issue(OperationHandle operation) {
    if (operation != next_)
        refuse("operation " + std::to_string(operation) + " was issued when " +
               std::to_string(next_) + " was due");
    if (issued_ == launched_)
        refuse("operation " + std::to_string(operation) + " was issued before it was launched");
    count_as_held();
    const Line& line = lines_[next_];
    if (line.kind == Line::Kind::operation) count(line.token);
    if (line.kind == Line::Kind::untraceable) ++untraceable_;
    if (line.kind == Line::Kind::untraceable && open_ != TraceId::none)
        refuse("operation " + std::to_string(operation) + " is not traceable, but part of " +
               text_of(open_));
    ++next_;
    skip_waits();
}

void Witness::count_as_held() {
    const std::uint64_t held = launched_ - ++issued_;
    held_sum_ += held;
    held_max_ = std::max(held_max_, held);
}

void Witness::count(const Token& token) {
    const std::size_t index = operations_.size();
    const bool is_replayed = open_ != TraceId::none ? count_in_trace(token) : count_repeat();
    const bool is_repeat = repeat_ && repeat_->context >= context_asked;
    repeat_.reset();
    index_of_line_[next_] = index;
    operations_.push_back({token, untraceable_, is_repeat});
    replayed_.push_back(is_replayed);
}

bool Witness::count_in_trace(const Token& token) {
    const Trace& trace = begun_.at(open_);
    const std::size_t at = operations_.size() - open_begin_;
    if (at == trace.length) refuse(text_of(open_) + " is longer than begin_trace announced");
    const bool is_replayed = trace.begin != open_begin_;
    if (is_replayed && operations_[trace.begin + at].token != token)
        refuse("operation " + std::to_string(at) + " of " + text_of(open_) +
               " differs from the first execution");
    return is_replayed;
}

bool Witness::count_repeat() {
    if (!repeat_) return false;
    ++repeats_;
    return repeat_->context >= context_asked && operations_[repeat_->precedent].is_repeat;
}

void Witness::repeats(OperationHandle precedent, std::uint32_t context) {
    if (open_ != TraceId::none) refuse("a precedent is reported inside " + text_of(open_));
    if (next_ >= lines_.size() || lines_[next_].kind != Line::Kind::operation)
        refuse("a precedent is reported for an operation without a token");
    if (precedent >= next_ || index_of_line_[precedent] == no_token)
        refuse("line " + std::to_string(precedent) + " is the precedent of operation " +
               std::to_string(next_) + ", but is not an earlier operation with a token");
    const std::size_t earlier = index_of_line_[precedent];
    if (context == 0 || context > earlier + 1)
        refuse("a context of " + std::to_string(context) + " ends at operation " +
               std::to_string(earlier));
    if (operations_[earlier].token != lines_[next_].token)
        refuse("operation " + std::to_string(next_) + " does not equal its precedent");
    expect_equal_context(earlier, context);
    repeat_ = Repeat{earlier, context};
}

/// Compares the operations before `earlier` with those before the next one, for the whole context.
void Witness::expect_equal_context(std::size_t earlier, std::uint32_t context) const {
    for (std::size_t i = 1; i < context; ++i) {
        const Operation& here = operations_[operations_.size() - i];
        const Operation& there = operations_[earlier - i];
        if (here.token != there.token)
            refuse("operation " + std::to_string(next_) + " does not equal its precedent " +
                   std::to_string(i) + " operations before");
        if (here.run != untraceable_ || there.run != operations_[earlier].run)
            refuse("the context of operation " + std::to_string(next_) +
                   " spans an untraceable operation");
    }
}

void Witness::begin_trace(TraceId trace, std::size_t length) {
    if (trace == TraceId::none) refuse("a trace without an id begins");
    if (open_ != TraceId::none) refuse(text_of(trace) + " begins inside " + text_of(open_));
    open_ = trace;
    open_begin_ = operations_.size();
    const auto [entry, is_first] =
        begun_.try_emplace(trace, Trace{operations_.size(), length, false});
    if (is_first) return;
    ++replays_;
    if (entry->second.is_forgotten) refuse(text_of(trace) + " begins after it was forgotten");
    if (entry->second.length != length)
        refuse(text_of(trace) + " begins with a different length than the first time");
}

void Witness::end_trace(TraceId trace) {
    if (trace != open_) refuse(text_of(trace) + " ends, but did not begin last");
    if (operations_.size() - open_begin_ != begun_.at(trace).length)
        refuse(text_of(trace) + " is shorter than begin_trace announced");
    open_ = TraceId::none;
}

void Witness::leave_trace(TraceId trace) {
    if (trace != open_) refuse(text_of(trace) + " is left, but did not begin last");
    if (begun_.at(trace).begin == open_begin_)
        refuse(text_of(trace) + " is left in its first execution");
    open_ = TraceId::none;
}

void Witness::forget_trace(TraceId trace) {
    const auto entry = begun_.find(trace);
    if (entry == begun_.end()) refuse(text_of(trace) + " is forgotten before it began");
    if (entry->second.is_forgotten) refuse(text_of(trace) + " is forgotten twice");
    entry->second.is_forgotten = true;
}

void Witness::expect_end() const {
    if (open_ != TraceId::none) refuse(text_of(open_) + " has not ended");
    if (next_ != lines_.size()) refuse("operation " + std::to_string(next_) + " was never issued");
}

double Witness::held_mean() const {
    return issued_ == 0 ? 0 : static_cast<double>(held_sum_) / static_cast<double>(issued_);
}

}  // namespace streams

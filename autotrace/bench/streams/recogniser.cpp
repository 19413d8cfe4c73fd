#include "streams/recogniser.hpp"

#include "commands/inline_stream.hpp"

#include <limits>

namespace streams {
namespace {

/// An AutoTracer: reports traces.
class MinedTracer final : public Tracer {
  public:
    MinedTracer(const autotrace::Options& options, Host& host, autotrace::MiningExecutor* executor)
        : tracer_(options, host, executor) {}

    void launch(std::span<const Line> lines, std::size_t first) override {
        for (std::size_t i = 0; i < lines.size(); ++i) launch_one(lines[i], first + i);
    }

  private:
    void launch_one(const Line& line, autotrace::OperationHandle handle) {
        switch (line.kind) {
            case Line::Kind::operation:
                return tracer_.operation(line.token, handle);
            case Line::Kind::untraceable:
                return tracer_.untraceable(handle);
            case Line::Kind::ignorable:
                return tracer_.ignorable(handle);
            case Line::Kind::wait:
                return tracer_.flush();
        }
    }

    autotrace::AutoTracer tracer_;
};

/// An InlineRecogniser: reports the precedent of each operation, and issues it immediately.
class InlineTracer final : public Tracer {
  public:
    explicit InlineTracer(Host& host) : host_(host) {}

    void launch(std::span<const Line> lines, std::size_t first) override {
        for (std::size_t i = 0; i < lines.size(); ++i) launch_one(lines[i], first + i);
    }
    [[nodiscard]] std::size_t idle_bytes() const override {
        const auto& recogniser = stream_.recogniser();
        return stream_.handle_bytes() + recogniser.description_bytes() -
               recogniser.description_bytes_used();
    }

  private:
    void launch_one(const Line& line, autotrace::OperationHandle handle) {
        switch (line.kind) {
            case Line::Kind::operation:
                if (const auto repeat = stream_.operation(line.token, handle))
                    host_.repeats(repeat->precedent, repeat->context);
                return host_.issue(handle);
            case Line::Kind::untraceable:
                stream_.untraceable();
                return host_.issue(handle);
            case Line::Kind::ignorable:  // the recogniser does not see it
                return host_.issue(handle);
            case Line::Kind::wait:  // nothing is held back
                return;
        }
    }

    refrain::commands::InlineStream stream_;
    Host& host_;
};

/// Uses the options that a runtime sets.
std::unique_ptr<Tracer> make_miner(const Choices& choices, Host& host,
                                   autotrace::MiningExecutor& executor, bool hand_on_at_once) {
    autotrace::Options options;
    options.hand_on_at_once = hand_on_at_once;
    options.history_tokens = choices.history_tokens;
    options.trace_length_max = choices.trace_length_max;
    options.history_bytes_max = std::numeric_limits<std::size_t>::max();
    return make_auto_tracer(options, host, &executor);
}

/// As Refrain's runtime mines: operations are issued as they are launched.
std::unique_ptr<Tracer> make_mined(const Choices& choices, Host& host,
                                   autotrace::MiningExecutor& executor) {
    return make_miner(choices, host, executor, true);
}

/// As in the paper: operations that may become part of a trace are held back.
std::unique_ptr<Tracer> make_held_back(const Choices& choices, Host& host,
                                       autotrace::MiningExecutor& executor) {
    return make_miner(choices, host, executor, false);
}

/// The choices concern mining only.
std::unique_ptr<Tracer> make_inline(const Choices&, Host& host, autotrace::MiningExecutor&) {
    return std::make_unique<InlineTracer>(host);
}

}  // namespace

std::unique_ptr<Tracer> make_auto_tracer(const autotrace::Options& options, Host& host,
                                         autotrace::MiningExecutor* executor) {
    return std::make_unique<MinedTracer>(options, host, executor);
}

const std::vector<Recogniser>& recognisers() {
    static const std::vector<Recogniser> all = {
        {"mined", "suffix arrays of slices of the history", false, make_mined},
        {"held_back", "the same, and operations that may belong to a trace wait, as in the paper",
         false, make_held_back},
        {"inline", "each operation is compared with the one after its precedent", true,
         make_inline},
    };
    return all;
}

}  // namespace streams

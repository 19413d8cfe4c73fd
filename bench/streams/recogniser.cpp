#include "streams/recogniser.hpp"

#include <limits>

namespace streams {
namespace {

/// Anything with the functions of an AutoTracer.
template <class T>
class TracerOf final : public Tracer {
  public:
    template <class... Arguments>
    explicit TracerOf(Arguments&&... arguments) : tracer_(std::forward<Arguments>(arguments)...) {}

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

    T tracer_;
};

/// With the options that a runtime sets.
std::unique_ptr<Tracer> make_mined(const Choices& choices, autotrace::TraceHost& host,
                                   autotrace::MiningExecutor& executor) {
    autotrace::Options options;
    options.history_tokens = choices.history_tokens;
    options.trace_length_max = choices.trace_length_max;
    options.history_bytes_max = std::numeric_limits<std::size_t>::max();
    return make_auto_tracer(options, host, &executor);
}

}  // namespace

std::unique_ptr<Tracer> make_auto_tracer(const autotrace::Options& options,
                                         autotrace::TraceHost& host,
                                         autotrace::MiningExecutor* executor) {
    return std::make_unique<TracerOf<autotrace::AutoTracer>>(options, host, executor);
}

const std::vector<Recogniser>& recognisers() {
    static const std::vector<Recogniser> all = {
        {"mined", "suffix arrays of slices of the history", make_mined},
    };
    return all;
}

}  // namespace streams

/// Helpers of the runtime's tests: options, a gate that tasks wait at, and the text of errors.
#pragma once

#include "data/error_text.hpp"
#include "refrain/refrain.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <stdexcept>
#include <thread>
#include <vector>

namespace refrain {

/// How long a test waits for what other threads must do. No verdict depends on it: only a test that
/// fails waits so long, and says so instead of hanging.
inline constexpr std::chrono::seconds patience{120};

/// Looks until other threads have made the condition true; the runtime is called only by the condition.
template <class Condition>
[[nodiscard]] bool comes_true(Condition&& condition) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < end) {
        if (condition()) return true;
        std::this_thread::yield();
    }
    return condition();
}

/// No automatic tracing, with this number of workers.
inline Options plain(unsigned workers = 2) {
    Options options;
    options.workers = workers;
    options.tracing.automatic = false;
    return options;
}

/// The inline recogniser.
inline Options automatic(unsigned workers = 2) {
    Options options;
    options.workers = workers;
    options.tracing.recogniser = Recogniser::inline_;
    return options;
}

/// The mined recogniser, with settings that find traces soon and at the same operation in every
/// run.
inline Options mined(unsigned workers = 2) {
    Options options;
    options.workers = workers;
    options.tracing.recogniser = Recogniser::mined;
    options.tracing.mining.multi_scale_factor = 64;
    options.tracing.history = 1024;
    options.tracing.mining.synchronous = true;
    return options;
}

/// The tracing modes, for tests that must pass in each of them.
enum class Serving : std::uint8_t { untraced, looking_back, mining };

inline Options options_for(Serving serving, unsigned workers = 2) {
    switch (serving) {
        case Serving::untraced:
            return plain(workers);
        case Serving::looking_back:
            return automatic(workers);
        case Serving::mining:
            break;
    }
    return mined(workers);
}

inline const char* name_of(Serving serving) {
    static constexpr const char* names[] = {"untraced", "looking_back", "mining"};
    return names[static_cast<std::size_t>(serving)];
}

inline void PrintTo(Serving serving, std::ostream* out) {
    *out << name_of(serving);
}

/// The modes with a recogniser, for tests that must pass with both.
inline constexpr Serving recognisers[] = {Serving::looking_back, Serving::mining};

/// A test that runs in every mode is a TestWithParam<Serving> with
///     INSTANTIATE_TEST_SUITE_P(, Name, every_serving, serving_name);
inline const auto every_serving =
    ::testing::Values(Serving::untraced, Serving::looking_back, Serving::mining);
inline const auto serving_name = [](const ::testing::TestParamInfo<Serving>& info) {
    return std::string(name_of(info.param));
};

/// A gate that tasks wait at until the test opens it. When `patience` is over a task continues and
/// the gate records that, so a test that waits for the wrong thing fails instead of hanging.
class Gate {
  public:
    /// The lock orders what the last task did at the gate before the next use of its memory.
    ~Gate() {
        const std::lock_guard lock(mutex_);
        EXPECT_FALSE(given_up_) << "a task waited at a gate until its time limit";
    }
    void open() {
        const std::lock_guard lock(mutex_);
        is_open_ = true;
        changed_.notify_all();
    }
    void pass() {
        std::unique_lock lock(mutex_);
        ++arrivals_;
        changed_.notify_all();
        if (!changed_.wait_for(lock, patience, [&] { return is_open_; })) given_up_ = true;
    }
    /// Waits until this many tasks have arrived at the gate.
    void await(int arrivals) {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(changed_.wait_for(lock, patience, [&] { return arrivals_ >= arrivals; }))
            << "no task arrived at the gate";
    }
    [[nodiscard]] bool is_open() {
        const std::lock_guard lock(mutex_);
        return is_open_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int arrivals_ = 0;
    bool is_open_ = false;
    bool given_up_ = false;
};

/// Launches a task that waits at the gate, and returns once a worker runs it. Needs a worker
/// besides the launching thread.
inline void occupy_a_worker(Runtime& runtime, Gate& gate) {
    runtime.launch("wait at the gate", [&gate] { gate.pass(); });
    EXPECT_FALSE(runtime.worker_count() < 2)
        << "the launching thread would wait at the gate itself";
    gate.await(1);
}

/// The region's elements, row by row.
template <class T, int R>
std::vector<T> values_of(Runtime& runtime, const Region<T, R>& region) {
    const auto view = runtime.read(region);
    return {view.elements().begin(), view.elements().end()};
}

template <class T, int R>
void set_values(Runtime& runtime, const Region<T, R>& region, const std::vector<T>& values) {
    const auto view = runtime.write(region);
    ASSERT_EQ(view.elements().size(), values.size());
    std::copy(values.begin(), values.end(), view.elements().begin());
}

}  // namespace refrain

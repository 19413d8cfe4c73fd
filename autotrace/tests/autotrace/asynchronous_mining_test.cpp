#include "refrain/autotrace.hpp"

#include <condition_variable>
#include <deque>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

#include "recording_host.hpp"
#include "streams.hpp"

namespace refrain::autotrace::testing::asynchronous_mining_test {
namespace {

/// Runs jobs on its own threads.
class ThreadedExecutor final : public MiningExecutor {
  public:
    explicit ThreadedExecutor(int threads) {
        for (int i = 0; i < threads; ++i) {
            threads_.emplace_back([this] {
                while (run_one(true)) {
                }
            });
        }
    }
    ThreadedExecutor(const ThreadedExecutor&) = delete;
    ThreadedExecutor& operator=(const ThreadedExecutor&) = delete;
    ~ThreadedExecutor() {
        {
            const std::lock_guard lock(mutex_);
            closing_ = true;
        }
        wake_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    void submit(Job job) override {
        {
            const std::lock_guard lock(mutex_);
            jobs_.push_back(job);
            ++submitted_;
        }
        wake_.notify_one();
    }
    void help() override {
        if (!run_one(false)) std::this_thread::yield();
    }
    [[nodiscard]] int submitted() const { return submitted_; }

  private:
    bool run_one(bool wait) {
        Job job{};
        {
            std::unique_lock lock(mutex_);
            if (wait) wake_.wait(lock, [&] { return closing_ || !jobs_.empty(); });
            if (jobs_.empty()) return false;
            job = jobs_.front();
            jobs_.pop_front();
        }
        job.run(job.context);
        return true;
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Job> jobs_;
    std::vector<std::thread> threads_;
    int submitted_ = 0;
    bool closing_ = false;
};

/// Runs jobs only when the launching thread calls help, the newest first.
class LateExecutor final : public MiningExecutor {
  public:
    int helped = 0;

    void submit(Job job) override { jobs_.push_back(job); }
    void help() override {
        ++helped;
        ASSERT_FALSE(jobs_.empty()) << "help was called without a job to wait for";
        const Job job = jobs_.back();
        jobs_.pop_back();
        job.run(job.context);
    }

  private:
    std::vector<Job> jobs_;
};

std::vector<std::uint64_t> phases() {
    std::vector<std::uint64_t> stream;
    for (std::uint64_t phase = 0; phase < 6; ++phase) {
        for (std::uint64_t i = 0; i < 4000; ++i)
            stream.push_back(phase * 1000 + i % (17 * phase + 9));
        const auto branches = random_branches(100, 3, 20, static_cast<unsigned>(phase));
        stream.insert(stream.end(), branches.begin(), branches.end());
    }
    return stream;
}

std::vector<Event> events_of(const Options& options, MiningExecutor* executor) {
    RecordingHost host;
    {
        AutoTracer tracer(options, host, executor);
        Launcher launch(tracer, host);
        for (const std::uint64_t token : phases()) launch.operation(token);
    }
    return host.events;
}

TEST(AsynchronousMining, decisions_do_not_depend_on_when_or_where_jobs_run) {
    for (const std::size_t delay : {std::size_t{0}, std::size_t{100}, std::size_t{3000}}) {
        Options options;
        options.result_delay_operations = delay;
        options.multi_scale_factor = 64;
        const std::vector<Event> expected = events_of(options, nullptr);
        LateExecutor late;
        EXPECT_TRUE(events_of(options, &late) == expected) << "delay " << delay;
        EXPECT_GT(late.helped, 0);
        ThreadedExecutor threaded(3);
        EXPECT_TRUE(events_of(options, &threaded) == expected) << "delay " << delay;
        EXPECT_GT(threaded.submitted(), 0);
    }
}

TEST(AsynchronousMining, the_default_delay_of_a_result_is_the_length_of_its_slice) {
    const Options options;
    LateExecutor late;
    ThreadedExecutor threaded(2);
    const std::vector<Event> expected = events_of(options, &late);
    EXPECT_TRUE(events_of(options, &threaded) == expected);
    std::size_t before_first_trace = 0;
    while (expected[before_first_trace].kind == Event::Kind::issue) ++before_first_trace;
    EXPECT_GE(before_first_trace, 2 * options.multi_scale_factor - 100);
    EXPECT_LE(before_first_trace, 3 * options.multi_scale_factor);
}

TEST(AsynchronousMining, synchronous_mining_does_not_use_the_executor) {
    class Refusing final : public MiningExecutor {
      public:
        void submit(Job) override { FAIL() << "a job was submitted"; }
        void help() override { FAIL() << "help was called"; }
    } refusing;
    Options options;
    options.synchronous_mining = true;
    EXPECT_TRUE(events_of(options, &refusing) == events_of(options, nullptr));
}

TEST(AsynchronousMining, a_tracer_can_be_destroyed_while_jobs_are_pending) {
    for (int round = 0; round < 20; ++round) {
        LateExecutor late;
        ThreadedExecutor threaded(1);
        for (MiningExecutor* executor :
             {static_cast<MiningExecutor*>(&late), static_cast<MiningExecutor*>(&threaded)}) {
            RecordingHost host;
            AutoTracer tracer({}, host, executor);
            Launcher launch(tracer, host);
            for (const std::uint64_t token : loop(100, 600 + static_cast<unsigned>(round) * 100)) {
                launch.operation(token);
            }
        }
        EXPECT_GT(late.helped, 0);
    }
}

}  // namespace
}  // namespace refrain::autotrace::testing::asynchronous_mining_test

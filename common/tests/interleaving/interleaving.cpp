#include "interleaving/interleaving.hpp"

#include "base/exchanged.hpp"

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <ostream>
#include <random>
#include <stdexcept>
#include <thread>

namespace refrain::interleaving {
namespace {

/// Thrown to unwind the threads of a failed run.
class Abandoned : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

std::string describe(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "a thread threw an object that is not a std::exception";
    }
}

/// Makes the choices of a run.
class Chooser {
  public:
    virtual std::size_t pick(std::size_t options) = 0;  // one of 0 .. options - 1
    virtual bool stay() = 0;  // whether the running thread continues without a choice
    virtual bool fail_spuriously() = 0;
    [[nodiscard]] virtual std::string name() const = 0;

  protected:
    ~Chooser() = default;
};

/// Choices from a seed. Some seeds switch at every other step and find races of neighbouring steps;
/// others switch rarely and let one thread run far ahead.
class SeededChooser final : public Chooser {
  public:
    explicit SeededChooser(std::uint64_t seed)
        : seed_(seed),
          random_(seed * 0x9e3779b97f4a7c15U + 1),
          steps_per_switch_(std::uint64_t{2} << (seed % 5)) {}

    std::size_t pick(std::size_t options) override {
        return static_cast<std::size_t>(random_() % options);
    }
    bool stay() override { return random_() % steps_per_switch_ != 0; }
    bool fail_spuriously() override { return random_() % 16 == 0; }
    [[nodiscard]] std::string name() const override { return "seed " + std::to_string(seed_); }

  private:
    std::uint64_t seed_;
    std::mt19937_64 random_;
    std::uint64_t steps_per_switch_;
};

/// All sequences of choices, one per run, in lexicographic order.
class ExhaustiveChooser final : public Chooser {
  public:
    std::size_t pick(std::size_t options) override {
        if (options == 1) return 0;
        if (depth_ == choices_.size()) choices_.push_back({0, options});
        return choices_[depth_++].taken;
    }
    bool stay() override { return false; }
    bool fail_spuriously() override { return false; }
    [[nodiscard]] std::string name() const override {
        std::string text = "choices";
        for (const std::size_t choice : schedule()) text.append(" ").append(std::to_string(choice));
        return text;
    }

    /// Moves to the next sequence; false if there is none.
    bool advance() {
        choices_.resize(depth_);
        depth_ = 0;
        while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().options) {
            choices_.pop_back();
        }
        if (choices_.empty()) return false;
        ++choices_.back().taken;
        return true;
    }

    [[nodiscard]] std::vector<std::size_t> schedule() const {
        std::vector<std::size_t> taken;
        for (std::size_t i = 0; i < depth_; ++i) taken.push_back(choices_[i].taken);
        return taken;
    }

  private:
    struct Choice {
        std::size_t taken;
        std::size_t options;
    };
    std::vector<Choice> choices_;
    std::size_t depth_ = 0;
};

enum class State { ready, parked, finished };

class Run;

/// One thread of a run, and what it has for a scheduler.
class Participant final : public base::Scheduler {
  public:
    Participant(Run& of, std::size_t at) : run(of), index(at) {}

    Run& run;
    std::size_t index;
    State state = State::ready;
    const void* parked_at = nullptr;  // while parked
    std::condition_variable turn;

  private:
    void take_step() override;
    void park_at(const void* address) override;
    void wake_one_at(const void* address) override;
    void wake_all_at(const void* address) override;
    bool chooses_spurious_failure() override;
};

/// One run of some bodies.
///
/// I1  Exactly one thread has the turn: the one whose index is running_. Only that thread accesses
///     members other than running_.
/// I2  running_ is written under mutex_, so the next thread sees everything that the previous one
///     did during its turn.
class Run {
  public:
    Run(Chooser& chooser, std::size_t threads, std::uint64_t steps_max)
        : chooser_(chooser), steps_max_(steps_max) {
        for (std::size_t index = 0; index < threads; ++index)
            participants_.push_back(std::make_unique<Participant>(*this, index));
    }

    std::uint64_t execute(const Bodies& bodies) {
        std::vector<std::thread> threads;
        threads.reserve(bodies.size());
        for (std::size_t index = 0; index < bodies.size(); ++index) {
            threads.emplace_back(
                [this, index, &bodies] { run_body(*participants_[index], bodies[index]); });
        }
        if (!bodies.empty()) give_turn(*pick_ready());
        for (std::thread& thread : threads) thread.join();
        if (failure_) std::rethrow_exception(failure_);
        return steps_;
    }

    void step(Participant& me) {
        if (failure_) return unwind();
        if (++steps_ > steps_max_) {
            fail(std::runtime_error("no end after " + std::to_string(steps_max_) +
                                    " steps: threads wait for each other in a loop"));
            return unwind();
        }
        if (chooser_.stay()) return;
        switch_from(me);
    }

    void park(Participant& me, const void* address) {
        if (failure_) return unwind();
        me.state = State::parked;
        me.parked_at = address;
        switch_from(me);
    }

    void unpark_one(const void* address) {
        std::vector<Participant*> waiting = parked_at(address);
        if (!waiting.empty()) waiting[chooser_.pick(waiting.size())]->state = State::ready;
    }

    void unpark_all(const void* address) {
        for (Participant* waiting : parked_at(address)) waiting->state = State::ready;
    }

    bool fail_spuriously() { return !failure_ && chooser_.fail_spuriously(); }

  private:
    void run_body(Participant& me, const Body& body) {
        const base::Exchanged<base::Scheduler*> current(base::Scheduler::current, &me);
        wait_for_turn(me);
        try {
            if (!failure_) body();
        } catch (const Abandoned&) {
        } catch (...) {
            if (!failure_) failure_ = std::current_exception();
        }
        me.state = State::finished;
        if (Participant* next = pick_ready()) give_turn(*next);
    }

    /// Gives the turn to a ready thread, perhaps the same one, and returns when this thread has it
    /// again.
    void switch_from(Participant& me) {
        Participant* next = pick_ready();
        if (next != &me) {
            give_turn(*next);
            wait_for_turn(me);
        }
        if (failure_) unwind();
    }

    /// Any ready thread; nullptr if all have finished. If all unfinished threads are parked, the
    /// run has failed and they are woken to be unwound.
    Participant* pick_ready() {
        if (failure_) wake_everyone();
        std::vector<Participant*> ready = in_state(State::ready);
        if (ready.empty() && !in_state(State::parked).empty()) {
            fail(std::runtime_error(
                "every thread that has not finished is parked: a wake-up is missing"));
            wake_everyone();
            ready = in_state(State::ready);
        }
        return ready.empty() ? nullptr : ready[chooser_.pick(ready.size())];
    }

    void give_turn(Participant& next) {
        const std::lock_guard lock(mutex_);
        running_ = next.index;  // I2
        next.turn.notify_one();
    }

    void wait_for_turn(Participant& me) {
        std::unique_lock lock(mutex_);
        me.turn.wait(lock, [&] { return running_ == me.index; });
    }

    void fail(const std::runtime_error& error) { failure_ = std::make_exception_ptr(error); }

    /// Unwinds the body of a failed run, unless its stack is unwinding already.
    void unwind() const {
        if (std::uncaught_exceptions() > 0) return;
        throw Abandoned("interleaving of " + chooser_.name() + " abandoned: " + describe(failure_));
    }

    void wake_everyone() {
        for (Participant* parked : in_state(State::parked)) parked->state = State::ready;
    }

    [[nodiscard]] std::vector<Participant*> in_state(State state) const {
        std::vector<Participant*> found;
        for (const auto& participant : participants_) {
            if (participant->state == state) found.push_back(participant.get());
        }
        return found;
    }

    [[nodiscard]] std::vector<Participant*> parked_at(const void* address) const {
        std::vector<Participant*> found = in_state(State::parked);
        std::erase_if(found, [&](const Participant* p) { return p->parked_at != address; });
        return found;
    }

    static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

    Chooser& chooser_;
    std::uint64_t steps_max_;
    std::uint64_t steps_ = 0;
    std::vector<std::unique_ptr<Participant>> participants_;
    std::exception_ptr failure_;
    std::mutex mutex_;
    std::size_t running_ = nobody;  // guarded by mutex_
};

void Participant::take_step() {
    run.step(*this);
}
void Participant::park_at(const void* address) {
    run.park(*this, address);
}
void Participant::wake_one_at(const void* address) {
    run.unpark_one(address);
}
void Participant::wake_all_at(const void* address) {
    run.unpark_all(address);
}
bool Participant::chooses_spurious_failure() {
    return run.fail_spuriously();
}

/// One run and its check; notes a failure in `report`.
void try_once(Chooser& chooser, const std::function<Bodies()>& make_bodies,
              const std::function<bool()>& check, std::uint64_t steps_max, Report& report) {
    ++report.runs;
    try {
        const Bodies bodies = make_bodies();
        report.steps += Run(chooser, bodies.size(), steps_max).execute(bodies);
        if (!check()) report.failure = "the check after the run is false";
    } catch (...) {
        report.failure = describe(std::current_exception());
    }
}

}  // namespace

std::uint64_t run(std::uint64_t seed, const Bodies& bodies, std::uint64_t steps_max) {
    SeededChooser chooser(seed);
    return Run(chooser, bodies.size(), steps_max).execute(bodies);
}

Report explore(Seeds seeds, const std::function<Bodies()>& make_bodies,
               const std::function<bool()>& check, std::uint64_t steps_max) {
    Report report;
    for (std::uint64_t i = 0; i < seeds.count && report.passed(); ++i) {
        SeededChooser chooser(seeds.first + i);
        try_once(chooser, make_bodies, check, steps_max, report);
        if (!report.passed()) report.failing_seed = seeds.first + i;
    }
    return report;
}

Report explore_all(const std::function<Bodies()>& make_bodies, const std::function<bool()>& check,
                   std::uint64_t runs_max, std::uint64_t steps_max) {
    Report report;
    ExhaustiveChooser chooser;
    while (report.runs < runs_max) {
        try_once(chooser, make_bodies, check, steps_max, report);
        if (!report.passed()) {
            report.failing_schedule = chooser.schedule();
            return report;
        }
        if (!chooser.advance()) {
            report.exhaustive = true;
            return report;
        }
    }
    return report;
}

std::ostream& operator<<(std::ostream& out, const Report& report) {
    out << report.runs << " runs, " << report.steps << " steps";
    if (report.exhaustive) out << ", every interleaving";
    if (report.passed()) return out;
    out << ": " << report.failure;
    if (report.failing_seed) out << " (seed " << *report.failing_seed << ")";
    if (!report.failing_schedule.empty()) {
        out << " (choices";
        for (const std::size_t choice : report.failing_schedule) out << ' ' << choice;
        out << ')';
    }
    return out;
}

}  // namespace refrain::interleaving

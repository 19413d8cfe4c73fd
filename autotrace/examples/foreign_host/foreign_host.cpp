/// Automatic tracing for a runtime other than Refrain.
///
/// The runtime is a small interpreter of vector commands. Before it runs a command, it looks up the
/// names of the operands and checks their lengths; a recorded list of commands runs with the
/// addresses found at recording. It can begin and end a list, but does not know when a program
/// repeats: refrain::autotrace finds that out. The program below has no annotations.

#include <cstdint>
#include <cstdio>
#include <map>
#include <refrain/autotrace.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace autotrace = refrain::autotrace;
using Vector = std::vector<double>;

/// to = factor * a + b, element by element.
struct Command {
    std::string to, a, b;
    double factor;
};

class Interpreter final : public autotrace::TraceHost {
  public:
    void define(const std::string& name, Vector value) { vectors_[name] = std::move(value); }

    /// Called by the program; the tracer calls issue.
    void launch(Command command) {
        // Contains everything that resolve depends on, and nothing else.
        const autotrace::Token token{number(command.to) << 32 | number(command.a),
                                     number(command.b)};
        pending_.push_back(std::move(command));
        tracer_.operation(token, first_pending_ + pending_.size() - 1);
    }

    /// A blocking read: issues all held commands first.
    const Vector& read(const std::string& name) {
        tracer_.flush();
        return vectors_.at(name);
    }

    [[nodiscard]] const autotrace::Statistics& statistics() const { return tracer_.statistics(); }
    [[nodiscard]] std::size_t checks() const { return checks_; }

  private:
    struct Resolved {
        Vector* to;
        const Vector* a;
        const Vector* b;
    };
    enum class Mode { direct, recording, replaying };

    /// Unique for each name.
    std::uint64_t number(const std::string& name) {
        return numbers_.emplace(name, numbers_.size()).first->second;
    }

    void issue(autotrace::OperationHandle operation) override {
        const Command& command = pending_[operation - first_pending_];
        if (mode_ == Mode::replaying) {
            run((*list_)[next_++], command.factor);  // no names, no checks
        } else {
            const Resolved resolved = resolve(command);
            if (mode_ == Mode::recording) list_->push_back(resolved);
            run(resolved, command.factor);
        }
        if (operation - first_pending_ + 1 == pending_.size()) {
            first_pending_ += pending_.size();
            pending_.clear();
        }
    }
    void begin_trace(autotrace::TraceId trace, std::size_t length) override {
        list_ = &lists_[trace];
        mode_ = list_->empty() ? Mode::recording : Mode::replaying;
        list_->reserve(length);
        next_ = 0;
    }
    void end_trace(autotrace::TraceId /*trace*/) override { mode_ = Mode::direct; }
    void forget_trace(autotrace::TraceId trace) override { lists_.erase(trace); }

    /// The expensive part of a command, which a recorded list saves.
    Resolved resolve(const Command& command) {
        ++checks_;
        const Resolved found{&vectors_.at(command.to), &vectors_.at(command.a),
                             &vectors_.at(command.b)};
        if (found.to->size() != found.a->size() || found.to->size() != found.b->size()) {
            throw std::invalid_argument("lengths differ in the command that sets " + command.to);
        }
        return found;
    }
    static void run(const Resolved& on, double factor) {
        for (std::size_t i = 0; i < on.to->size(); ++i) {
            (*on.to)[i] = factor * (*on.a)[i] + (*on.b)[i];
        }
    }

    std::map<std::string, std::uint64_t> numbers_;
    std::map<std::string, Vector> vectors_;
    std::map<autotrace::TraceId, std::vector<Resolved>> lists_;
    std::vector<Resolved>* list_ = nullptr;
    std::size_t next_ = 0;
    Mode mode_ = Mode::direct;
    std::size_t checks_ = 0;
    std::vector<Command> pending_;
    autotrace::OperationHandle first_pending_ = 0;
    autotrace::AutoTracer tracer_{{}, *this};
};

/// Damped rotation of (x, y). Each iteration is the same list of commands, but the program does not
/// say so.
double simulate(Interpreter& machine, int steps) {
    machine.define("x", Vector(8, 1.0));
    machine.define("y", Vector(8, 0.0));
    machine.define("old", Vector(8, 0.0));
    machine.define("zero", Vector(8, 0.0));
    for (int step = 0; step < steps; ++step) {
        machine.launch({"old", "x", "zero", 1.0});
        machine.launch({"x", "y", "x", -0.01 * (step % 3)});  // the factor is not part of the token
        machine.launch({"y", "old", "y", 0.01});
        machine.launch({"x", "x", "zero", 0.999});
        machine.launch({"y", "y", "zero", 0.999});
    }
    return machine.read("x")[0];
}

double expected(int steps) {
    double x = 1;
    double y = 0;
    for (int step = 0; step < steps; ++step) {
        const double old = 1.0 * x + 0;
        x = -0.01 * (step % 3) * y + x;
        y = 0.01 * old + y;
        x = 0.999 * x + 0;
        y = 0.999 * y + 0;
    }
    return x;
}

}  // namespace

int main() {
    constexpr int steps = 2000;
    Interpreter machine;
    const double x = simulate(machine, steps);
    const autotrace::Statistics& counts = machine.statistics();
    std::printf("x = %.12f, expected %.12f\n", x, expected(steps));
    std::printf("%llu commands, %zu looked up and checked, %llu replayed from %llu lists\n",
                static_cast<unsigned long long>(counts.operations), machine.checks(),
                static_cast<unsigned long long>(counts.replayed),
                static_cast<unsigned long long>(counts.traces));
    const bool saved = machine.checks() < counts.operations / 10;
    return x == expected(steps) && saved ? 0 : 1;
}

/// Precedents of operations for a runtime other than Refrain.
///
/// The runtime sends vector commands to a device that runs them in any order, with the earlier
/// commands that each one waits for. To find these, it searches the commands in flight. It reuses
/// the result of one command for a later one in the same context, which refrain::autotrace finds.
/// There are no traces, so no command is held back; and vectors are named by their last use, so
/// temporaries may be new in each iteration.

#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <map>
#include <refrain/inline_recogniser.hpp>
#include <vector>

namespace {

namespace autotrace = refrain::autotrace;

/// At most this many commands are in flight; older ones have finished.
constexpr std::uint32_t window = 64;

/// vectors[0] = f(vectors[1], vectors[2]).
struct Command {
    std::array<std::uint64_t, 3> vectors;
    [[nodiscard]] std::uint64_t to() const { return vectors[0]; }
    [[nodiscard]] bool reads(std::uint64_t v) const { return v == vectors[1] || v == vectors[2]; }
};

/// The commands that a command waits for. Valid wherever the preceding `lookback` commands match
/// too.
struct Waits {
    std::vector<std::uint32_t> ago;  // distances to those commands
    std::uint32_t lookback = 0;      // commands examined; 0: not known
};

class Device {
  public:
    void launch(const Command& command) {
        const auto words = describe(command);
        commands_.push_back(command);
        const auto found = recogniser_.operation(words);
        found.unfolded.repeat_in(known_);  // before anything else
        Waits waits;
        if (found.precedent) waits = known_at(*found.precedent);
        // Valid here if this command and all examined ones equal those of the precedent.
        if (waits.lookback != 0 && recogniser_.is_proved(waits.lookback + 1))
            ++served_;
        else
            waits = find_waits();
        if (waits.ago != find_waits().ago) ++wrong_;  // checks the example: never happens
        known_at(found.position) = std::move(waits);
    }

    [[nodiscard]] std::size_t commands() const { return commands_.size(); }
    [[nodiscard]] std::size_t served() const { return served_; }
    [[nodiscard]] std::size_t wrong() const { return wrong_; }

  private:
    struct Use {
        std::size_t command = 0;
        std::size_t place = 0;
    };

    /// The result for the command at a position at most capacity() ago.
    Waits& known_at(autotrace::InlineRecogniser::Position position) {
        return known_[position % known_.size()];
    }

    /// Each vector by its last use: how many commands ago, and in which place. If successive
    /// commands have equal words, the same of their vectors are identical.
    std::array<std::uint64_t, 3> describe(const Command& command) {
        std::array<std::uint64_t, 3> words{};
        const std::size_t now = commands_.size();
        for (std::size_t place = 0; place < 3; ++place) {
            const auto [at, is_new] = last_use_.try_emplace(command.vectors[place]);
            const bool is_old = is_new || now - at->second.command >= window;
            constexpr std::uint64_t old_or_new = std::numeric_limits<std::uint64_t>::max();
            words[place] = is_old ? old_or_new : 3 * (now - at->second.command) + at->second.place;
            at->second = {now, place};
        }
        return words;
    }

    /// Searches backwards from the newest command. The search for a vector ends at a command that
    /// writes it, since that one has waited for all earlier uses.
    [[nodiscard]] Waits find_waits() const {
        const std::size_t now = commands_.size() - 1;
        const Command& command = commands_[now];
        std::array<bool, 3> is_open = {true, true, true};
        Waits waits;
        while (is_open[0] || is_open[1] || is_open[2]) {
            if (++waits.lookback == window) return waits;
            if (waits.lookback > now) {  // depends on the absence of earlier commands
                waits.lookback = window;
                return waits;
            }
            const Command& earlier = commands_[now - waits.lookback];
            bool conflicts = is_open[0] && earlier.reads(command.to());
            for (std::size_t place = 0; place < 3; ++place) {
                if (!is_open[place] || earlier.to() != command.vectors[place]) continue;
                conflicts = true;
                is_open[place] = false;
            }
            if (conflicts) waits.ago.push_back(waits.lookback);
        }
        return waits;
    }

    autotrace::InlineRecogniser recogniser_{{.context_max = window + 1}};
    std::vector<Waits> known_ = std::vector<Waits>(recogniser_.capacity());  // by position
    std::map<std::uint64_t, Use> last_use_;  // by vector; a runtime would keep it with the vector
    std::vector<Command> commands_;
    std::size_t served_ = 0;
    std::size_t wrong_ = 0;
};

/// Each iteration has two new temporaries; every tenth one also computes a sum.
void simulate(Device& device, std::uint64_t steps) {
    constexpr std::uint64_t x = 0, y = 1, constant = 2, sum = 3;
    std::uint64_t next = 4;
    for (std::uint64_t step = 0; step < steps; ++step) {
        const std::uint64_t slope = next++;
        const std::uint64_t change = next++;
        device.launch({{slope, x, y}});
        device.launch({{change, slope, constant}});
        device.launch({{x, x, change}});
        device.launch({{y, slope, y}});
        if (step % 10 == 9) device.launch({{sum, x, x}});
    }
}

}  // namespace

int main() {
    Device device;
    simulate(device, 2000);
    std::printf("%zu commands, %zu served from precedents, %zu of them wrong\n", device.commands(),
                device.served(), device.wrong());
    return device.wrong() == 0 && device.served() > device.commands() / 100 * 98 ? 0 : 1;
}

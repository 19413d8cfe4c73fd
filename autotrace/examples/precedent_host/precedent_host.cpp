/// A precedent for each operation, in a runtime that is not Refrain.
///
/// The runtime here feeds vector commands to a device that runs them in any order, and so tells it
/// for each command which earlier ones it waits for. To find that out it looks back through the
/// commands under way. What it found for one command it uses again for a later one in the same
/// context: refrain::autotrace says which that is. Nothing is recorded as a whole, so nothing is
/// held back; and vectors are named by their last use, so that temporaries may be new each time.

#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <map>
#include <refrain/inline_recogniser.hpp>
#include <vector>

namespace {

namespace autotrace = refrain::autotrace;

/// The device has at most so many commands under way: whatever is older has been run.
constexpr std::uint32_t window = 64;

/// vectors[0] = something of vectors[1] and vectors[2].
struct Command {
    std::array<std::uint64_t, 3> vectors;
    [[nodiscard]] std::uint64_t to() const { return vectors[0]; }
    [[nodiscard]] bool reads(std::uint64_t v) const { return v == vectors[1] || v == vectors[2]; }
};

/// What a command waits for, and what that depends on.
struct Waits {
    std::vector<std::uint32_t> ago;  // so many commands before it
    std::uint32_t reach = 0;         // so many were looked at; 0: nothing is known
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
        // It holds if all that was looked at is the same here, this command included.
        if (waits.reach != 0 && recogniser_.is_proved(waits.reach + 1))
            ++served_;
        else
            waits = look_back();
        if (waits.ago != look_back().ago) ++wrong_;  // the proof of the example: never
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

    /// What was found for the operation at a position, which is at most the capacity ago.
    Waits& known_at(autotrace::InlineRecogniser::Position position) {
        return known_[position % known_.size()];
    }

    /// Each vector by its last use: how many commands ago, and as what. Equal words of some commands
    /// in a row mean that the same of their vectors are one.
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

    /// Of the newest command. Whoever writes one of its vectors has waited for all that came before.
    [[nodiscard]] Waits look_back() const {
        const std::size_t now = commands_.size() - 1;
        const Command& command = commands_[now];
        std::array<bool, 3> is_open = {true, true, true};
        Waits waits;
        while (is_open[0] || is_open[1] || is_open[2]) {
            if (++waits.reach == window) return waits;
            if (waits.reach > now) {  // that nothing came before is a look at the whole window
                waits.reach = window;
                return waits;
            }
            const Command& earlier = commands_[now - waits.reach];
            bool conflicts = is_open[0] && earlier.reads(command.to());
            for (std::size_t place = 0; place < 3; ++place) {
                if (!is_open[place] || earlier.to() != command.vectors[place]) continue;
                conflicts = true;
                is_open[place] = false;
            }
            if (conflicts) waits.ago.push_back(waits.reach);
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

/// An iteration with two temporaries, which are new each time, and now and then a look at the sum.
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

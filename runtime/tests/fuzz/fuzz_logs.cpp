#include "fuzz/fuzz_logs.hpp"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

#include "fuzz/damaged_log.hpp"
#include "property/execute.hpp"
#include "property/generator.hpp"
#include "property/isolated.hpp"
#include "property/random.hpp"

namespace refrain::property {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int damages_per_log = 300;

/// The log that a run of the seed's program writes.
std::string log_of(std::uint64_t seed) {
    const Mode& mode = *find_mode("inline-watched");
    static_cast<void>(execute(generate(seed, limits_for(mode)), mode));
    const auto files = files_of_watched_runs();
    std::ostringstream text;
    text << std::ifstream(files[2]).rdbuf();
    for (const std::string& file : files) std::remove(file.c_str());
    return text.str();
}

/// Cuts, alters, inserts, deletes and repeats, once or a few times.
void damage(std::string& log, Random& random) {
    for (int times = random.between(1, 4); times > 0 && !log.empty(); --times) {
        const std::size_t at = random.word() % log.size();
        const std::size_t length = random.word() % 40;
        const char letter =
            random.once_in(2) ? static_cast<char>(random.word()) : log[random.word() % log.size()];
        switch (random.below(5)) {
            case 0:
                log.resize(at);
                break;
            case 1:
                log[at] = letter;
                break;
            case 2:
                log.insert(at, 1 + random.word() % 3, letter);
                break;
            case 3:
                log.erase(at, length);
                break;
            default:
                log.insert(at, std::string(log, random.word() % log.size(), length));
        }
    }
}

std::string fault_of_seed(std::uint64_t seed) {
    const std::string log = log_of(seed);
    std::string fault = damaged_log::fault_of(log);
    if (!fault.empty()) return "undamaged: " + fault;
    Random random(seed);
    for (int i = 0; i < damages_per_log; ++i) {
        std::string damaged = log;
        damage(damaged, random);
        fault = damaged_log::fault_of(damaged);
        if (!fault.empty()) return fault + "\nthe log:\n" + damaged;
    }
    return "";
}

}  // namespace

bool fuzz_logs(const LogCampaign& campaign) {
    const auto deadline = Clock::now() + std::chrono::duration<double>(campaign.seconds);
    std::uint64_t seed = campaign.first_seed;
    for (; campaign.count == 0 ? Clock::now() < deadline
                               : seed < campaign.first_seed + campaign.count;
         ++seed) {
        const std::string fault =
            run_isolated([&] { return fault_of_seed(seed); }, std::chrono::minutes(5));
        if (fault.empty()) continue;
        std::printf("damaged logs: seed %llu: %s\nagain: tools/fuzz --logs --seed %llu --count 1\n",
                    static_cast<unsigned long long>(seed), fault.c_str(),
                    static_cast<unsigned long long>(seed));
        return false;
    }
    const std::uint64_t logs = seed - campaign.first_seed;
    std::printf("damaged logs             seeds %llu to %llu: %llu logs, %llu times damaged\n",
                static_cast<unsigned long long>(campaign.first_seed),
                static_cast<unsigned long long>(seed), static_cast<unsigned long long>(logs),
                static_cast<unsigned long long>(logs * damages_per_log));
    return true;
}

}  // namespace refrain::property

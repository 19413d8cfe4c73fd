/// Checks random programs against the sequential oracle for a given time.
///
///     refrain-fuzz --seconds 600                       every mode, 600 seconds in all
///     refrain-fuzz --seconds 60 --mode auto-async-2    one mode
///     refrain-fuzz --mode manual-2 --seed 17 --count 1 reruns one program
///     refrain-fuzz --logs --seconds 60                 damages what runs log, and reads it
///
/// Shrinks a failing program, prints it with the command that reruns it, and exits with 1.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/fuzz_logs.hpp"
#include "property/check.hpp"

namespace {

using refrain::property::all_modes;
using refrain::property::Campaign;
using refrain::property::Mode;

struct Arguments {
    double seconds = 10;
    std::uint64_t seed = 0;
    bool seed_given = false;
    std::uint64_t count = 0;  // 0: until the time is up
    std::vector<Mode> modes;
    bool print = false;
    bool logs = false;
};

[[noreturn]] void usage(int status) {
    std::FILE* out = status == EXIT_SUCCESS ? stdout : stderr;
    std::fputs(
        "Runs random programs in Refrain and compares them with a sequential oracle.\n\n"
        "  --seconds N   total time of all modes (default 10)\n"
        "  --seed S      the first seed (default: from the clock)\n"
        "  --count C     programs per mode (default: until the time is up)\n"
        "  --mode M      only this mode; may be given several times\n"
        "  --print       print the program of the seed instead of running it\n"
        "  --logs        damage the logs of random programs, and read them with `refrain mine` "
        "and\n"
        "                `refrain report`, instead of comparing results\n\n"
        "Modes:",
        out);
    for (const Mode& mode : all_modes()) std::fprintf(out, " %s", mode.name);
    std::fputs("\n", out);
    std::exit(status);
}

std::uint64_t number(const char* text, const char* option) {
    char* end = nullptr;
    const unsigned long long value = std::strtoull(text, &end, 10);
    if (end == text || *end != '\0') {
        std::fprintf(stderr, "%s %s: not a whole number; give digits only\n", option, text);
        std::exit(EXIT_FAILURE);
    }
    return value;
}

Mode mode_named(const char* name) {
    const Mode* mode = refrain::property::find_mode(name);
    if (mode != nullptr) return *mode;
    std::fprintf(stderr, "--mode %s: unknown mode; the modes are listed below\n\n", name);
    usage(EXIT_FAILURE);
}

Arguments parse(int argc, char** argv) {
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--help" || option == "-h") usage(EXIT_SUCCESS);
        if (option == "--print") {
            arguments.print = true;
            continue;
        }
        if (option == "--logs") {
            arguments.logs = true;
            continue;
        }
        if (i + 1 == argc) usage(EXIT_FAILURE);
        const char* value = argv[++i];
        if (option == "--seconds") {
            arguments.seconds = static_cast<double>(number(value, "--seconds"));
        } else if (option == "--seed") {
            arguments.seed = number(value, "--seed");
            arguments.seed_given = true;
        } else if (option == "--count") {
            arguments.count = number(value, "--count");
        } else if (option == "--mode") {
            arguments.modes.push_back(mode_named(value));
        } else {
            usage(EXIT_FAILURE);
        }
    }
    if (arguments.modes.empty()) arguments.modes.assign(all_modes().begin(), all_modes().end());
    if (!arguments.seed_given)
        arguments.seed = static_cast<std::uint64_t>(
                             std::chrono::system_clock::now().time_since_epoch().count()) %
                         1000000000000;
    return arguments;
}

/// Returns whether all programs passed.
bool fuzz(const Mode& mode, const Arguments& arguments) {
    Campaign campaign;
    campaign.first_seed = arguments.seed;
    campaign.count = arguments.count != 0 ? arguments.count : ~std::uint64_t{0} - arguments.seed;
    campaign.seconds = arguments.seconds / static_cast<double>(arguments.modes.size());
    const auto failing = refrain::property::find_failure(mode, campaign);
    std::printf("%-24s seeds %llu to %llu: %llu programs", mode.name,
                static_cast<unsigned long long>(campaign.first_seed),
                static_cast<unsigned long long>(campaign.first_seed + campaign.checked),
                static_cast<unsigned long long>(campaign.checked));
    if (!failing) {
        const auto percent = [&](std::uint64_t operations) {
            return campaign.operations == 0 ? 0.0
                                            : 100.0 * static_cast<double>(operations) /
                                                  static_cast<double>(campaign.operations);
        };
        std::printf(", %llu operations, %.0f %% replayed",
                    static_cast<unsigned long long>(campaign.operations),
                    percent(campaign.replayed));
        if (campaign.in_lanes != 0) std::printf(", %.0f %% in lanes", percent(campaign.in_lanes));
        if (campaign.direct != 0)
            std::printf(", %.0f %% inside of their calls", percent(campaign.direct));
        if (campaign.in_rows != 0) std::printf(", %.0f %% in rows", percent(campaign.in_rows));
        std::printf("\n");
        std::fflush(stdout);
        return true;
    }
    std::printf(", then a failure:\n%s\nshrinking it ...\n", failing->difference.c_str());
    std::fflush(stdout);
    std::fputs(refrain::property::explain(*failing, mode).c_str(), stdout);
    std::fflush(stdout);
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments arguments = parse(argc, argv);
    if (arguments.logs) {
        const bool passed =
            refrain::property::fuzz_logs({arguments.seed, arguments.count, arguments.seconds});
        return passed ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    bool clean = true;
    for (const Mode& mode : arguments.modes) {
        if (arguments.print) {
            const auto program = refrain::property::generate(arguments.seed, limits_for(mode));
            std::fputs(refrain::property::print(program).c_str(), stdout);
            continue;
        }
        clean = fuzz(mode, arguments) && clean;
    }
    return clean ? EXIT_SUCCESS : EXIT_FAILURE;
}

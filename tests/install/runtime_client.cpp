#include <cstdio>
#include <refrain/options.hpp>

int main(int argc, char** argv) {
    const refrain::Options options = refrain::Options::from_arguments(argc, argv);
    std::printf("%u workers\n", options.worker_count());
    return options.workers == 2 && argc == 1 ? 0 : 1;
}

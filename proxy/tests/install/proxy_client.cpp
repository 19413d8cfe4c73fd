// A program of somebody else: finds the installed library, and is told what is wrong with a file.
#include <cstdio>
#include <cstring>
#include <refrain/proxy/recording_file.hpp>
#include <stdexcept>

int main(int, char** argv) {
    try {
        const refrain::proxy::RecordingFile file(argv[0]);
        return 1;  // a program is no recording
    } catch (const std::runtime_error& error) {
        std::puts(error.what());
        return std::strstr(error.what(), "is no recording") != nullptr ? 0 : 1;
    }
}

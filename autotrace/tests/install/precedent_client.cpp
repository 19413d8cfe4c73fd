// A host that uses precedents, with the installed library.
#include <array>
#include <cstdio>
#include <refrain/inline_recogniser.hpp>
#include <vector>

int main() {
    constexpr std::uint64_t operations = 30'000;
    refrain::autotrace::InlineRecogniser recogniser({});
    std::vector<std::uint64_t> notes(recogniser.capacity());
    std::uint64_t served = 0;
    bool is_right = true;
    for (std::uint64_t i = 0; i < operations; ++i) {
        const std::array<std::uint64_t, 2> words = {i % 10, 1};
        const auto found = recogniser.operation(words);
        found.unfolded.repeat_in(notes);
        if (found.precedent && recogniser.is_proved(5)) {
            is_right = is_right && notes[*found.precedent % notes.size()] == words[0];
            ++served;
        }
        notes[found.position % notes.size()] = words[0];
    }
    std::printf("%llu of %llu operations served\n", static_cast<unsigned long long>(served),
                static_cast<unsigned long long>(operations));
    return is_right && served == operations - 14 ? 0 : 1;
}

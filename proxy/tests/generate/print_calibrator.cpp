/// Prints portable blocks, for tests that compile them: without words the program that measures all, else the blocks of these
/// names, as a proxy has them.
#include "generate/blocks.hpp"

#include <iostream>

using namespace refrain::proxy;

int main(int argc, char** argv) {
    if (argc == 1) {
        std::cout << calibrator_text(BlockKind::portable);
    } else {
        BlockEvent event;
        for (int i = 1; i < argc; ++i)
            event.rates.emplace_back(block_named(BlockKind::portable, argv[i]).value(), 1.5);
        std::cout << blocks_text(BlockKind::portable, std::vector{event});
    }
    return std::cout.flush() ? 0 : 1;
}

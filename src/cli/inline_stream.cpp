#include "cli/inline_stream.hpp"

namespace refrain::cli {
namespace {

autotrace::InlineRecogniser::Options options_with(unsigned capacity_log2) {
    autotrace::InlineRecogniser::Options options;
    options.capacity_log2 = capacity_log2;
    options.fold_loops = true;
    return options;
}

}  // namespace

InlineStream::InlineStream(unsigned capacity_log2)
    : recogniser_(options_with(capacity_log2)), handles_(recogniser_.capacity()) {}

}  // namespace refrain::cli

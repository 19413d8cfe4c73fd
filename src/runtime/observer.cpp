#include "runtime/observer.hpp"

namespace refrain::runtime {

std::unique_ptr<Observer> Observer::make(const Options& options) {
    if (options.log_stream.empty()) return nullptr;
    return std::unique_ptr<Observer>(new Observer(options));
}

Observer::Observer(const Options& options) {
    if (!options.log_stream.empty()) stream_.emplace(options.log_stream);
}

}  // namespace refrain::runtime

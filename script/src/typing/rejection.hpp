#pragma once

#include "syntax/diagnostics.hpp"

#include <string>
#include <utility>
#include <vector>

namespace refrain::script {

/// Thrown where a statement is refused; the front end reports it and goes on with the next statement. An empty text
/// means that the cause was reported before.
struct Rejection {
    Diagnostic diagnostic;
};

[[noreturn]] inline void reject(Code code, Position at, std::string text, Help help = {},
                                std::vector<Diagnostic::Note> notes = {}) {
    throw Rejection{{code, at, std::move(text), std::move(help), std::move(notes)}};
}
[[noreturn]] inline void reject_again() {
    throw Rejection{};
}
/// Does the work; reports why it was refused.
template <class Work>
void guarded(Diagnostics& diagnostics, Work work) {
    try {
        work();
    } catch (const Rejection& refused) {
        if (!refused.diagnostic.text.empty()) diagnostics.error(refused.diagnostic);
    }
}

}  // namespace refrain::script

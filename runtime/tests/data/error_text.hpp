/// The message of the exception that a call must throw.
#pragma once

#include "refrain/error.hpp"

#include <gtest/gtest.h>
#include <string>

namespace refrain {

template <class Exception = UsageError, class F>
std::string error_text(const F& f) {
    try {
        f();
    } catch (const Exception& error) {
        return error.what();
    }
    ADD_FAILURE() << "no error was thrown";
    return {};
}

/// Fails unless each phrase is in the text.
template <class... Phrase>
void expect_phrases(const std::string& text, const Phrase&... phrase) {
    (...,
     [&] { EXPECT_NE(text.find(phrase), std::string::npos) << phrase << "\nnot in: " << text; }());
}

}  // namespace refrain

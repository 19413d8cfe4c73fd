#pragma once

#include <cstdarg>
#include <cstdio>
#include <otf2/otf2.h>
#include <stdexcept>
#include <string>

/// Errors of the OTF2 library as exceptions.
namespace refrain::proxy {

/// While it lives, the library tells us its errors and not the terminal.
class Otf2Errors {
  public:
    Otf2Errors() : before_(OTF2_Error_RegisterCallback(&keep, this)) {}
    Otf2Errors(const Otf2Errors&) = delete;
    Otf2Errors& operator=(const Otf2Errors&) = delete;
    ~Otf2Errors() { OTF2_Error_RegisterCallback(before_, nullptr); }

    /// Errors: std::runtime_error if the result is not OTF2_SUCCESS
    void check(OTF2_ErrorCode result, const std::string& what) const {
        if (result == OTF2_SUCCESS) return;
        throw std::runtime_error(what + ": " +
                                 (latest_.empty() ? OTF2_Error_GetDescription(result) : latest_));
    }
    template <class Handle>
    [[nodiscard]] Handle* made(Handle* handle, const std::string& what) const {
        if (handle == nullptr)
            throw std::runtime_error(what + (latest_.empty() ? std::string() : ": " + latest_));
        return handle;
    }

  private:
    static OTF2_ErrorCode keep(void* self, const char*, std::uint64_t, const char*,
                               OTF2_ErrorCode code, const char* format, va_list arguments) {
        char text[512];
        std::vsnprintf(text, sizeof text, format, arguments);
        static_cast<Otf2Errors*>(self)->latest_ =
            std::string(OTF2_Error_GetDescription(code)) + (text[0] == 0 ? "" : ": ") + text;
        return code;
    }
    std::string latest_;
    OTF2_ErrorCallback before_;
};

}  // namespace refrain::proxy

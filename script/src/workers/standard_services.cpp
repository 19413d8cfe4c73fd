#include "workers/standard_services.hpp"

#include "values/script_error.hpp"
#include "values/text.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace refrain::script {

std::string host_name() {
    static const std::string known = [] {
        std::array<char, 256> name{};
        gethostname(name.data(), name.size() - 1);
        return std::string(name.data());
    }();
    return known;
}

std::vector<std::string> StandardServices::hosts() const {
    return hosts_.empty() ? std::vector(static_cast<std::size_t>(workers_), host_name()) : hosts_;
}

void StandardServices::print(const std::string& text) {
    const std::lock_guard lock(mutex_);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

std::string StandardServices::temporary_path() {
    const std::string folder = setting("SWIFT_TMP", setting("TMP", "/tmp"));
    // Relaxed: only the numbers matter, which differ.
    const std::uint64_t number = temporary_files_.fetch_add(1, std::memory_order_relaxed);
    return folder + "/refrain-" + std::to_string(getpid()) + "-" +  // of any node
           std::to_string(worker()) + "-" + std::to_string(number) + ".turbine";
}

void StandardServices::copy_file(const std::string& from, const std::string& to) {
    namespace fs = std::filesystem;
    std::error_code error;
    make_folder(fs::path(to).parent_path());
    fs::copy(from, to, fs::copy_options::overwrite_existing | fs::copy_options::recursive, error);
    if (error) throw ScriptError("cannot copy '" + from + "' to '" + to + "': " + error.message());
}

}  // namespace refrain::script

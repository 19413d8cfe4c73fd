#include "leaves/app_outputs.hpp"

#include <filesystem>

namespace refrain::script {

void AppOutputs::add(const std::string& path, bool temporary) {
    files_.push_back({path, temporary, temporary ? std::nullopt : stamp_of(path)});
}

AppOutputs::~AppOutputs() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    for (const File& each : files_) {
        const auto now = stamp_of(each.path);
        if (!now || now == each.before) continue;
        if (each.temporary) {
            fs::remove_all(each.path, ignored);
            continue;
        }
        const std::string to = each.path + ".incomplete";
        fs::remove_all(to, ignored);
        fs::rename(each.path, to, ignored);
    }
}

}  // namespace refrain::script

#include "proxy_commands/call_sites.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <filesystem>
#include <map>
#include <string>

#if defined(REFRAIN_PROXY_LIBDW)
#include <elfutils/libdwfl.h>
#endif

namespace refrain::proxy {

#if defined(REFRAIN_PROXY_LIBDW)
namespace {

/// "Solver::step" of "_ZN6Solver4stepEv"; Fortran's "exchange_" is "exchange".
std::string readable(const std::string& symbol) {
    int status = 0;
    char* const words = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
    std::string name = status == 0 ? words : symbol;
    std::free(words);
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    for (std::size_t at = 0; (at = name.find(unnamed)) != name.npos;)
        name.erase(at, unnamed.size());
    name.resize(std::min(name.size(), name.find('(')));
    while (name.size() > 1 && name.back() == '_') name.pop_back();
    return name;
}

/// The symbols and lines of one file.
class ObjectFile {
  public:
    explicit ObjectFile(const std::string& name) : session_(dwfl_begin(&callbacks)) {
        if (session_ == nullptr) return;
        module_ = dwfl_report_offline(session_, name.c_str(), name.c_str(), -1);
        dwfl_report_end(session_, nullptr, nullptr);
        if (module_ != nullptr && dwfl_module_getelf(module_, &bias_) == nullptr) module_ = nullptr;
    }
    ObjectFile(const ObjectFile&) = delete;
    ObjectFile& operator=(const ObjectFile&) = delete;
    ~ObjectFile() {
        if (session_ != nullptr) dwfl_end(session_);
    }

    void name(Site& site, GElf_Addr offset) const {
        if (module_ == nullptr) return;
        const GElf_Addr address = offset + bias_;
        if (const char* const function = dwfl_module_addrname(module_, address))
            site.function = readable(function);
        Dwfl_Line* const line = dwfl_module_getsrc(module_, address);
        int number = 0;
        const char* const source =
            line == nullptr ? nullptr
                            : dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
        if (source != nullptr)
            site.place =
                std::filesystem::path(source).filename().string() + ":" + std::to_string(number);
    }

  private:
    static constexpr Dwfl_Callbacks callbacks = {dwfl_build_id_find_elf,
                                                 dwfl_standard_find_debuginfo,
                                                 dwfl_offline_section_address, nullptr};

    Dwfl* session_ = nullptr;
    Dwfl_Module* module_ = nullptr;
    GElf_Addr bias_ = 0;
};

}  // namespace

void name_sites(Recording& recording) {
    std::map<std::string, ObjectFile> files;
    for (Site& site : recording.sites) {
        const std::size_t plus = site.place.rfind("+0x");
        if (plus == std::string::npos || !site.function.empty()) continue;
        const std::string file = site.place.substr(0, plus);
        const GElf_Addr offset = std::strtoull(site.place.c_str() + plus + 1, nullptr, 16);
        files.try_emplace(file, file).first->second.name(site, offset);
    }
}
#else
void name_sites(Recording&) {}
#endif

}  // namespace refrain::proxy

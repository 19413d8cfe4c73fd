#include "recorder/papi.hpp"

#include <array>
#include <dlfcn.h>

namespace refrain::proxy {
namespace {

// What papi.h says, from PAPI 5 on.
constexpr int papi_ok = 0, option_version = 21;
constexpr int version_that_is_compared = static_cast<int>(0xffff0000U);

/// As the development files name it, then as libraries do that programs run with.
constexpr std::array library_names = {"libpapi.so",     "libpapi.so.7.2", "libpapi.so.7.1",
                                      "libpapi.so.7.0", "libpapi.so.6.0", "libpapi.so.5.7"};

struct Preset {
    Metric metric;
    const char *name, *otherwise;
};
/// Besides instructions; what tells most about a program comes first: a processor may not have counters for all at once.
constexpr Preset presets[] = {
    {Metric::branches, "PAPI_BR_CN", "PAPI_BR_INS"}, {Metric::loads, "PAPI_LD_INS", nullptr},
    {Metric::stores, "PAPI_SR_INS", nullptr},        {Metric::flops, "PAPI_FP_OPS", "PAPI_DP_OPS"},
    {Metric::l1_misses, "PAPI_L1_DCM", nullptr},     {Metric::mispredicted, "PAPI_BR_MSP", nullptr},
    {Metric::tlb_misses, "PAPI_TLB_DM", nullptr}};

template <class... Arguments>
int call(void* library, const char* name, Arguments... arguments) {
    const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
    constexpr int no_such_function = -1;
    return function == nullptr ? no_such_function : function(arguments...);
}

}  // namespace

bool Papi::is_in_use() {
    for (const char* const name : library_names) {
        void* const loaded = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
        if (loaded == nullptr) continue;
        dlclose(loaded);
        return true;
    }
    return false;
}

Papi::Papi() {
    for (const char* const name : library_names)
        if (library_ == nullptr) library_ = dlopen(name, RTLD_NOW);
    if (library_ == nullptr) {
        problem_ =
            "PAPI's library is not here: install it (Debian: apt-get install libpapi-dev), or name "
            "its folder in LD_LIBRARY_PATH";
        return;
    }
    begin();
    if (!problem_.empty())
        problem_ += "; papi_avail says what is counted here, and --metrics counts needs none of it";
}

Papi::~Papi() {
    if (library_ == nullptr) return;
    long long values[metric_count] = {};
    if (counts_) (void)call(library_, "PAPI_stop", events_, values);
    (void)call(library_, "PAPI_cleanup_eventset", events_);
    (void)call(library_, "PAPI_destroy_eventset", &events_);
}

void Papi::begin() {
    const int version =
        call(library_, "PAPI_get_opt", option_version, static_cast<void*>(nullptr)) &
        version_that_is_compared;
    if (const int found = call(library_, "PAPI_library_init", version); found != version) {
        problem_ = "PAPI does not begin: " + words_for(found);
        return;
    }
    if (const int error = call(library_, "PAPI_create_eventset", &events_); error != papi_ok) {
        problem_ = "PAPI has no room for counters: " + words_for(error);
        return;
    }
    if (!add(Metric::instructions, "PAPI_TOT_INS")) {
        problem_ = "PAPI counts no instructions here (PAPI_TOT_INS: " + refused_ + ")";
        return;
    }
    for (const Preset& each : presets)
        if (!add(each.metric, each.name) &&
            (each.otherwise == nullptr || !add(each.metric, each.otherwise)))
            missing_.emplace_back(metric_names[static_cast<std::size_t>(each.metric)]);
    if (const int error = call(library_, "PAPI_start", events_); error != papi_ok) {
        problem_ = "PAPI's counters do not start: " + words_for(error);
        return;
    }
    read_ = reinterpret_cast<int (*)(int, long long*)>(dlsym(library_, "PAPI_read"));
    counts_ = read_ != nullptr;
    if (!counts_) problem_ = "PAPI's library has no PAPI_read";
}

bool Papi::add(Metric metric, const char* preset) {
    const int error = call(library_, "PAPI_add_named_event", events_, preset);
    if (error != papi_ok) {
        refused_ = words_for(error);
        return false;
    }
    metrics_[added_++] = static_cast<std::size_t>(metric);
    return true;
}

std::string Papi::words_for(int error) const {
    const auto words = reinterpret_cast<const char* (*)(int)>(dlsym(library_, "PAPI_strerror"));
    const char* const text = words == nullptr ? nullptr : words(error);
    return text != nullptr ? text : "error " + std::to_string(error);
}

void Papi::read(Counts& counts) {
    long long values[metric_count] = {};
    counts = {};
    if (!counts_ || read_(events_, values) != papi_ok) return;
    for (std::size_t i = 0; i < added_; ++i)
        counts[metrics_[i]] = static_cast<std::uint64_t>(values[i]);
}

}  // namespace refrain::proxy

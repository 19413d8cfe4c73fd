#include "machine/cores.hpp"

#include <memory>
#include <utility>

#if defined(REFRAIN_HAS_HWLOC)
#include <dlfcn.h>
#include <hwloc.h>
#include <unistd.h>
#endif

namespace refrain::machine {

#if defined(REFRAIN_HAS_HWLOC)
namespace {

constexpr const char* library_name = "libhwloc.so.15";  // that of hwloc 2

/// hwloc, opened when the first runtime wants to know the cores: programs link it neither here nor
/// where Refrain is installed.
class Hwloc {
  public:
    Hwloc() {
        void* const library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            const char* const reason = dlerror();
            problem_ = std::string(reason == nullptr ? library_name : reason) +
                       "; install the Debian package libhwloc15";
            return;
        }
        find(library, topology_init, "hwloc_topology_init");
        find(library, topology_destroy, "hwloc_topology_destroy");
        find(library, topology_load, "hwloc_topology_load");
        find(library, topology_set_flags, "hwloc_topology_set_flags");
        find(library, topology_set_synthetic, "hwloc_topology_set_synthetic");
        find(library, topology_set_components, "hwloc_topology_set_components");
        find(library, topology_is_thissystem, "hwloc_topology_is_thissystem");
        find(library, get_type_depth, "hwloc_get_type_depth");
        find(library, get_nbobjs_by_depth, "hwloc_get_nbobjs_by_depth");
        find(library, get_obj_by_depth, "hwloc_get_obj_by_depth");
        find(library, bitmap_first, "hwloc_bitmap_first");
        find(library, bitmap_next, "hwloc_bitmap_next");
    }
    [[nodiscard]] const std::string& problem() const { return problem_; }

    decltype(&hwloc_topology_init) topology_init = nullptr;
    decltype(&hwloc_topology_destroy) topology_destroy = nullptr;
    decltype(&hwloc_topology_load) topology_load = nullptr;
    decltype(&hwloc_topology_set_flags) topology_set_flags = nullptr;
    decltype(&hwloc_topology_set_synthetic) topology_set_synthetic = nullptr;
    decltype(&hwloc_topology_set_components) topology_set_components = nullptr;
    decltype(&hwloc_topology_is_thissystem) topology_is_thissystem = nullptr;
    decltype(&hwloc_get_type_depth) get_type_depth = nullptr;
    decltype(&hwloc_get_nbobjs_by_depth) get_nbobjs_by_depth = nullptr;
    decltype(&hwloc_get_obj_by_depth) get_obj_by_depth = nullptr;
    decltype(&hwloc_bitmap_first) bitmap_first = nullptr;
    decltype(&hwloc_bitmap_next) bitmap_next = nullptr;

  private:
    template <class Function>
    void find(void* library, Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(library, name));
        if (function == nullptr)
            problem_ = std::string(library_name) + " has no function " + name + "; install hwloc 2";
    }
    std::string problem_;
};

[[nodiscard]] Core core_of(const Hwloc& hwloc, const hwloc_obj& object) {
    Core core;
    for (int processor = hwloc.bitmap_first(object.cpuset); processor >= 0;
         processor = hwloc.bitmap_next(object.cpuset, processor))
        core.processors.push_back(static_cast<unsigned>(processor));
    const int node = hwloc.bitmap_first(object.nodeset);
    core.memory_node = node < 0 ? 0 : static_cast<unsigned>(node);
    return core;
}

[[nodiscard]] std::vector<Core> all_cores(const Hwloc& hwloc, hwloc_topology_t topology) {
    int depth = hwloc.get_type_depth(topology, HWLOC_OBJ_CORE);
    if (depth < 0) depth = hwloc.get_type_depth(topology, HWLOC_OBJ_PU);  // cores are not told of
    std::vector<Core> cores;
    const unsigned count = depth < 0 ? 0 : hwloc.get_nbobjs_by_depth(topology, depth);
    for (unsigned i = 0; i < count; ++i) {
        Core core = core_of(hwloc, *hwloc.get_obj_by_depth(topology, depth, i));
        if (!core.processors.empty()) cores.push_back(std::move(core));
    }
    return cores;
}

/// Without these files hwloc finds nothing, and says so on the program's standard error.
[[nodiscard]] bool system_shows_cores() {
    return access("/sys/bus/cpu/devices/cpu0/topology", F_OK) == 0 ||
           access("/sys/devices/system/cpu/cpu0/topology", F_OK) == 0;
}

[[nodiscard]] Cores load_cores(const Hwloc& hwloc, hwloc_topology_t topology,
                               const char* synthetic) {
    // hwloc asks each processor from a thread bound to it if the system's files do not suffice.
    hwloc.topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
    hwloc.topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (synthetic != nullptr && hwloc.topology_set_synthetic(topology, synthetic) != 0)
        return {{}, std::string("hwloc refuses the description '") + synthetic + "'"};
    if (synthetic == nullptr && !system_shows_cores())
        return {{}, "the system does not show its cores in /sys; mount sysfs there"};
    if (hwloc.topology_load(topology) != 0)
        return {{}, "hwloc cannot find out what the machine is made of"};
    if (synthetic == nullptr && hwloc.topology_is_thissystem(topology) == 0)
        return {{}, "hwloc describes another machine; unset HWLOC_SYNTHETIC and HWLOC_XMLFILE"};
    Cores cores{all_cores(hwloc, topology)};
    if (cores.all.empty()) cores.problem = "hwloc finds no core";
    return cores;
}

}  // namespace

Cores find_cores(const char* synthetic) {
    static const Hwloc hwloc;
    if (!hwloc.problem().empty()) return {{}, hwloc.problem()};
    hwloc_topology_t topology = nullptr;
    if (hwloc.topology_init(&topology) != 0) return {{}, "hwloc cannot begin"};
    const std::unique_ptr<hwloc_topology, decltype(hwloc.topology_destroy)> destroys(
        topology, hwloc.topology_destroy);
    return load_cores(hwloc, topology, synthetic);
}
#else
Cores find_cores(const char*) {
    return {{},
            "Refrain was built without hwloc; install the Debian package libhwloc-dev and build it "
            "again"};
}
#endif

const Cores& cores_of_this_machine() {
    static const Cores cores = find_cores();
    return cores;
}

std::size_t count_processors(const std::vector<Core>& cores) {
    std::size_t count = 0;
    for (const Core& core : cores) count += core.processors.size();
    return count;
}

}  // namespace refrain::machine

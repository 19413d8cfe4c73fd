#include "runtime/program_image.hpp"

#include "base/hash.hpp"

#include <algorithm>
#include <cstring>
#include <link.h>

namespace refrain::runtime {
namespace {

/// Whether a header's memory is there to be read: notes may lie outside of what is loaded.
bool is_loaded(const dl_phdr_info& info, const ElfW(Phdr) & wanted) {
    return std::any_of(
        info.dlpi_phdr, info.dlpi_phdr + info.dlpi_phnum, [&](const ElfW(Phdr) & header) {
            return header.p_type == PT_LOAD && (header.p_flags & PF_R) != 0 &&
                   header.p_vaddr <= wanted.p_vaddr &&
                   wanted.p_vaddr + wanted.p_filesz <= header.p_vaddr + header.p_filesz;
        });
}

void add_bytes(base::Hasher& hasher, std::uintptr_t at, std::size_t size) {
    for (std::size_t i = 0; i < size; i += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, reinterpret_cast<const void*>(at + i), std::min(sizeof word, size - i));
        hasher.add(word);
    }
}

std::uint64_t mark_of(const dl_phdr_info& info) {
    base::Hasher hasher;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info.dlpi_phdr[i];
        for (const std::uint64_t word :
             {std::uint64_t{header.p_type}, std::uint64_t{header.p_flags},
              std::uint64_t{header.p_vaddr}, std::uint64_t{header.p_filesz}})
            hasher.add(word);
        if (header.p_type == PT_NOTE && is_loaded(info, header))
            add_bytes(hasher, info.dlpi_addr + header.p_vaddr, header.p_filesz);
    }
    return hasher.finish().low;
}

int add_module(dl_phdr_info* info, std::size_t, void* modules) {
    ProgramImage::Module module;
    module.name = info->dlpi_name;
    module.mark = mark_of(*info);
    module.base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        if (header.p_type == PT_LOAD)
            module.end = std::max<std::uintptr_t>(
                module.end, info->dlpi_addr + header.p_vaddr + header.p_memsz);
    }
    static_cast<std::vector<ProgramImage::Module>*>(modules)->push_back(std::move(module));
    return 0;
}

}  // namespace

ProgramImage::ProgramImage() {
    dl_iterate_phdr(add_module, &modules_);
}

std::optional<ProgramImage::Place> ProgramImage::place_of(const void* function) const {
    const auto at = reinterpret_cast<std::uintptr_t>(function);
    const auto module = std::find_if(modules_.begin(), modules_.end(),
                                     [&](const Module& m) { return m.base <= at && at < m.end; });
    if (module == modules_.end()) return std::nullopt;
    return Place{static_cast<std::uint32_t>(module - modules_.begin()), at - module->base};
}

const void* ProgramImage::function_at(const std::string& module, std::uint64_t mark,
                                      std::uint64_t offset) const {
    const auto known = std::find_if(modules_.begin(), modules_.end(), [&](const Module& m) {
        return m.name == module && m.mark == mark;
    });
    if (known == modules_.end() || offset >= known->end - known->base) return nullptr;
    return reinterpret_cast<const void*>(known->base + offset);
}

}  // namespace refrain::runtime

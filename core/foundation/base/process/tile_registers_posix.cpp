// SPDX-License-Identifier: Apache-2.0
#include "base/process/tile_registers.h"

#include "base/cpu_features.h"

#if defined(__linux__) && defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace lapidary {
namespace {

bool are_granted() {
#if defined(__linux__) && defined(__x86_64__)
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    constexpr unsigned bf16 = 1u << 22, tiles = 1u << 24;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) ||
        (edx & (bf16 | tiles)) != (bf16 | tiles))
        return false;
    constexpr long request_permission = 0x1023, tile_data = 18;
    return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
    return false;
#endif
}

}  // namespace

bool may_use_tile_registers() {
    static const bool granted = are_granted();
    return granted && active_isa() == Isa::avx512_vnni;
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "base/cpu_features.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>

#include <lapidary/base/error.h>

#include "base/tile_permission.h"

namespace lapidary {
namespace {

constexpr Isa all[] = {Isa::baseline,    Isa::avx2,        Isa::avx512,
                       Isa::avx512_vnni, Isa::avx512_fp16, Isa::avx512_amx};

bool cpu_multiplies_halves() {
#if defined(__x86_64__) && defined(__linux__) && !defined(LAPIDARY_BASELINE_ONLY)
    return __builtin_cpu_supports("avx512fp16");
#else
    return false;
#endif
}

Isa of_cpu() {
#if defined(__x86_64__) && !defined(LAPIDARY_BASELINE_ONLY)
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c");
    if (!has_avx2) return Isa::baseline;
    const bool has_avx512 =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd");
    if (!has_avx512) return Isa::avx2;
    if (!__builtin_cpu_supports("avx512vnni")) return Isa::avx512;
    if (may_use_tiles()) return Isa::avx512_amx;
    return cpu_multiplies_halves() ? Isa::avx512_fp16 : Isa::avx512_vnni;
#else
    return Isa::baseline;
#endif
}

Isa from_environment() {
    const char* wanted = std::getenv("LAPIDARY_ISA");
    if (!wanted || !*wanted) return of_cpu();
    for (Isa isa : all)
        if (name_of(isa) == wanted) return std::min(isa, of_cpu());
    fail_input(
        "LAPIDARY_ISA: expected baseline, avx2, avx512, avx512_vnni, avx512_fp16 or avx512_amx, "
        "found " +
        quote(wanted));
}

std::atomic<Isa>& chosen() {
    static std::atomic<Isa> isa = from_environment();
    return isa;
}

}  // namespace

Isa active_isa() { return chosen(); }
bool multiplies_halves() {
    static const bool of_cpu = cpu_multiplies_halves();
    return of_cpu && active_isa() >= Isa::avx512_fp16;
}
void limit_isa(Isa isa) { chosen() = std::min(isa, of_cpu()); }

std::string_view name_of(Isa isa) {
    switch (isa) {
    case Isa::baseline: return "baseline";
    case Isa::avx2: return "avx2";
    case Isa::avx512: return "avx512";
    case Isa::avx512_vnni: return "avx512_vnni";
    case Isa::avx512_fp16: return "avx512_fp16";
    case Isa::avx512_amx: return "avx512_amx";
    }
    return "";
}

}  // namespace lapidary

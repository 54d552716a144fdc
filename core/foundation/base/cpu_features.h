// SPDX-License-Identifier: Apache-2.0
// The instruction sets and caches of the CPU, detected once.
// LAPIDARY_ISA=baseline|avx2|avx512|avx512_vnni|avx512_fp16|avx512_amx takes instruction sets away,
// so that every variant of a kernel can be tested on one machine.
#pragma once

#include <cstddef>
#include <string_view>

namespace lapidary {

/// Kernels are compiled for each instruction set. A CPU supports all up to its own. CPUs other than
/// x86-64 have only `baseline`.
enum class Isa { baseline, avx2, avx512, avx512_vnni, avx512_fp16, avx512_amx };

/// avx2: AVX2, FMA, F16C, BMI2. avx512: F, BW, DQ, VL, CD as well. avx512_vnni: VNNI as well.
/// avx512_fp16: arithmetic of float16 as well (Linux). avx512_amx: AMX with tiles of bytes and of
/// bfloat16 as well, where the system (Linux 5.16 or later) permits them.
Isa active_isa();
/// Whether kernels of avx512_fp16 may be used: active_isa() is that set or a later one, and the CPU
/// has its instructions, which a virtual machine may hide beside those of avx512_amx.
bool multiplies_halves();
/// "avx512_vnni"
std::string_view name_of(Isa isa);
/// For tests: limits the instruction set as LAPIDARY_ISA does. Kernels that were chosen before keep
/// theirs. A limit above what the CPU has is ignored.
void limit_isa(Isa isa);

/// Bytes of one core's caches, and the whole size of the last level. Plausible numbers if the
/// system does not say.
struct CacheSizes {
    std::size_t l1 = 32 << 10, l2 = 1 << 20, l3 = 16 << 20;
};
const CacheSizes& cache_sizes();

}  // namespace lapidary

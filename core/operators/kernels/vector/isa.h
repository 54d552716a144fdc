// SPDX-License-Identifier: Apache-2.0
// How vector code is compiled and chosen. Every .cpp of kernels/vector is compiled once per
// instruction set (those of kernels/vector/integer for avx512_vnni as well, the few that have a
// form for tiles for avx512_amx, and float16 arithmetic for avx512_fp16), with LAPIDARY_ISA naming
// the namespace:
//
//   #include <hwy/highway.h>
//   #include "kernels/vector/scale.h"
//   namespace lapidary::LAPIDARY_ISA {
//   namespace hn = hwy::HWY_NAMESPACE;
//   namespace { void scale(...) { ... } }
//   const ScaleKernels& scale_kernels() {
//       static constexpr ScaleKernels table{&scale};
//       return table;
//   }
//   }
//
// Its header declares struct ScaleKernels of function pointers in plain types and
// LAPIDARY_PER_ISA(ScaleKernels, scale_kernels); callers write lapidary::scale_kernels(): that of
// active_isa(), or with LAPIDARY_BASELINE_ONLY the baseline's. Such a .cpp includes highway,
// headers without code and no std container or algorithm: an inline function that it emitted could
// be linked into code for lesser CPUs (a test looks for weak symbols in the objects).
#pragma once

#include "base/cpu_features.h"

#define LAPIDARY_OF_ISA(isa, Table, function) \
    namespace isa {                           \
    const Table& function();                  \
    }

#if defined(__x86_64__) && !defined(LAPIDARY_BASELINE_ONLY)
#define LAPIDARY_PER_ISA(Table, function)                 \
    LAPIDARY_OF_ISA(baseline, Table, function)            \
    LAPIDARY_OF_ISA(avx2, Table, function)                \
    LAPIDARY_OF_ISA(avx512, Table, function)              \
    inline const Table& function(Isa isa) {               \
        return isa >= Isa::avx512 ? avx512::function()    \
               : isa == Isa::avx2 ? avx2::function()      \
                                  : baseline::function(); \
    }                                                     \
    inline const Table& function() { return function(active_isa()); }
#define LAPIDARY_PER_INTEGER_ISA(Table, function)                \
    LAPIDARY_OF_ISA(baseline, Table, function)                   \
    LAPIDARY_OF_ISA(avx2, Table, function)                       \
    LAPIDARY_OF_ISA(avx512, Table, function)                     \
    LAPIDARY_OF_ISA(avx512_vnni, Table, function)                \
    inline const Table& function(Isa isa) {                      \
        return isa >= Isa::avx512_vnni ? avx512_vnni::function() \
               : isa == Isa::avx512    ? avx512::function()      \
               : isa == Isa::avx2      ? avx2::function()        \
                                       : baseline::function();        \
    }                                                            \
    inline const Table& function() { return function(active_isa()); }
#else
#define LAPIDARY_PER_ISA(Table, function)                              \
    LAPIDARY_OF_ISA(baseline, Table, function)                         \
    inline const Table& function(Isa) { return baseline::function(); } \
    inline const Table& function() { return baseline::function(); }
#define LAPIDARY_PER_INTEGER_ISA(Table, function) LAPIDARY_PER_ISA(Table, function)
#endif

// For files that have a form for tiles too.
#if defined(__x86_64__) && defined(__linux__) && !defined(LAPIDARY_BASELINE_ONLY)
#define LAPIDARY_PER_TILE_ISA(Table, function)                 \
    LAPIDARY_OF_ISA(baseline, Table, function)                 \
    LAPIDARY_OF_ISA(avx2, Table, function)                     \
    LAPIDARY_OF_ISA(avx512, Table, function)                   \
    LAPIDARY_OF_ISA(avx512_vnni, Table, function)              \
    LAPIDARY_OF_ISA(avx512_amx, Table, function)               \
    inline const Table& function(Isa isa) {                    \
        switch (isa) {                                         \
        case Isa::avx512_amx: return avx512_amx::function();   \
        case Isa::avx512_fp16:                                 \
        case Isa::avx512_vnni: return avx512_vnni::function(); \
        case Isa::avx512: return avx512::function();           \
        case Isa::avx2: return avx2::function();               \
        default: return baseline::function();                  \
        }                                                      \
    }                                                          \
    inline const Table& function() { return function(active_isa()); }
#else
#define LAPIDARY_PER_TILE_ISA(Table, function) LAPIDARY_PER_INTEGER_ISA(Table, function)
#endif

// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/fused_kernels.h"

#include <algorithm>
#include <array>

#include <lapidary/passes/device_passes.h>

namespace lapidary::passes {
namespace {

struct KernelTypes {
    std::string_view op;
    std::string_view cpu, other;  // element types, one letter each: s f32, h f16, b bf16, d f64
};

constexpr std::array kernel_types = {
    KernelTypes{"BiasDropout", "", "shbd"},
    KernelTypes{"BiasGelu", "sh", "shbd"},
    KernelTypes{"BiasSoftmax", "", "shd"},
    KernelTypes{"FastGelu", "sh", "shb"},
    KernelTypes{"Gelu", "sh", "shbd"},
    KernelTypes{"HardSigmoid", "sh", "shd"},
    KernelTypes{"HardSwish", "sh", "shd"},
    KernelTypes{"LayerNormalization", "shbd", "shbd"},
    KernelTypes{"Mish", "sh", "shd"},
    KernelTypes{"QuickGelu", "sh", "shbd"},
    KernelTypes{"SimplifiedLayerNormalization", "shbd", "shbd"},
    KernelTypes{"SkipLayerNormalization", "shb", "shb"},
    KernelTypes{"SkipSimplifiedLayerNormalization", "shb", "shb"},
    KernelTypes{"Softplus", "sh", "shd"},
};

char letter_of(DType dtype) {
    switch (dtype) {
    case DType::f32: return 's';
    case DType::f16: return 'h';
    case DType::bf16: return 'b';
    case DType::f64: return 'd';
    default: return '?';
    }
}

}  // namespace

std::string missing_kernel(const Scope& scope, std::string_view op, DType dtype) {
    const auto* const known = std::ranges::find(kernel_types, op, &KernelTypes::op);
    const std::string_view types = known == kernel_types.end() ? std::string_view()
                                   : scope.provider == "cpu" || is_for_devices(scope.provider)
                                       ? known->cpu
                                       : known->other;
    if (types.find(letter_of(dtype)) != std::string_view::npos) return {};
    return std::string(op) + " has no " + std::string(name_of(dtype)) + " kernel on provider " +
           scope.provider;
}

}  // namespace lapidary::passes

// SPDX-License-Identifier: Apache-2.0
#include "passes/session/bounded_chain.h"

#include <algorithm>
#include <cmath>

#include "kernels/elementwise/kept_finite.h"

namespace lapidary {
namespace {

float largest_of(DType half) { return half == DType::f16 ? largest_float16 : largest_bfloat16; }

}  // namespace

bool is_chain(const Node& node) { return node.qualified_op() == "lapidary::ElementwiseChain"; }

bool has_large_constants(const ChainProgram& program, DType half) {
    const auto is_large = [largest = largest_of(half)](float v) {
        return std::isfinite(v) && std::abs(v) > largest;
    };
    return std::ranges::any_of(program.steps, [&](const ChainProgram::Step& step) {
        return is_large(step.alpha) || is_large(step.beta);
    });
}

std::optional<ChainProgram> bounded_chain(ChainProgram program, DType half) {
    if (program.steps.size() == ChainProgram::max_steps) return std::nullopt;
    ChainProgram::Step bound;
    bound.kind = static_cast<std::uint8_t>(UnaryKind::keep_finite);
    bound.a = ChainProgram::result_of(program.steps.size() - 1);
    bound.alpha = largest_of(half);
    program.steps.push_back(bound);
    return program.places() ? std::optional(std::move(program)) : std::nullopt;
}

bool bound_chain(GraphEdit& edit, NodeId chain, DType half) {
    const auto bounded = bounded_chain(ChainProgram::of(edit.graph().node(chain)), half);
    if (!bounded) return false;
    for (Attribute& attribute : bounded->attributes())
        edit.set_attribute(chain, std::move(attribute));
    return true;
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include "cost/operator_work.h"
#include "kernels/elementwise/chain_program.h"
#include "ops/operator_traits.h"

namespace lapidary {
namespace {

constexpr double transcendental = 10;  // what a vector polynomial with its range reduction takes

double window(const Node& node) {
    double taps = 1;
    for (std::int64_t size : node.ints_attribute("kernel_shape")) taps *= static_cast<double>(size);
    return taps;
}

/// Number of weighted neighbours for each output element.
double resampling(const Node& node, double axes) {
    const std::string mode =
        node.string_attribute("mode", node.op_type == "GridSample" ? "linear" : "nearest");
    if (mode == "nearest") return 0;
    return 2 * std::pow(mode == "cubic" || mode == "bicubic" ? 4 : 2, axes);
}

bool is_transcendental(UnaryKind kind) {
    static constexpr UnaryKind kinds[] = {
        UnaryKind::sigmoid,    UnaryKind::tanh, UnaryKind::gelu, UnaryKind::gelu_tanh,
        UnaryKind::quick_gelu, UnaryKind::silu, UnaryKind::elu,  UnaryKind::softplus,
        UnaryKind::celu,       UnaryKind::selu, UnaryKind::mish, UnaryKind::exp,
        UnaryKind::log,        UnaryKind::erf,  UnaryKind::sin,  UnaryKind::cos,
        UnaryKind::atan};
    return std::ranges::find(kinds, kind) != std::ranges::end(kinds);
}

double chain(const Node& node, double elements) {
    double each = 0;
    for (const ChainProgram::Step& step : ChainProgram::of(node).steps) {
        const bool is_costly = step.is_binary
                                   ? static_cast<BinaryKind>(step.kind) == BinaryKind::pow
                                   : is_transcendental(static_cast<UnaryKind>(step.kind));
        each += is_costly ? transcendental : 1;
    }
    return each * elements;
}

}  // namespace

bool touches_no_data(const Node& node) { return traits_of(node).has(OperatorFact::view); }
bool picks_elements(const Node& node) { return traits_of(node).has(OperatorFact::reads_rows); }

std::optional<double> element_operations(const Node& node, const NodeSizes& sizes) {
    const double written = sizes.output(0) ? sizes.output(0)->elements() : 0,
                 read = sizes.input(0) ? sizes.input(0)->elements() : 0;
    const Cost& cost = traits_of(node).cost;
    switch (cost.formula) {
    case CostFormula::each: return cost.factor * written;
    case CostFormula::each_input: return cost.factor * read;
    case CostFormula::operands:
        return written * std::max<double>(1, static_cast<double>(node.inputs.size()) - 1);
    case CostFormula::window: return written * window(node);
    case CostFormula::neighbours:
        return written *
               (2.0 * static_cast<double>(node.int_attribute("size", 1)) + 2 * transcendental);
    case CostFormula::resampling:
        return written *
               resampling(node, sizes.output(0)
                                    ? std::max<double>(
                                          1, static_cast<double>(sizes.output(0)->shape.size()) - 2)
                                    : 2);
    case CostFormula::fourier:
        return 5 * written / 2 *
               std::log2(std::max(2.0, sizes.input(0)
                                           ? *std::ranges::max_element(sizes.input(0)->shape) + 0.0
                                           : 2.0));
    case CostFormula::chain: return chain(node, written);
    default: return std::nullopt;  // products are counted elsewhere
    }
}

}  // namespace lapidary

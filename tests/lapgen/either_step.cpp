// SPDX-License-Identifier: Apache-2.0
#include "lapgen/either_step.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>

#include "lapgen/bounds.h"
#include "proof/held_in_float32.h"

namespace lapidary::lapgen {
namespace {

constexpr double of_floats = 1.0 / 256;  // of a step
constexpr double most_of_halves = 0.5;   // of a step: further away there is another tie
constexpr int ways = 64;                 // in which ties are rounded
constexpr double beyond_ways =
    0.25;  // of the range that they span: sums meet more ties in more ways

std::vector<NodeId> quantizing_nodes(const Graph& graph) {
    std::vector<NodeId> nodes;
    for (NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (node.op_type == "QuantizeLinear" && node.inputs.size() > 1 &&
            node.int_attribute("block_size", 0) == 0 &&
            is_integer(graph.value(node.outputs[0]).type.dtype))
            nodes.push_back(id);
    }
    return nodes;
}

ValueId cast(GraphEdit& edit, ValueId value, DType to) {
    return edit.node("Cast", {value}, {{"to", static_cast<std::int64_t>(to), {}, {}}});
}

/// The model with the input of each QuantizeLinear and its scale as additional float32 outputs.
Model with_probes(const Model& model) {
    Model probed = model;
    GraphEdit edit(probed.graph);
    edit.set_default_version(model.opset());
    for (NodeId id : quantizing_nodes(probed.graph))
        for (std::size_t input : {0, 1})
            edit.add_output(cast(edit, probed.graph.node(id).inputs[input], DType::f32));
    edit.finish();
    infer_types(probed);
    return probed;
}

/// The values in front of one QuantizeLinear.
struct Rounded {
    Shape shape;
    std::vector<double> values, scales;  // a scale for each value

    double steps(std::size_t i) const { return values[i] / scales[i]; }
};

Rounded rounded_by(const Node& node, const Tensor& x, const Tensor& scale) {
    Rounded r{x.shape(), to_doubles(x), {}};
    const std::vector<double> scales = to_doubles(scale);
    if (scales.size() == 1) {
        r.scales.assign(r.values.size(), scales[0]);
        return r;
    }
    const std::int64_t named = node.int_attribute("axis", 1);
    std::int64_t inner = 1;
    for (int axis = static_cast<int>(named < 0 ? named + x.rank() : named) + 1; axis < x.rank();
         ++axis)
        inner *= x.dim(axis);
    for (std::size_t i = 0; i < r.values.size(); ++i)
        r.scales.push_back(scales[i / static_cast<std::size_t>(inner) % scales.size()]);
    return r;
}

std::vector<Rounded> rounded_values(const Model& model, const NamedValues& probes) {
    std::vector<Rounded> all;
    const std::vector<NodeId> nodes = quantizing_nodes(model.graph);
    const std::size_t first = probes.size() - 2 * nodes.size();
    for (std::size_t k = 0; k < nodes.size(); ++k)
        all.push_back(rounded_by(model.graph.node(nodes[k]), probes[first + 2 * k].second.tensor(),
                                 probes[first + 2 * k + 1].second.tensor()));
    return all;
}

/// The largest rounding of 16-bit floats in the values, in steps; differences to another whole
/// number are left out.
double largest_rounding(const Rounded& rounded, const Rounded& held) {
    double most = 0;
    for (std::size_t i = 0; i < rounded.values.size() && i < held.values.size(); ++i)
        if (const double moved = std::abs(rounded.values[i] - held.values[i]) / rounded.scales[i];
            moved < most_of_halves)
            most = std::max(most, moved);
    return most;
}

/// The changes that move each input of a QuantizeLinear to the lower and the upper step; 0: no tie.
struct Ties {
    Shape shape;
    std::vector<float> down, up;
    bool any = false;
};

Ties ties_of(const Rounded& rounded, double distance) {
    Ties ties{rounded.shape, std::vector<float>(rounded.values.size()),
              std::vector<float>(rounded.values.size())};
    for (std::size_t i = 0; i < rounded.values.size(); ++i) {
        const double steps = rounded.steps(i), below = std::floor(steps);
        if (!std::isfinite(steps) || std::abs(steps - below - 0.5) > distance) continue;
        ties.down[i] = static_cast<float>((below - steps) * rounded.scales[i]);
        ties.up[i] = static_cast<float>((below + 1 - steps) * rounded.scales[i]);
        ties.any = true;
    }
    return ties;
}

std::vector<Ties> ties_of(const Model& model, const RunModel& run) {
    const Model probed = with_probes(model);
    const std::vector<Rounded> rounded = rounded_values(model, run(probed));
    std::vector<Rounded> in_float32;
    if (const std::optional<Model> held = held_in_float32(probed))
        in_float32 = rounded_values(model, run(*held));
    std::vector<Ties> ties;
    for (std::size_t k = 0; k < rounded.size(); ++k) {
        const double halves =
            k < in_float32.size() ? 2 * largest_rounding(rounded[k], in_float32[k]) : 0;
        ties.push_back(ties_of(rounded[k], std::min(of_floats + halves, most_of_halves)));
    }
    return ties;
}

/// Way 0 rounds every tie up, way 1 down, others by chance.
bool goes_up(int way, std::size_t node, std::size_t element) {
    if (way < 2) return way == 0;
    std::uint64_t mixed =
        (element + 1) * 0x9e3779b97f4a7c15ull ^ (node * 97 + static_cast<std::size_t>(way));
    mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9ull;
    return mixed >> 40 & 1;
}

Model with_ties_rounded(const Model& model, const std::vector<Ties>& ties, int way) {
    Model moved = model;
    GraphEdit edit(moved.graph);
    edit.set_default_version(model.opset());
    const std::vector<NodeId> nodes = quantizing_nodes(moved.graph);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (!ties[k].any) continue;
        Tensor move(DType::f32, ties[k].shape);
        for (std::size_t i = 0; float& value : move.mutable_data<float>()) {
            value = goes_up(way, k, i) ? ties[k].up[i] : ties[k].down[i];
            ++i;
        }
        const ValueId x = moved.graph.node(nodes[k]).inputs[0];
        const DType dtype = moved.graph.value(x).type.dtype;
        ValueId by = edit.add_initializer(edit.fresh_name("to_a_step"), std::move(move));
        if (dtype != DType::f32) by = cast(edit, by, dtype);
        edit.set_input(nodes[k], 0, edit.node("Add", {x, by}));
    }
    edit.finish();
    infer_types(moved);
    return moved;
}

/// `found` with those elements replaced by `expected` that are in the range of `others` and
/// `expected`, or slightly beyond.
RuntimeValue settled(const RuntimeValue& found, const RuntimeValue& expected,
                     const std::vector<const RuntimeValue*>& others) {
    if (!found.is_tensor() || !expected.is_tensor()) return found;
    const std::vector<double> values = to_doubles(found.tensor());
    std::vector<double> least = to_doubles(expected.tensor()), largest = least;
    for (const RuntimeValue* other : others) {
        if (!other->is_tensor() || other->tensor().shape() != expected.tensor().shape())
            return found;
        for (std::size_t i = 0; const double v : to_doubles(other->tensor())) {
            least[i] = std::min(least[i], v);
            largest[i] = std::max(largest[i], v);
            ++i;
        }
    }
    return with_expected_where(found, expected, [&](std::size_t i) {
        const double beyond = beyond_ways * (largest[i] - least[i]);
        return beyond > 0 && least[i] - beyond <= values[i] && values[i] <= largest[i] + beyond;
    });
}

}  // namespace

NamedValues with_ties_settled(NamedValues found, const NamedValues& expected, const Model& model,
                              const RunModel& run) {
    try {
        if (quantizing_nodes(model.graph).empty() || found.size() != expected.size()) return found;
        const std::vector<Ties> ties = ties_of(model, run);
        if (std::ranges::none_of(ties, &Ties::any)) return found;
        std::vector<NamedValues> others;
        for (int way = 0; way < ways; ++way)
            others.push_back(run(with_ties_rounded(model, ties, way)));
        for (std::size_t i = 0; i < found.size(); ++i) {
            std::vector<const RuntimeValue*> results;
            for (const NamedValues& other : others) results.push_back(&other[i].second);
            found[i].second = settled(found[i].second, expected[i].second, results);
        }
    } catch (const Error& error) {
        if (error.code() == ErrorCode::internal)
            throw;  // otherwise it does not run, and no ties are settled
    }
    return found;
}

}  // namespace lapidary::lapgen

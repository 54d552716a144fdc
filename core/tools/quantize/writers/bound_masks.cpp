// SPDX-License-Identifier: Apache-2.0
#include "quantize/writers/bound_masks.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <lapidary/graph/graph_edit.h>

#include "ops/operator_traits.h"
#include "quantize/quantized_operator.h"

namespace lapidary {
namespace {

constexpr float masked = -1e4f;     // and below: no score that a model computes with
constexpr float out_of_sight = 20;  // e^-20 is 2e-9

/// Follows a constant to the Softmax behind it.
class MaskTrace {
public:
    MaskTrace(const Graph& graph, ValueId constant) : graph_(graph) {
        found_.constant = constant;
        reach(constant, false);
        while (is_mask_ && !open_.empty()) {
            const auto [value, was_multiplied] = open_.back();
            open_.pop_back();
            follow(value, was_multiplied);
        }
    }
    bool is_mask() const { return is_mask_ && !found_.scores.empty(); }
    MaskConstant take() { return std::move(found_); }

private:
    /// `was_multiplied`: it still has to be added to something.
    void reach(ValueId value, bool was_multiplied) {
        if (!seen_.emplace(value, was_multiplied).second) return;
        found_.values.push_back(value);
        open_.emplace_back(value, was_multiplied);
    }

    void follow(ValueId value, bool was_multiplied) {
        const Value& from = graph_.value(value);
        is_mask_ = from.output_uses == 0 && from.captured_by.empty() && !from.uses.empty() &&
                   std::ranges::all_of(from.uses, [&](const Use& use) {
                       return passes(graph_.node(use.node), use.input, was_multiplied);
                   });
    }

    bool passes(const Node& node, std::size_t input, bool was_multiplied) {
        if (gives_shares(node)) return !was_multiplied;
        if (node.outputs.size() != 1 || !is_f32(graph_, node.outputs[0])) return false;
        const ValueId result = node.outputs[0];
        if (traits_of(node).is_moved() && input == 0) {
            reach(result, was_multiplied);
            return true;
        }
        if (!node.domain.empty()) return false;
        if (node.op_type == "Mul") {
            keep(found_.shares, node.inputs[1 - input]);
            reach(result, true);
            return true;
        }
        if (node.op_type == "Add") {
            keep(found_.scores, node.inputs[1 - input]);
            reach(result, false);
            return true;
        }
        if (node.op_type != "Where" || input == 0) return false;
        const ValueId kept = node.inputs[3 - input];
        keep(found_.scores, kept);
        // Zero or the constant: a mask that is still to be added.
        reach(result, graph_.value(kept).is_constant());
        return true;
    }

    void keep(std::vector<ValueId>& values, ValueId value) {
        if (!graph_.value(value).is_constant() && std::ranges::find(values, value) == values.end())
            values.push_back(value);
    }

    const Graph& graph_;
    MaskConstant found_;
    std::set<std::pair<ValueId, bool>> seen_;
    std::vector<std::pair<ValueId, bool>> open_;
    bool is_mask_ = true;
};

bool has_masked(const Tensor& tensor) {
    return std::ranges::any_of(tensor.data<float>(), [](float v) { return v <= masked; });
}

/// False: its factors are no mask.
bool takes_part(const Graph& graph, const MaskConstant& mask, const Calibration& seen) {
    return std::ranges::all_of(mask.shares, [&](ValueId share) {
        const ObservedTensor* found = seen.find(graph.value(share).name);
        return found && found->low >= 0 && found->high <= 1;
    });
}

/// The new value of masked elements. It is the same for all constants, since elements that are
/// masked for several reasons are sums of them.
float bound_of(const Graph& graph, const std::vector<MaskConstant>& masks,
               const Calibration& seen) {
    std::set<ValueId> reached;
    for (const MaskConstant& mask : masks) reached.insert(mask.values.begin(), mask.values.end());
    float low = 0, high = 0;
    for (const MaskConstant& mask : masks)
        for (ValueId score : mask.scores) {
            if (reached.contains(score)) continue;  // masked itself
            const ObservedTensor* found = seen.find(graph.value(score).name);
            if (!found) return masked;
            low = std::min(low, found->low);
            high = std::max(high, found->high);
        }
    return std::max(masked, std::floor(low - high - out_of_sight));
}

}  // namespace

std::vector<MaskConstant> mask_constants(const Graph& graph) {
    std::vector<MaskConstant> masks;
    for (ValueId id : graph.initializers()) {
        const Value& value = graph.value(id);
        if (!value.constant || !is_f32(graph, id) || !has_masked(*value.constant)) continue;
        MaskTrace trace(graph, id);
        if (trace.is_mask()) masks.push_back(trace.take());
    }
    return masks;
}

std::size_t bound_masks(Graph& graph, const std::vector<MaskConstant>& masks,
                        const Calibration* seen, std::vector<std::string>& notes) {
    std::size_t changed = 0;
    float least = 0;
    const float bound = seen ? bound_of(graph, masks, *seen) : masked;
    GraphEdit edit(graph, "bound_masks");
    for (const MaskConstant& mask : masks) {
        if (seen && !takes_part(graph, mask, *seen)) continue;
        Tensor bounded = graph.value(mask.constant).constant->clone();
        for (float& v : bounded.mutable_data<float>()) {
            if (!(v <= masked)) continue;
            least = std::min(least, v);
            v = bound;
        }
        edit.set_constant(mask.constant, std::move(bounded));
        ++changed;
    }
    edit.finish();
    if (changed > 0)
        notes.push_back(fmt::format(
            "mask constants of {} {} became {:g} in place of {:g}: Softmax gives nothing for "
            "either, and ranges hold the scores",
            changed, changed == 1 ? "value" : "values", bound, least));
    return changed;
}

}  // namespace lapidary

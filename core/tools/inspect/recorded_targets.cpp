// SPDX-License-Identifier: Apache-2.0
#include "inspect/recorded_targets.h"

#include <algorithm>
#include <utility>

#include <lapidary/tensor/tensor_file.h>

#include "inspect/divergence_search.h"
#include "kernels/dispatch.h"

namespace lapidary {

Tensor strided_elements(const Tensor& given, std::int64_t stride) {
    if (stride == 1) return given;
    const Tensor tensor = is_packed(given.dtype()) ? widen_for_numpy(given) : given;
    Tensor part(tensor.dtype(), {tensor.size() / stride + (tensor.size() % stride > 0 ? 1 : 0)});
    dispatch_by_width(tensor.dtype(), [&]<typename T>() {
        const T* from = static_cast<const T*>(tensor.raw());
        T* to = static_cast<T*>(part.mutable_raw());
        for (std::int64_t i = 0; i < part.size(); ++i) to[i] = from[i * stride];
    });
    return part;
}

RecordedTargets::RecordedTargets(const Recording& recording, const RecordedPlaces& places,
                                 const Tolerance& tolerance)
    : recording_(recording), places_(places), tolerance_(tolerance) {
    for (std::size_t m = 0; m < recording.modules.size(); ++m) {
        if (places.is_input(m)) continue;
        for (std::size_t o = 0; o < recording.modules[m].outputs.size(); ++o) {
            const RecordedValue& recorded = recording.modules[m].outputs[o];
            Target& target = targets_.emplace_back();
            target.recorded = &recorded;
            target.found.module = m;
            target.found.output = o;
            if (!recorded.left_out.empty()) {
                target.found.state = RecordedState::left_out;
                target.found.reason = recorded.left_out;
                continue;
            }
            by_shape_[recorded.shape].push_back(targets_.size() - 1);
            by_module_[m].push_back(targets_.size() - 1);
        }
    }
}

void RecordedTargets::graph_begins(ObservedGraph& graph) {
    if (!graph.path().empty()) return;
    for (ValueId id : graph.graph().inputs()) look(graph, id, nullptr);
}

void RecordedTargets::node_ran(ObservedGraph& graph, const Node& node) {
    for (ValueId id : node.outputs)
        if (id) look(graph, id, &node);
}

namespace {

/// Both hold floats, or elements of the same type.
bool are_alike(DType a, DType b) { return a == b || (is_float(a) && is_float(b)); }

}  // namespace

void RecordedTargets::look(ObservedGraph& graph, ValueId id, const Node* node) {
    const RuntimeValue value = graph.value(id);
    if (!value.is_tensor() || value.tensor().dtype() == DType::string) return;
    const Tensor& tensor = value.tensor();
    const std::vector<std::size_t>& here = places_.modules_at(graph.graph(), id);
    for (std::size_t module : here)
        if (const auto targets = by_module_.find(module); targets != by_module_.end())
            for (std::size_t i : targets->second) {
                if (targets_[i].recorded->shape == tensor.shape()) continue;
                targets_[i].other_shape = to_string(tensor.shape());
                if (targets_[i].order == 0) targets_[i].order = ++met_;
            }
    const auto same = by_shape_.find(tensor.shape());
    if (same == by_shape_.end()) return;
    for (std::size_t i : same->second) {
        Target& target = targets_[i];
        if (!are_alike(target.recorded->elements.dtype(), tensor.dtype())) continue;
        const bool is_in_place = std::ranges::find(here, target.found.module) != here.end();
        if (!graph.path().empty() && (!is_in_place || !is_call(target, graph))) continue;
        // A value that is known by its name is nowhere else.
        if (recording_.is_by_value && !is_in_place && places_.has_nodes(target.found.module))
            continue;
        const bool is_settled =
            target.found.state == RecordedState::agrees && (target.is_in_place || !is_in_place);
        if (!is_settled && (is_in_place || may_agree(target, tensor)))
            judge(target, is_in_place, tensor, graph, id, node);
    }
}

bool RecordedTargets::may_agree(const Target& target, const Tensor& tensor) const {
    constexpr std::int64_t looked_at = 64;
    const std::int64_t step =
        std::max<std::int64_t>(target.recorded->elements.size() / looked_at, 1);
    if (step == 1) return true;
    Tolerance loose = tolerance_;
    loose.rtol *= 10;
    loose.atol *= 10;
    return compare_in_runs(strided_elements(target.recorded->elements, step),
                           strided_elements(tensor, step * target.recorded->stride), loose)
        .matches;
}

bool RecordedTargets::agrees(const Target& target, const Tensor& tensor) const {
    return may_agree(target, tensor) &&
           compare_in_runs(target.recorded->elements,
                           strided_elements(tensor, target.recorded->stride), tolerance_)
               .matches;
}

bool RecordedTargets::is_of_another(const Target& target, const Tensor& tensor) const {
    const auto same = by_shape_.find(tensor.shape());
    const std::string& path = recording_.modules[target.found.module].path;
    return std::ranges::any_of(same->second, [&](std::size_t i) {
        const std::string& other = recording_.modules[targets_[i].found.module].path;
        const bool encloses = path == other || path.starts_with(other + ".");
        return !encloses && agrees(targets_[i], tensor);
    });
}

bool RecordedTargets::is_call(const Target& target, const ObservedGraph& graph) const {
    const std::vector<std::int64_t> iterations = graph.iterations();
    return !iterations.empty() && iterations.back() == recording_.modules[target.found.module].call;
}

void RecordedTargets::judge(Target& target, bool is_in_place, const Tensor& tensor,
                            const ObservedGraph& graph, ValueId id, const Node* node) {
    CheckedModule& found = target.found;
    Comparison comparison = compare_in_runs(
        target.recorded->elements, strided_elements(tensor, target.recorded->stride), tolerance_);
    if (!comparison.matches) {
        if (!is_in_place || found.state == RecordedState::agrees) return;
        const bool is_nearer = found.state != RecordedState::differs ||
                               comparison.relative() < found.comparison.relative();
        if (!is_nearer) return;
        if (!recording_.is_by_value && is_of_another(target, tensor)) {
            if (found.state == RecordedState::unmatched) found.state = RecordedState::merged;
            return;
        }
    }
    found.state = comparison.matches ? RecordedState::agrees : RecordedState::differs;
    found.comparison = std::move(comparison);
    found.value = graph.path() + graph.graph().value(id).name;
    found.node = node ? node->describe() : std::string();
    found.source = node ? source_of(*node) : NodeSource();
    target.is_in_place = is_in_place;
    target.order = ++met_;
    target.place = {&graph.graph(), id};
}

std::string RecordedTargets::reason_of(const Target& target) const {
    const bool is_known = places_.has_nodes(target.found.module);
    if (is_known && !target.other_shape.empty())
        return (recording_.is_by_value ? "it is " : "its nodes give ") + target.other_shape +
               ", recorded is " + to_string(target.recorded->shape);
    if (recording_.is_by_value)
        return is_known ? "the run does not compute it" : "no value of the model has this name";
    return is_known ? "its nodes give nothing to others" : "no node of the model belongs to it";
}

std::vector<CheckedModule> RecordedTargets::take() {
    // The order of a dump is that of its files; what was not met comes last.
    if (recording_.is_by_value)
        std::ranges::stable_sort(targets_, {}, [](const Target& target) {
            return target.order == 0 ? ~std::size_t{0} : target.order;
        });
    std::vector<CheckedModule> found;
    found_at_.clear();
    for (Target& target : targets_) {
        if (target.found.state == RecordedState::unmatched) target.found.reason = reason_of(target);
        found_at_.push_back(target.place);
        found.push_back(std::move(target.found));
    }
    return found;
}

}  // namespace lapidary

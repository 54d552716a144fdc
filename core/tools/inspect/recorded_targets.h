// SPDX-License-Identifier: Apache-2.0
// Looks for recorded values among those that a run computes.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <lapidary/exec/step_observer.h>
#include <lapidary/inspect/recording_check.h>

#include "inspect/recorded_places.h"

namespace lapidary {

/// Observes the main graph; nothing but what it found is kept.
class RecordedTargets final : public StepObserver {
public:
    /// All outlive it.
    RecordedTargets(const Recording& recording, const RecordedPlaces& places,
                    const Tolerance& tolerance);

    void graph_begins(ObservedGraph& graph) override;
    void node_ran(ObservedGraph& graph, const Node& node) override;

    /// One for each output of each module, in their order. Call it after the run.
    std::vector<CheckedModule> take();

private:
    struct Target {
        CheckedModule found;
        const RecordedValue* recorded = nullptr;
        bool is_in_place = false;  // found.value is at the place of the module
        std::string other_shape;   // of a value at its place
    };

    void look(ObservedGraph& graph, ValueId id, const Node* node);
    void judge(Target& target, bool is_in_place, const Tensor& tensor, const Value& value,
               const Node* node);
    bool may_agree(const Target& target, const Tensor& tensor) const;
    bool agrees(const Target& target, const Tensor& tensor) const;
    /// True where the tensor is what another module, which does not enclose the target's, gave in
    /// the recording.
    bool is_of_another(const Target& target, const Tensor& tensor) const;

    const Recording& recording_;
    const RecordedPlaces& places_;
    const Tolerance tolerance_;
    std::vector<Target> targets_;
    std::map<Shape, std::vector<std::size_t>> by_shape_;  // those with elements
    std::map<std::size_t, std::vector<std::size_t>> by_module_;
};

/// Every `stride`-th element of the tensor in the order of memory, along one axis; the tensor
/// itself where `stride` is 1.
Tensor strided_elements(const Tensor& tensor, std::int64_t stride);

}  // namespace lapidary

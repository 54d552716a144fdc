// SPDX-License-Identifier: Apache-2.0
// Looks for recorded values among those that a run computes.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <lapidary/exec/step_observer.h>
#include <lapidary/inspect/recording_check.h>

#include "inspect/recorded_places.h"

namespace lapidary {

/// A value that was held against a recorded one.
struct RecordedPlace {
    const Graph* graph = nullptr;  // the main graph, or a body; null: none was
    ValueId value;
    auto operator<=>(const RecordedPlace&) const = default;
};

/// Observes the main graph and bodies; nothing but what it found is kept. In a body, the k-th call
/// of a module is held against the k-th iteration, by its place alone.
class RecordedTargets final : public StepObserver {
public:
    /// All outlive it.
    RecordedTargets(const Recording& recording, const RecordedPlaces& places,
                    const Tolerance& tolerance);

    void graph_begins(ObservedGraph& graph) override;
    void node_ran(ObservedGraph& graph, const Node& node) override;

    /// One for each output of each module, in their order; of a dump in the order of the run,
    /// without inputs of the model. Call it after the run.
    std::vector<CheckedModule> take();
    /// Where the values of take() are, in its order. Valid while the session lives.
    const std::vector<RecordedPlace>& places() const { return found_at_; }

private:
    struct Target {
        CheckedModule found;
        const RecordedValue* recorded = nullptr;
        bool is_in_place = false;  // found.value is at the place of the module
        std::string other_shape;   // of a value at its place
        std::size_t order = 0;     // when a value at its place was met; 0: none was
        RecordedPlace place;       // of found.value
    };

    void look(ObservedGraph& graph, ValueId id, const Node* node);
    /// Of a body: the iteration is the call of the module.
    bool is_call(const Target& target, const ObservedGraph& graph) const;
    void judge(Target& target, bool is_in_place, const Tensor& tensor, const ObservedGraph& graph,
               ValueId id, const Node* node);
    bool may_agree(const Target& target, const Tensor& tensor) const;
    bool agrees(const Target& target, const Tensor& tensor) const;
    /// True where the tensor is what another module, which does not enclose the target's, gave in
    /// the recording.
    bool is_of_another(const Target& target, const Tensor& tensor) const;

    /// Why nothing was compared.
    std::string reason_of(const Target& target) const;

    const Recording& recording_;
    const RecordedPlaces& places_;
    const Tolerance tolerance_;
    std::vector<Target> targets_;
    std::map<Shape, std::vector<std::size_t>> by_shape_;  // those with elements
    std::map<std::size_t, std::vector<std::size_t>> by_module_;
    std::size_t met_ = 0;
    std::vector<RecordedPlace> found_at_;
};

/// Every `stride`-th element of the tensor in the order of memory, along one axis; the tensor
/// itself where `stride` is 1.
Tensor strided_elements(const Tensor& tensor, std::int64_t stride);

}  // namespace lapidary

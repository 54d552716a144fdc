// SPDX-License-Identifier: Apache-2.0
// Small changes of a graph, which lead to its neighbours.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/model.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary::lapgen {

/// Most elements of a constant that a step may change, and that the text of a neighbour contains.
inline constexpr std::int64_t most_printed_elements = 64;

/// Chooses an index whenever a step has a choice.
class Choices {
public:
    virtual ~Choices() = default;
    virtual std::int64_t one_of(std::int64_t count) = 0;
    /// The same for elements that are alike, where not every choice makes a difference.
    virtual std::int64_t one_alike(std::int64_t count) { return one_of(count); }
};

class RandomChoices final : public Choices {
public:
    explicit RandomChoices(std::uint64_t seed) : random_(seed) {}
    std::int64_t one_of(std::int64_t count) override {
        return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(count));
    }

private:
    std::mt19937_64 random_;
};

/// Enumerates all combinations of choices: use it, then call next(), until that is false.
class EveryChoice final : public Choices {
public:
    std::int64_t one_of(std::int64_t count) override;
    /// Tries only the first, second and last.
    std::int64_t one_alike(std::int64_t count) override;
    bool next();

private:
    std::vector<std::pair<std::int64_t, std::int64_t>> path_;  // chosen index, number of choices
    std::size_t depth_ = 0;
};

/// Changes a graph step by step.
class NeighbourSteps {
public:
    NeighbourSteps(Model& model, Choices& choices)
        : graph_(model.graph), edit_(model.graph), choices_(choices) {}

    /// The number of kinds of steps.
    static constexpr std::int64_t kinds = 20;
    /// Does the step and describes it; empty if it did not fit the graph.
    std::string step(std::int64_t kind);

    /// Values of inputs that were constants.
    NamedValues given;
    /// Previous types of inputs that are now declared with less detail.
    std::map<std::string, Type> full_types;

private:
    std::string one_more_output();
    std::string one_more_reader();
    std::string another_input_type();
    std::string every_input_type();
    std::string constant_becomes_input();
    std::string another_constant();
    std::string another_constant_shape();
    std::string another_attribute();
    std::string another_attribute_from_schema();
    std::string omitted_input();
    std::string swapped_operands();
    std::string another_input();
    std::string one_more_node_output();
    std::string another_operator();
    std::string identity_before();
    std::string without_node();
    std::string another_element_type();
    std::string every_element_type();
    std::string another_constant_size();
    std::string copied_constant();

    template <typename T>
    const T& pick(const std::vector<T>& list) {
        return list[static_cast<std::size_t>(choices_.one_of(std::ssize(list)))];
    }
    template <typename Fits>
    ValueId value_that(const Fits& fits);
    const Node& any_node();
    std::size_t any_input(const Node& node);
    void set_element_type(ValueId id, DType dtype);

    Graph& graph_;
    GraphEdit edit_;
    Choices& choices_;
};

}  // namespace lapidary::lapgen

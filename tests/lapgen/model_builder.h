// SPDX-License-Identifier: Apache-2.0
// A graph under construction with seeded choices. Every value in the pool has an inferred type.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/model.h>

namespace lapidary::lapgen {

class ModelBuilder {
public:
    ModelBuilder(std::uint64_t seed, std::int64_t opset, bool exact);

    // ---- choices
    std::int64_t number(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
    }
    bool chance(double probability) { return std::bernoulli_distribution(probability)(random_); }
    template <typename T>
    const T& pick(const std::vector<T>& list) {
        return list[static_cast<std::size_t>(
            number(0, static_cast<std::int64_t>(list.size()) - 1))];
    }

    /// Sets the element type of float values that are made and picked from now on: f32, f16 or
    /// bf16.
    void set_float_type(DType type) { float_type_ = type; }
    DType float_type() const { return float_type_; }

    // ---- values
    ValueId input(SymbolicShape shape);
    /// Random floats; small whole numbers in exact mode.
    ValueId weights(Shape shape, double scale = 1);
    ValueId scalar(double value);
    ValueId ints(const std::vector<std::int64_t>& values);
    /// Adds one node; an empty id if it would not be valid. Its output is added to the pool. Of
    /// several float outputs each is added by chance, so that some are never read.
    ValueId add(std::string_view op, std::vector<ValueId> inputs,
                std::vector<Attribute> attributes = {}, std::size_t outputs = 1);
    void offer(ValueId value) { pool_.push_back(value); }
    /// A random float value; later ones are chosen more often.
    ValueId any();
    /// A float value of that rank (all dimensions known when `fixed`), or an empty id.
    ValueId of_rank(int rank, bool fixed = false);
    const std::vector<ValueId>& pool() const { return pool_; }
    const Type& type(ValueId value) const { return model_.graph.value(value).type; }
    int rank(ValueId value) const {
        return type(value).shape ? static_cast<int>(type(value).shape->size()) : -1;
    }
    /// -1: not known.
    std::int64_t dim(ValueId value, int axis) const {
        return (*type(value).shape)[static_cast<std::size_t>(axis)].value();
    }

    std::int64_t opset() const { return opset_; }
    bool exact() const { return exact_; }
    GraphEdit& edit() { return edit_; }
    const Graph& graph() const { return model_.graph; }
    /// Finishes the model. Unread values become outputs, and sometimes one that is read. Types are
    /// inferred again.
    Model finish();

private:
    std::mt19937_64 random_;
    std::int64_t opset_;
    bool exact_;
    DType float_type_ = DType::f32;
    Model model_;
    GraphEdit edit_;
    std::vector<ValueId> pool_;
};

/// Adds a value that control flow, a sequence or an optional passes on by reference; false if the
/// choice did not fit.
bool hand_on(ModelBuilder& builder);
/// Adds operators that compute in 16 bits between Casts; false when the choice did not fit.
bool compute_in_half(ModelBuilder& builder);
/// Adds an operator with several outputs, some of which nothing reads; false when the choice did
/// not fit.
bool with_unread_outputs(ModelBuilder& builder);
/// Adds one random operator; false when the choice did not fit.
bool add_random_operator(ModelBuilder& builder);

}  // namespace lapidary::lapgen

// SPDX-License-Identifier: Apache-2.0
// Sizes for the symbolic and unknown dimensions of a model's inputs.
#pragma once

#include <map>
#include <optional>
#include <string>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>
#include <lapidary/inputs/usual_sizes.h>

namespace lapidary {

/// Default lengths. These keep a run short.
struct DefaultLengths {
    std::int64_t sequence = 8;  // positions of a text or of other steps
    std::int64_t step = 8;      // new positions of a decoder that has caches
    std::int64_t past = 4;      // positions in the caches of a decoder
};
/// Lengths for benchmarks; shorter if a table of positions of the model has fewer rows.
DefaultLengths usual_lengths(const Model& model);

/// Chooses sizes such that inputs fit each other: the same name has the same size everywhere; sizes
/// of `given` and `dimensions` stay; caches have the heads that attention requires; attention masks
/// cover past and new positions. Sizes that were not given are halved until no input has more than
/// a million elements.
class InputSizes {
public:
    /// Throws invalid_input when `given` contradicts itself, `dimensions` or the declaration;
    /// cancelled.
    InputSizes(const Model& model, const NamedValues& given,
               const std::map<std::string, std::int64_t>& dimensions,
               const DefaultLengths& lengths = {}, const CancelToken& cancel = {});

    /// The shape for one input. Throws invalid_input when its rank is unknown.
    Shape shape_of(const Value& input) const;
    /// The size of a dimension anywhere in the graph, when it follows from the inputs' sizes.
    std::optional<std::int64_t> size_of(const Dim& dim) const;

    /// Every symbol with its size.
    const std::map<std::string, std::int64_t>& all() const { return sizes_; }

    /// Why a symbol has its size. Nothing: it was given or follows from given sizes.
    std::optional<SizeReason> reason_of(const std::string& symbol) const;

    std::int64_t past_length() const { return past_; }
    std::int64_t new_length() const { return sequence_; }

private:
    void bind(const std::string& symbol, std::int64_t size, const std::string& by);
    void bind_given(const Value& input, const Shape& shape);
    void settle_lengths(const Model& model);
    void choose_for(const Value& input);
    /// Number of elements of inputs with free dimensions that are too large for a default.
    double huge_elements(const Model& model) const;
    /// A default size, halved as often as inputs were too large with it.
    std::int64_t usual(std::int64_t size) const;
    struct Choice {
        std::int64_t size;
        SizeReason reason;
    };
    /// Fixes the size of the symbol.
    void settle(const std::string& symbol, Choice choice);
    Choice choose(const Value& input, std::size_t axis, const std::string& symbol) const;
    Choice choose_by_place(const Value& input, std::size_t axis) const;
    Choice choose_sequence(const Value& input, std::size_t axis, const std::string& symbol) const;
    Choice new_positions(const Value& input) const;
    bool is_table_of_rows(const SymbolicShape& shape) const;

    std::map<std::string, std::int64_t> sizes_;
    std::map<std::string, std::string> bound_by_;
    std::map<std::string, SizeReason> reasons_;
    DefaultLengths lengths_;
    std::int64_t past_ = 0, sequence_ = 8;
    bool has_past_ = false;
    bool is_only_input_ = false;
    int halvings_ = 0;
};

/// The text in lower case, for comparing names.
std::string lower(std::string_view text);

}  // namespace lapidary

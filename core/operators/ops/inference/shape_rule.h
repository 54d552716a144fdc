// SPDX-License-Identifier: Apache-2.0
// The interface of an operator's inference rule: what it reads and sets. Rules live in
// ops/rules/<family>.cpp and are listed in ops/rules/<family>_rules.inc as
// LAPIDARY_SHAPE_RULE("domain", "Op", function).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph.h>

namespace lapidary {

/// A tensor's known contents: exact, or partly symbolic for small tensors that carry shapes.
struct KnownValue {
    std::optional<Tensor> tensor;  // fully known constant
    /// Row-major contents of a tensor of static shape: whole numbers (negative ones as dim_of()
    /// spells them), symbolic sizes, or unknown entries.
    std::optional<std::vector<Dim>> elements;
};

class InferenceContext;

/// The dimensions of one input as a rule sees them. Every access asks the rank first: a dimension
/// that is not there fails through the context with a sentence that names the input, the least rank
/// expected and the rank found.
class InputShape {
public:
    /// Both outlive this; `dims` is null while the rank is unknown.
    InputShape(const InferenceContext& context, std::size_t input, const SymbolicShape* dims)
        : context_(&context), dims_(dims), input_(input) {}

    bool is_known() const { return dims_ != nullptr; }
    std::size_t size() const { return dims_->size(); }
    bool empty() const { return dims_->empty(); }
    const Dim& operator[](std::size_t i) const {
        if (i >= size()) refuse(i);
        return (*dims_)[i];
    }
    const Dim& front() const { return (*this)[0]; }
    const Dim& back() const { return (*this)[empty() ? 0 : size() - 1]; }
    auto begin() const { return dims_->begin(); }
    auto end() const { return dims_->end(); }
    auto rbegin() const { return dims_->rbegin(); }
    auto rend() const { return dims_->rend(); }
    operator const SymbolicShape&() const { return *dims_; }

private:
    [[noreturn]] void refuse(std::size_t i) const;
    const InferenceContext* context_;
    const SymbolicShape* dims_;
    std::size_t input_;
};

/// The engine binds output element types from the schema's type variables before calling the rule,
/// so most rules only set shapes. A rule throws through ctx.fail() when the node cannot be valid.
class InferenceContext {
public:
    virtual ~InferenceContext() = default;
    virtual const Node& node() const = 0;
    virtual std::int64_t version() const = 0;
    virtual std::size_t input_count() const = 0;
    virtual std::size_t output_count() const = 0;
    virtual bool has_input(std::size_t index) const = 0;
    // Kind::unknown when absent or unknown
    virtual const Type& input_type(std::size_t index) const = 0;
    virtual const InputShape* input_shape(std::size_t index) const = 0;  // null: rank unknown
    virtual const KnownValue& input_value(std::size_t index) const = 0;
    // to set dtype or kind
    virtual Type& output_type(std::size_t index) = 0;
    virtual void set_output_shape(std::size_t index, SymbolicShape shape) = 0;
    virtual void set_output_value(std::size_t index, KnownValue value) = 0;
    /// Infers a subgraph attribute with these types for its inputs and returns its output types,
    /// unknown dimensions where they depend on names made inside. `certain`: the subgraph runs at
    /// least once, so a node that cannot be valid fails; otherwise it leaves a warning. Fails when
    /// there is no such attribute.
    virtual std::vector<Type> infer_subgraph(std::string_view attribute,
                                             const std::vector<Type>& input_types,
                                             bool certain = true) = 0;
    /// How many subgraphs enclose the node: rules visit a subgraph more than once near the top
    /// only, so that inference stays linear in the nesting.
    virtual int nesting() const = 0;
    /// A new dimension name for data-dependent sizes: "<hint>_<n>" ("nonzero_0"), equal to nothing
    /// else.
    virtual Dim fresh_dim(std::string_view hint) = 0;
    /// The node cannot be valid: throws invalid_model. Type inference adds file and node.
    [[noreturn]] void fail(std::string message) const { fail_model(std::move(message)); }

    /// Integers of input `index` when it is a fully known constant of an integer type.
    std::optional<std::vector<std::int64_t>> constant_ints(std::size_t index) const;
    std::optional<std::vector<float>> constant_floats(std::size_t index) const;
    /// The contents of a small integer or bool input, exact or partly symbolic.
    std::optional<std::vector<Dim>> elements(std::size_t index) const;
};

/// What a context's input_shape() hands out, one per input of the node; points into the context and
/// its types.
std::vector<InputShape> input_shapes_of(const InferenceContext& context);

using ShapeRule = void (*)(InferenceContext&);
/// The rule of an operator, or null (outputs then keep the element type with unknown shape).
ShapeRule find_shape_rule(std::string_view domain, std::string_view op_type);

}  // namespace lapidary

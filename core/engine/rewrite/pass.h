// SPDX-License-Identifier: Apache-2.0
// The interface of passes. Each pass is one file and one LAPIDARY_PASS line in a pass list; see
// pass_list.inc.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/passes/optimize.h>

#include "patterns/checks.h"
#include "patterns/match.h"
#include "patterns/pattern.h"
#include "patterns/scope.h"

namespace lapidary {

class PassContext;

/// The outcome of a rewrite: applied, declined for a reason (which becomes a near miss), or the
/// place does not concern this pass.
struct Outcome {
    bool done = false;
    std::string text;  // remark or reason; empty if the place does not concern this pass
};
inline Outcome applied(std::string remark) { return {true, std::move(remark)}; }
/// The place almost matches. Throws internal without a reason.
Outcome declined(std::string reason);
/// The place only looks similar, or another pass reports it.
inline Outcome not_concerned() { return {}; }
/// The outcome for a problem that a helper returned: declined, or not concerned if it is empty.
inline Outcome stopped_by(std::string problem) {
    return problem.empty() ? not_concerned() : declined(std::move(problem));
}

/// A pattern and its rewrite, which must not have edited anything when it declines.
struct Rule {
    pattern::Pattern pattern;
    std::function<Outcome(const pattern::Match&, PassContext&)> rewrite;
    /// A failed attempt is a near miss from so many matched operators on. 0: half of the pattern's,
    /// but at least two, so that a root alone is no miss; rules of one operator then miss only by
    /// conditions of `require`.
    int near_miss_from = 0;
};

/// The work of a pass; one of the three is set.
struct PassBody {
    // tried at every node of every graph, new nodes included
    std::vector<Rule> rules = {};
    std::function<void(PassContext&)> run = {};  // over a whole graph
    /// Over the whole model, for what passes on graphs cannot reach (functions, inputs and
    /// outputs). Returns the remark, or empty when there was nothing to do.
    std::function<std::string(Model&, const OptimizeOptions&, const CancelToken&)> run_model = {};
    bool main_graph_only = false;  // else every subgraph too
    // infer the whole model again when it did something, before the next pass
    bool changes_shapes = false;
    // of the model, inclusive; the pass does not run at others
    std::int64_t least_opset = 0, most_opset = 1 << 20;
};

/// The interface through which a pass reads and edits one graph of the model.
class PassContext {
public:
    virtual ~PassContext() = default;

    virtual const Scope& scope() const = 0;
    virtual GraphEdit& edit() = 0;
    virtual const OptimizeOptions& options() const = 0;
    virtual const CancelToken& cancel() const = 0;
    const Graph& graph() const { return scope().graph; }
    const Model& model() const { return scope().model; }
    std::int64_t opset() const { return model().opset(); }
    /// Elements of a small integer tensor: a constant's, or what inference knows about shape
    /// arithmetic (partly symbolic; main graph only). Nothing when not known.
    virtual std::optional<std::vector<Dim>> elements(ValueId value) const = 0;
    /// The nodes at the start of the pass in topological order, without erased ones.
    virtual std::vector<NodeId> nodes() const = 0;

    /// False when `stop_after` is used up: a whole-graph pass then returns at once, before it
    /// edits.
    virtual bool may_rewrite() const = 0;
    /// Ends one rewrite made through edit(): counts it, infers types of added nodes. Rules do not
    /// call it.
    virtual void record(std::string remark) = 0;
    /// Reports a change that is no rewrite of nodes, such as erased unused constants.
    virtual void touched() = 0;
    /// A near miss of a whole-graph pass.
    virtual void miss(NodeId node, std::string reason, int shortfall = 1,
                      std::vector<NodeId> nodes = {}) = 0;

    // ---- building blocks of rewrites
    /// A new initializer; the name is made unique.
    ValueId constant(std::string_view name, Tensor tensor) {
        return edit().add_initializer(std::string(name), std::move(tensor));
    }
    // i64[n]
    ValueId constant_ints(std::string_view name, const std::vector<std::int64_t>& values);
    // shape: all ones
    ValueId constant_scalar(std::string_view name, DType dtype, double value, Shape shape = {});
    /// One node with one new output, types inferred at once. `op` may be "domain::Op".
    ValueId node(std::string_view op, std::vector<ValueId> inputs,
                 std::vector<Attribute> attributes = {}, std::string_view name = {});
    /// A copy of an existing node with other inputs: same operator, version, attributes and number
    /// of outputs (unread ones too, since sizes of a Split depend on the number). Types are
    /// inferred at once. Returns output 0.
    ValueId node_like(NodeId like, std::vector<ValueId> inputs);
    /// One node that writes `root`'s outputs in its place (as many as it has; `extra_outputs` new
    /// ones after them), then erases root and every node of `matched` that is no longer needed. The
    /// names of root and of its values stay.
    NodeId replace(NodeId root, std::string_view op, std::vector<ValueId> inputs,
                   std::vector<Attribute> attributes, std::span<const NodeId> matched = {},
                   std::size_t extra_outputs = 0);
    /// One node that writes existing values in place of the nodes that write them now. Nothing may
    /// read other outputs of those. An empty id is an unused output. The new node has the name of
    /// the first one; `matched` as in replace().
    NodeId replace_several(const std::vector<ValueId>& outputs, std::string_view op,
                           std::vector<ValueId> inputs, std::vector<Attribute> attributes,
                           std::span<const NodeId> matched = {});
    /// Replaces output 0 of `node` by an existing value, then erases the node and the nodes of
    /// `matched` that are no longer needed. If the output is a graph output, the replacement gets
    /// its name. Returns why that is not possible (then nothing is edited), or empty.
    std::string bypass(NodeId node, ValueId replacement, std::span<const NodeId> matched = {});
    /// Why bypass() would refuse, or empty.
    std::string bypass_problem(NodeId node, ValueId replacement) const;
    /// Erases nodes of the list whose outputs nothing needs, until none is left.
    void erase_unused(std::span<const NodeId> nodes);
    /// Sets an entry of the model's metadata.
    virtual void set_model_metadata(std::string_view key, std::string value) = 0;
    /// Adds the opset import that nodes of `domain` need; node() and replace() call it.
    virtual void import(std::string_view domain) = 0;

protected:
    virtual void infer_node(NodeId node) = 0;

private:
    NodeSpec spec_of(std::string_view op, std::vector<ValueId> inputs,
                     std::vector<Attribute> attributes, std::string name);
};

/// Attributes: attr("axis", 1), attr("alpha", 0.5f), attr("mode", "edge"), attr("perm",
/// std::vector<std::int64_t>{0, 2, 1}).
Attribute attr(std::string name, AttributeValue value);
inline Attribute attr(std::string name, int value) {
    return attr(std::move(name), AttributeValue(static_cast<std::int64_t>(value)));
}
inline Attribute attr(std::string name, std::int64_t value) {
    return attr(std::move(name), AttributeValue(value));
}
inline Attribute attr(std::string name, float value) {
    return attr(std::move(name), AttributeValue(value));
}
Attribute attr(std::string name, double value) = delete;  // ONNX attributes are float: say so
inline Attribute attr(std::string name, const char* value) {
    return attr(std::move(name), AttributeValue(std::string(value)));
}

}  // namespace lapidary

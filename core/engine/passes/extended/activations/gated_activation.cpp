// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/activations/gated_activation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <lapidary/base/error.h>

#include "passes/extended/fused_kernels.h"

namespace lapidary::passes {
namespace {

using pattern::Formula;
using pattern::Polynomial;

constexpr std::size_t max_values = 24;

/// The value and what arithmetic makes it from, nearest first.
std::vector<ValueId> sources_of(const Scope& scope, ValueId value) {
    std::vector<ValueId> out = {value};
    for (std::size_t i = 0; i < out.size() && out.size() < max_values; ++i) {
        const Node* node = scope.producer(out[i]);
        if (!node || !pattern::is_arithmetic(*node)) continue;
        for (ValueId in : node->inputs)
            if (in && !scope.constant(in) && std::ranges::find(out, in) == out.end())
                out.push_back(in);
    }
    return out;
}

struct Found {
    ValueId x;
    NodeId root;
    std::vector<NodeId> nodes;  // root first
    std::string shared;         // name of an inner value that something else needs
};

class Finder {
public:
    Finder(const Scope& scope, const GatedActivation& form, const Node& function)
        : scope_(scope), form_(form), function_(function) {}

    /// The match that takes the most nodes away.
    std::optional<Found> find() {
        std::optional<Found> best;
        for (ValueId x : sources_of(scope_, function_.inputs[0])) {
            Formula argument(scope_, x);
            const auto q = argument.of(function_.inputs[0]);
            if (!q) continue;
            if (!q->matches(form_.argument)) {
                if (argument_text_.empty() && q->coefficient(form_.required_power) != 0 &&
                    !argument.nodes().empty()) {
                    argument_text_ = to_string(*q, "x");
                    nodes_ = {function_.id};
                    nodes_.insert(nodes_.end(), argument.nodes().begin(), argument.nodes().end());
                }
                continue;
            }
            auto found = find_root(x, argument.nodes());
            if (found && (!best || std::pair(found->shared.empty(), found->nodes.size()) >
                                       std::pair(best->shared.empty(), best->nodes.size())))
                best = std::move(found);
        }
        return best;
    }

    /// Why find() found nothing; empty when the place does not look like the activation at all.
    std::string reason() const {
        if (!result_text_.empty())
            return "the result is " + result_text_ + ", " + form_.title + " is " +
                   to_string(form_.result, "x", form_.function_text);
        if (argument_found_ || argument_text_.empty() || !gates()) return {};
        return form_.function + " reads " + argument_text_ + ", " + form_.title + " needs " +
               to_string(form_.argument, "x");
    }
    const std::vector<NodeId>& nodes() const { return nodes_; }

private:
    /// f's result goes into arithmetic at all.
    bool gates() const {
        return std::ranges::any_of(scope_.value(function_.outputs[0]).uses, [&](const Use& u) {
            return pattern::is_arithmetic(scope_.node(u.node));
        });
    }

    std::optional<Found> find_root(ValueId x, const std::vector<NodeId>& argument) {
        argument_found_ = true;
        const ValueId f = function_.outputs[0];
        std::vector<ValueId> values = {f};
        for (std::size_t i = 0; i < values.size() && values.size() < max_values; ++i) {
            const std::vector<Use>& uses = scope_.value(values[i]).uses;
            for (const Use& use : uses) {
                const Node& reader = scope_.node(use.node);
                if (!pattern::is_arithmetic(reader) ||
                    std::ranges::find(values, reader.outputs[0]) != values.end())
                    continue;
                Formula result(scope_, x, f);
                const auto p = result.of(reader.outputs[0]);
                if (!p) continue;
                if (!p->matches(form_.result) ||
                    scope_.dtype(reader.outputs[0]) != scope_.dtype(x)) {
                    values.push_back(reader.outputs[0]);
                    if (p->coefficient(1, 1) != 0 && !p->matches(form_.result)) {
                        result_text_ = to_string(*p, "x", form_.function_text);
                        nodes_ = result.nodes();
                        nodes_.push_back(function_.id);
                    }
                    continue;
                }
                return found(x, reader, result.nodes(), argument);
            }
        }
        return std::nullopt;
    }

    Found found(ValueId x, const Node& root, const std::vector<NodeId>& result,
                const std::vector<NodeId>& argument) const {
        Found out{x, root.id, {root.id}, {}};
        for (NodeId id : result)
            if (id != root.id) out.nodes.push_back(id);
        out.nodes.push_back(function_.id);
        for (NodeId id : argument)
            if (std::ranges::find(out.nodes, id) == out.nodes.end()) out.nodes.push_back(id);
        // What only depends on x may be shared; what depends on f would be computed twice.
        for (std::size_t i = 1; i < out.nodes.size(); ++i) {
            const Node& node = scope_.node(out.nodes[i]);
            const bool from_function =
                node.id == function_.id || !Formula(scope_, x).of(node.outputs[0]);
            if (!from_function) continue;
            const Value& v = scope_.value(node.outputs[0]);
            const bool inside = v.output_uses == 0 && v.captured_by.empty() &&
                                std::ranges::all_of(v.uses, [&](const Use& u) {
                                    return std::ranges::find(out.nodes, u.node) != out.nodes.end();
                                });
            if (!inside) out.shared = v.name;
        }
        return out;
    }

    const Scope& scope_;
    const GatedActivation& form_;
    const Node& function_;
    bool argument_found_ = false;
    std::string argument_text_, result_text_;
    std::vector<NodeId> nodes_;
};

}  // namespace

void fuse_gated_activation(PassContext& context, const GatedActivation& form) {
    for (NodeId id : context.nodes()) {
        if (!context.may_rewrite()) return;
        if (!context.graph().is_alive(id)) continue;
        const Node& function = context.graph().node(id);
        if (function.op_type != form.function || !function.domain.empty() ||
            (form.accepts && !form.accepts(context, function)))
            continue;
        Finder finder(context.scope(), form, function);
        const auto found = finder.find();
        if (!found) {
            if (std::string reason = finder.reason(); !reason.empty())
                context.miss(id, std::move(reason), 1, finder.nodes());
            continue;
        }
        const std::string op =
            form.op.substr(form.op.find("::") == std::string::npos ? 0 : form.op.find("::") + 2);
        std::string problem = missing_kernel(context.scope(), op, context.scope().dtype(found->x));
        if (problem.empty() && !found->shared.empty())
            problem = "the intermediate value " + quote(found->shared) + " is also read elsewhere";
        if (!problem.empty()) {
            context.miss(found->root, std::move(problem), 1, found->nodes);
            continue;
        }
        const std::size_t count = found->nodes.size();
        context.replace(found->root, form.op, {found->x}, form.attributes, found->nodes);
        context.record(form.title + " written as " + std::to_string(count) + " operators became " +
                       op);
    }
}

GatedActivation erf_gelu(std::string op) {
    return {.title = "GELU",
            .function = "Erf",
            .function_text = "erf",
            .argument = {{{{1, 0}, 1 / std::numbers::sqrt2}}},
            .result = {{{{1, 0}, 0.5}, {{1, 1}, 0.5}}},
            .op = std::move(op)};
}

GatedActivation tanh_gelu(std::string op, std::vector<Attribute> attributes) {
    const double k = std::sqrt(2 / std::numbers::pi);
    return {.title = "GELU by tanh",
            .function = "Tanh",
            .function_text = "tanh",
            .argument = {{{{1, 0}, k}, {{3, 0}, 0.044715 * k}}},
            .result = {{{{1, 0}, 0.5}, {{1, 1}, 0.5}}},
            .required_power = 3,
            .op = std::move(op),
            .attributes = std::move(attributes)};
}

}  // namespace lapidary::passes

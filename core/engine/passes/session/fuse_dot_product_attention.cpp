// SPDX-License-Identifier: Apache-2.0
//   before:  y = MatMul(Softmax(Add(Where(seen, Mul(MatMul(q, k), scale), -3e38), mask)), v), with
//   or
//            without scale, Where and mask
//   after:   y = lapidary::DotProductAttention(q, k, v, mask?) {scale ...}
// What Where hides goes into the mask: y = DotProductAttention(q, k, v, Add(Where(seen, 0, -3e38),
// mask)). A number that far below is what it is whatever score is added. The lowest number of
// float16, which models in it put there, is taken for such a number where nothing else is added:
// only seen scores below -65400 would give another result.
// Transposes that only split heads, of q, k and v before it and of y after it, are taken in where
// nothing else reads them; on the CPU so are Casts of k and v from float16, which caches of a
// decoder may be. Batch and heads of all operands are known to agree; scores and weights
// are read by nothing else.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/passes/device_passes.h>

#include "passes/session/become_operator.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

bool is_plain(const Node& n, std::string_view op) { return n.domain.empty() && n.op_type == op; }

/// The node that writes a value, if it writes nothing else; null otherwise.
const Node* producer_of(const Graph& graph, ValueId id) {
    const Value& v = graph.value(id);
    if (v.kind != ValueKind::node_output) return nullptr;
    const Node& n = graph.node(v.producer);
    return std::ranges::count(n.outputs, ValueId()) + 1 == std::ssize(n.outputs) ? &n : nullptr;
}

/// The same of a value that only one input reads.
const Node* sole_producer(const Graph& graph, ValueId id) {
    return graph.value(id).read_once() ? producer_of(graph, id) : nullptr;
}

const SymbolicShape* shape_of(const Graph& graph, ValueId id) {
    const Type& type = graph.value(id).type;
    return type.dtype == DType::f32 && type.shape ? &*type.shape : nullptr;
}

// Scores are absorbed by numbers from here down: half a unit in the last place of them is 4e22.
constexpr float most_hidden = -1e30f;
constexpr float lowest_half = -65504.0f;

bool is_same(const Dim& a, const Dim& b) { return !a.is_unknown() && a == b; }

std::optional<float> float_of(const Graph& graph, ValueId id) {
    const Value& v = graph.value(id);
    if (!v.is_constant() || !v.constant || v.constant->dtype() != DType::f32 ||
        v.constant->size() != 1)
        return {};
    return v.constant->data<float>()[0];
}

/// A product of two computed matrices; the second one may be read transposed.
struct MatrixPair {
    float scale = 1;
    bool transposes = false;

    static std::optional<MatrixPair> of(const Node& n) {
        if (is_plain(n, "MatMul")) return MatrixPair{};
        if (n.domain != "com.microsoft" || n.op_type != "FusedMatMul") return {};
        if (n.int_attribute("transA", 0) != 0 || n.int_attribute("transBatchA", 0) != 0 ||
            n.int_attribute("transBatchB", 0) != 0)
            return {};
        return MatrixPair{n.float_attribute("alpha", 1.0f), n.int_attribute("transB", 0) != 0};
    }
};

/// Looks from a Softmax up to the product of the scores and down to that of the weights.
class Finder {
public:
    Finder(const Graph& graph, const Node& softmax, bool is_cpu)
        : graph_(graph), softmax_(softmax), is_cpu_(is_cpu) {}

    /// Applied, or declined for the first condition that fails. Not concerned: there are no
    /// products before and after the Softmax.
    Outcome find() {
        if (!follow()) return not_concerned();
        if (std::string problem = problem_of_path(); !problem.empty())
            return declined(std::move(problem));
        if (std::string problem = problem_of_operands(); !problem.empty())
            return declined(std::move(problem));
        nodes.push_back(first_->id);
        if (scaling_) nodes.push_back(scaling_->id);
        if (hiding_) nodes.push_back(hiding_->id);
        if (adding_) nodes.push_back(adding_->id);
        nodes.insert(nodes.end(), {softmax_.id, second_->id});
        if (shape_of(graph_, softmax_.inputs[0])->size() == 4) {
            if (is_cpu_) take_halves();
            take_transposes();
        }
        return applied("attention in one kernel: " + std::to_string(nodes.size()) + " nodes");
    }

    ValueId q, k, v, mask;
    // of Where, if there is one: where scores are seen, and the number in place of the others
    ValueId seen;
    float hidden = 0;
    float scale = 1;
    int q_last = 0, k_form = 0, v_last = 0, out_last = 0;
    std::vector<NodeId> nodes;  // all that go; the last one gives the result

private:
    /// Whether there is a product above the Softmax, behind a mask and a factor at most, and one
    /// below that reads it.
    bool follow() {
        for (const Use& use : graph_.value(softmax_.outputs[0]).uses)
            if (use.input == 0 && MatrixPair::of(graph_.node(use.node)))
                second_ = &graph_.node(use.node);
        if (!second_) return false;
        const Node* n = producer_of(graph_, softmax_.inputs[0]);
        if (!n) return false;
        if (!is_plain(*n, "Add") || n->inputs.size() != 2) return follow_hidden(*n);
        adding_ = n;
        for (const std::size_t side : {0, 1}) {
            const Node* scores = producer_of(graph_, n->inputs[side]);
            added_to_ = side;
            if (scores && follow_hidden(*scores)) return true;
        }
        return false;
    }

    /// Whether the node gives the scores, hidden in part or not.
    bool follow_hidden(const Node& n) {
        hiding_ = nullptr;
        if (!is_plain(n, "Where")) return follow_scores(n);
        const Node* scores = producer_of(graph_, n.inputs[1]);
        if (!scores || !follow_scores(*scores)) return false;
        hiding_ = &n;
        return true;
    }

    /// Whether the node is the product, or one that scales it.
    bool follow_scores(const Node& n) {
        scaling_ = nullptr;
        first_ = MatrixPair::of(n) ? &n : nullptr;
        if (first_ || (!is_plain(n, "Mul") && !is_plain(n, "Div")) || n.inputs.size() != 2)
            return first_;
        for (const std::size_t side : {0, 1}) {
            const Node* product = producer_of(graph_, n.inputs[side]);
            if (first_ || !product || !MatrixPair::of(*product) ||
                (side == 1 && n.op_type == "Div"))
                continue;
            first_ = product;
            scaling_ = &n;
            scaled_ = side;
        }
        return first_;
    }

    std::string problem_of_path() const {
        const auto* scores = shape_of(graph_, softmax_.inputs[0]);
        if (!scores) return "the scores are not known to be float32 of a known rank";
        if (scores->size() != 3 && scores->size() != 4)
            return "the scores have rank " + std::to_string(scores->size()) + ", not 3 or 4";
        const auto rank = static_cast<std::int64_t>(scores->size());
        const std::int64_t axis = softmax_.int_attribute("axis", softmax_.version >= 13 ? -1 : 1);
        if (axis != -1 && axis != rank - 1)
            return "Softmax works along axis " + std::to_string(axis) + ", not the last one";
        if (!graph_.value(softmax_.outputs[0]).read_once())
            return "what Softmax gives is read elsewhere too";
        const auto values = *MatrixPair::of(*second_);
        if (values.transposes || values.scale != 1)
            return "the product with the values transposes or scales them";
        for (const Node* n : {adding_, hiding_, scaling_, first_})
            if (n && !graph_.value(n->outputs[0]).read_once())
                return "what " + n->describe() + " gives is read elsewhere too";
        if (adding_ && !is_mask(adding_->inputs[1 - added_to_], *adding_, added_to_))
            return "the mask is not known to keep the shape of the scores";
        if (hiding_) {
            const auto number = float_of(graph_, hiding_->inputs[2]);
            if (!number || !(*number <= most_hidden || *number == lowest_half))
                return "Where puts something else in place of scores than one number below -1e30 "
                       "or -65504";
            if (*number == lowest_half && adding_)
                return "a mask is added to what Where hides by -65504, and Softmax distinguishes "
                       "the two";
            if (!is_mask(hiding_->inputs[0], *hiding_, 1))
                return "Where is not known to keep the shape of the scores";
        }
        if (scaling_) {
            if (!float_of(graph_, scaling_->inputs[1 - scaled_]))
                return "the scores are scaled by something else than one constant number";
            if (!keeps_shape(scaling_->inputs[scaled_], scaling_->outputs[0]))
                return "the scale is not known to keep the shape of the scores";
        }
        return {};
    }

    std::string problem_of_operands() {
        const MatrixPair products = *MatrixPair::of(*first_);
        scale = products.scale;
        if (scaling_) {
            const float factor = *float_of(graph_, scaling_->inputs[1 - scaled_]);
            scale = products.scale * (scaling_->op_type == "Div" ? 1 / factor : factor);
        }
        if (adding_) mask = adding_->inputs[1 - added_to_];
        if (hiding_) {
            seen = hiding_->inputs[0];
            hidden = std::min(*float_of(graph_, hiding_->inputs[2]), most_hidden);
        }
        q = first_->inputs[0];
        k = first_->inputs[1];
        v = second_->inputs[1];
        k_form = products.transposes ? 0 : 2;
        const std::size_t rank = shape_of(graph_, softmax_.inputs[0])->size();
        const std::pair<const char*, ValueId> operands[] = {
            {"queries", q}, {"keys", k}, {"values", v}};
        for (const auto& [name, id] : operands) {
            const auto* shape = shape_of(graph_, id);
            if (!shape || shape->size() != rank)
                return "the " + std::string(name) +
                       " are not known to be float32 of the scores' rank";
            if (graph_.value(id).is_constant()) return "the " + std::string(name) + " are constant";
        }
        for (const auto& [name, id] : operands)
            for (std::size_t i = 0; i + 2 < rank; ++i)
                if (!is_same((*shape_of(graph_, q))[i], (*shape_of(graph_, id))[i]))
                    return "the " + std::string(name) +
                           " are not known to have the batch and heads of the queries";
        return {};
    }

    /// Whether what is put over the scores, which are input `scores` of the node, is a mask of
    /// them. Kernels of the CPU take one to which scores are broadcast, too.
    bool is_mask(ValueId over, const Node& node, std::size_t scores) const {
        const Type& type = graph_.value(over).type;
        const auto* shape = shape_of(graph_, node.inputs[scores]);
        if (!type.shape || !shape || type.shape->size() > shape->size()) return false;
        return is_cpu_ || keeps_shape(node.inputs[scores], node.outputs[0]);
    }

    bool keeps_shape(ValueId before, ValueId after) const {
        const auto *a = shape_of(graph_, before), *b = shape_of(graph_, after);
        return a && b && std::ranges::equal(*a, *b, is_same);
    }

    /// Looks through a Transpose with that order; what is left is its input.
    bool look_through(ValueId& value, const std::vector<std::int64_t>& order) {
        const Node* n = sole_producer(graph_, value);
        if (!n || !is_plain(*n, "Transpose") || n->ints_attribute("perm") != order) return false;
        value = n->inputs[0];
        nodes.insert(nodes.begin(), n->id);
        return true;
    }

    /// The Cast from float16 that alone gives the value, for one reader; null: there is none.
    const Node* cast_of_halves(ValueId value) const {
        const Node* n = sole_producer(graph_, value);
        return n && is_plain(*n, "Cast") && graph_.value(n->inputs[0]).type.dtype == DType::f16
                   ? n
                   : nullptr;
    }

    /// Keys and values of float16 are read as they are, where rows of them lie in one piece.
    void take_halves() {
        const Node *keys = cast_of_halves(k), *values = cast_of_halves(v);
        if (!keys || !values) return;
        if (k_form == 2) {
            const Node* n = sole_producer(graph_, keys->inputs[0]);
            if (!n || !is_plain(*n, "Transpose")) return;
            const auto order = n->ints_attribute("perm");
            if (order != std::vector<std::int64_t>{0, 2, 3, 1} &&
                order != std::vector<std::int64_t>{0, 1, 3, 2})
                return;
        }
        k = keys->inputs[0];
        v = values->inputs[0];
        nodes.insert(nodes.begin(), {keys->id, values->id});
    }

    void take_transposes() {
        q_last = look_through(q, {0, 2, 1, 3});
        v_last = look_through(v, {0, 2, 1, 3});
        if (k_form == 2) {
            if (look_through(k, {0, 2, 3, 1})) k_form = 1;
            else if (look_through(k, {0, 1, 3, 2})) k_form = look_through(k, {0, 2, 1, 3}) ? 1 : 0;
        } else if (look_through(k, {0, 2, 1, 3})) {
            k_form = 1;
        }
        const Value& out = graph_.value(second_->outputs[0]);
        if (!out.read_once()) return;
        const Node& next = graph_.node(out.uses[0].node);
        if (!is_plain(next, "Transpose") ||
            next.ints_attribute("perm") != std::vector<std::int64_t>{0, 2, 1, 3})
            return;
        out_last = 1;
        nodes.push_back(next.id);
    }

    const Graph& graph_;
    const Node& softmax_;
    const bool is_cpu_;
    const Node *first_ = nullptr, *scaling_ = nullptr, *hiding_ = nullptr, *adding_ = nullptr,
               *second_ = nullptr;
    // indices of the inputs of scaling_ and adding_ that are the scores
    std::size_t scaled_ = 0, added_to_ = 0;
};

/// The mask with what Where hides.
ValueId whole_mask(PassContext& context, const Finder& found) {
    if (!found.seen) return found.mask;
    const ValueId zero = context.constant_scalar("seen", DType::f32, 0);
    const ValueId low = context.constant_scalar("hidden", DType::f32, found.hidden);
    const ValueId hidden = context.node("Where", {found.seen, zero, low});
    return found.mask ? context.node("Add", {hidden, found.mask}) : hidden;
}

void fuse(PassContext& context, const Finder& found) {
    const NodeId last = found.nodes.back();
    const ValueId inputs[] = {found.q, found.k, found.v, whole_mask(context, found)};
    std::vector<Attribute> attributes{attr("scale", found.scale)};
    for (const auto& [name, value] : {std::pair{"q_last", found.q_last},
                                      {"k_form", found.k_form},
                                      {"v_last", found.v_last},
                                      {"out_last", found.out_last}})
        attributes.push_back(attr(name, value));
    become_operator(context.edit(), last, "DotProductAttention", inputs, std::move(attributes),
                    found.nodes);
    context.erase_unused(std::span(found.nodes).first(found.nodes.size() - 1));
}

void fuse_attention(PassContext& context) {
    const Graph& graph = context.graph();
    for (NodeId id : context.nodes()) {
        if (!graph.is_alive(id) || !is_plain(graph.node(id), "Softmax")) continue;
        if (!context.may_rewrite()) return;
        Finder finder(graph, graph.node(id), !is_for_devices(context.options().provider));
        Outcome outcome = finder.find();
        if (outcome.done) {
            fuse(context, finder);
            context.record(std::move(outcome.text));
        } else if (!outcome.text.empty()) {
            context.miss(id, std::move(outcome.text));
        }
    }
}

}  // namespace

PassBody fuse_dot_product_attention() { return {.run = fuse_attention}; }

}  // namespace lapidary::passes

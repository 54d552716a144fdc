// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <lapidary/graph/graph_edit.h>

#include "mutate/mutation.h"

namespace lapidary::mutate {
namespace {

template <typename T>
const T& pick(const std::vector<T>& list, Random& random) {
    return list[random() % list.size()];
}

std::int64_t odd_number(std::int64_t now, Random& random) {
    static constexpr std::int64_t odd[] = {
        0, 1, -1, 2, 3, 7, -2, INT32_MAX, 1ll << 31, 1ll << 62, INT64_MAX, INT64_MIN};
    return random() % 3 == 0 ? now + 1 - static_cast<std::int64_t>(random() % 3)
                             : odd[random() % std::size(odd)];
}

class GraphMutation {
public:
    GraphMutation(Graph& graph, Random& random) : graph_(graph), edit_(graph), random_(random) {}

    /// Empty when the choice did not fit.
    std::string change() {
        const std::vector<NodeId> nodes(graph_.nodes().begin(), graph_.nodes().end());
        if (nodes.empty()) return {};
        const NodeId node = pick(nodes, random_);
        const auto kind = random_() % 16;
        if (kind < 6) return attribute(node);
        if (kind < 10) return small_constant(node);
        if (kind < 12) return declared_size();
        if (kind < 13) return link(node);
        if (kind < 14) return without_input(node);
        if (kind < 15) return other_operator(node, pick(nodes, random_));
        return inside(node);
    }

private:
    std::string name(NodeId id) const { return graph_.node(id).describe(); }

    std::string attribute(NodeId id) {
        std::vector<Attribute> all;
        for (const Attribute& a : graph_.node(id).attributes)
            if (!std::holds_alternative<GraphPtr>(a.value)) all.push_back(a);
        if (all.empty()) return {};
        Attribute a = pick(all, random_);
        if (random_() % 6 == 0) {
            edit_.remove_attribute(id, a.name);
            return "no " + a.name + " of " + name(id) + "; ";
        }
        if (auto* number = std::get_if<std::int64_t>(&a.value))
            *number = odd_number(*number, random_);
        else if (auto* list = std::get_if<std::vector<std::int64_t>>(&a.value)) {
            const auto kind = random_() % 4;
            if (kind == 0 && !list->empty()) list->pop_back();
            else if (kind == 1) list->push_back(odd_number(1, random_));
            else if (!list->empty())
                (*list)[random_() % list->size()] = odd_number((*list)[0], random_);
        } else if (auto* real = std::get_if<float>(&a.value)) {
            *real = random_() % 2 ? -*real : static_cast<float>(odd_number(0, random_));
        } else if (auto* text = std::get_if<std::string>(&a.value)) {
            text->assign(random_() % 2 ? "SAME_UPPER" : "x");
        } else {
            return {};
        }
        const std::string what = a.name + " of " + name(id) + "; ";
        edit_.set_attribute(id, std::move(a));
        return what;
    }

    std::string small_constant(NodeId id) {
        for (ValueId v : graph_.node(id).inputs) {
            if (!v || graph_.value(v).kind != ValueKind::initializer || !graph_.value(v).constant)
                continue;
            const Tensor& t = *graph_.value(v).constant;
            if (t.dtype() != DType::i64 || t.size() > 64) continue;
            Tensor changed = t.clone();
            if (random_() % 4 == 0) changed = Tensor(DType::i64, {t.size() + 1});
            for (std::int64_t& e : changed.mutable_data<std::int64_t>())
                e = random_() % 2 && changed.size() == t.size() ? e : odd_number(e, random_);
            edit_.set_input(id,
                            static_cast<std::size_t>(std::ranges::find(graph_.node(id).inputs, v) -
                                                     graph_.node(id).inputs.begin()),
                            edit_.add_initializer("changed", std::move(changed)));
            return "constant of " + name(id) + "; ";
        }
        return {};
    }

    std::string declared_size() {
        const std::vector<ValueId> inputs(graph_.inputs().begin(), graph_.inputs().end());
        if (inputs.empty()) return {};
        const ValueId v = pick(inputs, random_);
        Type type = graph_.value(v).type;
        if (!type.shape) return {};
        const auto kind = random_() % 8;
        if (kind == 0 && !type.shape->empty()) type.shape->pop_back();
        else if (kind == 1) type.shape->push_back(Dim(std::int64_t{2}));
        else if (kind < 6)  // sizes that only a run knows
            for (Dim& d : *type.shape)
                d = Dim::symbolic(std::string(odd_symbol) +
                                  std::to_string(random_() % odd_symbols));
        else if (!type.shape->empty())
            (*type.shape)[random_() % type.shape->size()] =
                Dim(static_cast<std::int64_t>(random_() % 20));
        edit_.set_type(v, type);
        return "size of " + graph_.value(v).name + "; ";
    }

    std::string link(NodeId id) {
        std::vector<ValueId> values(graph_.inputs().begin(), graph_.inputs().end());
        for (NodeId n : graph_.nodes()) {
            if (n == id) break;  // only values from before the node, or there were a cycle
            for (ValueId v : graph_.node(n).outputs)
                if (v) values.push_back(v);
        }
        const std::size_t inputs = graph_.node(id).inputs.size();
        if (values.empty() || inputs == 0) return {};
        edit_.set_input(id, random_() % inputs, pick(values, random_));
        return "link of " + name(id) + "; ";
    }

    std::string without_input(NodeId id) {
        const std::size_t inputs = graph_.node(id).inputs.size();
        if (inputs == 0) return {};
        edit_.set_input(id, random_() % inputs, {});
        return "input of " + name(id) + " left out; ";
    }

    std::string other_operator(NodeId id, NodeId like) {
        const Node& other = graph_.node(like);
        const std::string what = name(id) + " as " + other.op_type + "; ";
        edit_.set_operator(id, other.domain, other.op_type, other.version);
        return what;
    }

    std::string inside(NodeId id) {
        for (const Attribute& a : graph_.node(id).attributes) {
            const auto* inner = std::get_if<GraphPtr>(&a.value);
            if (inner == nullptr) continue;
            auto changed = std::make_shared<Graph>(**inner);
            const std::string what = GraphMutation(*changed, random_).change();
            Attribute replacement = a;
            replacement.value = GraphPtr(changed);
            edit_.set_attribute(id, std::move(replacement));
            return what;
        }
        return {};
    }

    Graph& graph_;
    GraphEdit edit_;
    Random& random_;
};

}  // namespace

std::string mutate_graph(Model& model, Random& random) {
    // Types that were inferred or declared would contradict the change before anything else looks
    // at it.
    GraphEdit edit(model.graph);
    for (ValueId v : model.graph.values())
        if (const Value& value = model.graph.value(v); value.kind == ValueKind::node_output)
            edit.set_type(v, value.output_uses > 0 && value.type.is_tensor()
                                 ? Type::tensor(value.type.dtype)
                                 : Type());
    std::string done;
    const std::size_t changes = 1 + random() % 2;
    for (std::size_t made = 0, tries = 0; made < changes && tries < 40; ++tries) {
        const std::string what = GraphMutation(model.graph, random).change();
        made += !what.empty();
        done += what;
    }
    return done;
}

}  // namespace lapidary::mutate

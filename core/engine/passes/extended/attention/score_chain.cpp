// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/attention/score_chain.h"

#include <algorithm>
#include <cmath>

namespace lapidary::attention {
namespace {

bool is_product(const Scope& scope, const Node& node) {
    const bool known = (node.op_type == "MatMul" && node.domain.empty()) ||
                       (node.op_type == "FusedMatMul" && node.domain == "com.microsoft");
    return known && !scope.constant(node.inputs[0]) && !scope.constant(node.inputs[1]) &&
           scope.rank(node.inputs[0]) >= 3 && scope.rank(node.inputs[1]) >= 3;
}

/// True if there is a product of two computed values above, behind operators that scores may pass.
bool leads_to_product(const Scope& scope, ValueId value, int depth) {
    const Node* node = scope.producer(value);
    if (!node || depth == 0) return false;
    if (is_product(scope, *node)) return true;
    if (!node->domain.empty()) return false;
    const std::string& op = node->op_type;
    const auto above = [&](std::size_t i) {
        return leads_to_product(scope, node->inputs[i], depth - 1);
    };
    if (op == "Add" || op == "Mul") return above(0) || above(1);
    if (op == "Where") return above(1) || above(2);
    static constexpr std::string_view of_first[] = {"Div",      "Sub",       "Reshape", "Cast",
                                                    "Identity", "Unsqueeze", "Squeeze"};
    return std::ranges::find(of_first, op) != std::ranges::end(of_first) && above(0);
}

bool is_view(std::string_view op) {
    return op == "Identity" || op == "Reshape" || op == "Unsqueeze" || op == "Squeeze";
}

std::optional<double> scalar_at(const Scope& scope, ValueId value) {
    if (const auto direct = scalar_of(scope.constant(value))) return direct;
    // A scalar that was expanded before use.
    const Node* node = scope.producer(value);
    if (node && node->domain.empty() && (node->op_type == "Expand" || node->op_type == "Cast"))
        return scalar_at(scope, node->inputs.at(0));
    if (const Tensor* t = scope.constant(value);
        t && t->size() > 1 && is_float(t->dtype()) && t->size() <= 1 << 20) {
        const auto values = to_doubles(*t);
        for (double v : values)
            if (v != values[0]) return std::nullopt;
        return values[0];
    }
    return std::nullopt;
}

class ScoreWalk {
public:
    ScoreWalk(const Scope& scope, ScoreChain& chain, std::string& problem)
        : scope_(scope), chain_(chain), problem_(problem) {}

    bool run(ValueId value) {
        for (int steps = 0; steps < 24; ++steps) {
            const Node* node = scope_.producer(value);
            if (!node) return false;
            if (is_product(scope_, *node)) return finish(*node);
            if (!leads_to_product(scope_, value, 12)) return false;
            const ValueId next = step(*node, value);
            if (!next) return !problem_.empty();
            value = next;
        }
        return false;
    }

private:
    bool leads(ValueId value) const { return leads_to_product(scope_, value, 11); }

    ValueId refuse(std::string problem) {
        problem_ = std::move(problem);
        return {};
    }

    void mask(MaskTerm term, ValueId scores) {
        chain_.masks.push_back(term);
        const auto& shape = scope_.type(scores).shape;
        if (shape && chain_.shape.empty()) chain_.shape = *shape;
    }

    ValueId step(const Node& node, ValueId value) {
        const std::string& op = node.op_type;
        if (is_view(op)) return node.inputs[0];
        if (op == "Cast") {
            if (scope_.dtype(node.inputs[0]) == scope_.dtype(value)) return node.inputs[0];
            return refuse(node.describe() + " changes the element type of the scores");
        }
        if (op == "Mul" || op == "Div") return scaled(node);
        const bool masks = op == "Add" || op == "Where" || op == "Sub";
        if (masks && chain_.scale != 1)
            return refuse("the scores are scaled after the mask is applied (" + node.describe() +
                          ")");
        if (op == "Add") {
            const std::size_t scores = leads(node.inputs[0]) ? 0 : 1;
            mask({MaskTerm::Kind::add, node.inputs[1 - scores], 0, node.id}, node.inputs[scores]);
            return node.inputs[scores];
        }
        if (op == "Where") return chosen(node);
        if (op == "Sub") return subtracted(node);
        return refuse("the scores pass through " + node.describe() +
                      ", which attention does not have");
    }

    ValueId scaled(const Node& node) {
        const bool divides = node.op_type == "Div";
        for (std::size_t i = divides ? 1 : 0; i < 2; ++i) {
            const auto factor = scalar_of(scope_.constant(node.inputs[i]));
            if (!factor) continue;
            if (*factor == 0) return refuse("the scores are scaled by 0");
            chain_.scale *= divides ? 1 / *factor : *factor;
            return node.inputs[1 - i];
        }
        return refuse("the scores are scaled by a value that is no constant (" + node.describe() +
                      ")");
    }

    /// Where: scores, or a constant.
    ValueId chosen(const Node& node) {
        const std::size_t scores = leads(node.inputs[1]) ? 1 : 2;
        const auto filler = scalar_at(scope_, node.inputs[3 - scores]);
        if (!filler)
            return refuse(node.describe() +
                          " fills masked scores with a value that is no constant");
        mask({scores == 1 ? MaskTerm::Kind::keep : MaskTerm::Kind::drop, node.inputs[0], *filler,
              node.id},
             node.inputs[scores]);
        return node.inputs[scores];
    }

    /// scores * m - (1 - m) * c: scores where m is 1, else -c.
    ValueId subtracted(const Node& node) {
        const Node *kept = scope_.producer(node.inputs[0]),
                   *dropped = scope_.producer(node.inputs[1]);
        if (!kept || kept->op_type != "Mul" || !dropped || dropped->op_type != "Mul")
            return refuse(node.describe() + " subtracts from the scores what is no mask");
        const std::size_t scores = leads(kept->inputs[0]) ? 0 : 1;
        const ValueId m = kept->inputs[1 - scores];
        for (std::size_t i = 0; i < 2; ++i) {
            const auto c = scalar_of(scope_.constant(dropped->inputs[1 - i]));
            const Node* rest = scope_.producer(dropped->inputs[i]);
            if (!c || !rest || rest->op_type != "Sub" || rest->inputs.at(1) != m ||
                scalar_of(scope_.constant(rest->inputs[0])) != 1.0)
                continue;
            mask({MaskTerm::Kind::keep, m, -*c, node.id}, kept->inputs[scores]);
            return kept->inputs[scores];
        }
        return refuse(node.describe() +
                      " subtracts from the scores what is not (1 - mask) * constant");
    }

    bool finish(const Node& node) {
        chain_.product = node.id;
        chain_.query = node.inputs[0];
        chain_.key = node.inputs[1];
        chain_.key_swapped = true;
        if (node.op_type == "FusedMatMul") {
            if (node.int_attribute("transBatchA", 0) != 0 ||
                node.int_attribute("transBatchB", 0) != 0) {
                problem_ = node.describe() + " transposes batches";
                return true;
            }
            chain_.query_swapped = node.int_attribute("transA", 0) != 0;
            chain_.key_swapped = node.int_attribute("transB", 0) == 0;
            chain_.scale *= node.float_attribute("alpha", 1.0f);
        }
        if (chain_.shape.empty()) {
            if (const auto& shape = scope_.type(node.outputs[0]).shape) chain_.shape = *shape;
            else problem_ = "the rank of the scores is not known";
        }
        return true;
    }

    const Scope& scope_;
    ScoreChain& chain_;
    std::string& problem_;
};

}  // namespace

bool is_score_softmax(const Scope& scope, const Node& node) {
    if (node.op_type != "Softmax" || !node.domain.empty() || node.inputs.empty()) return false;
    const int rank = scope.rank(node.inputs[0]);
    const std::int64_t axis = node.int_attribute("axis", node.version >= 13 ? -1 : 1);
    return rank >= 3 && (axis == -1 || axis == rank - 1);
}

bool find_scores(const Scope& scope, const Node& softmax, ScoreChain& chain, std::string& problem) {
    return ScoreWalk(scope, chain, problem).run(softmax.inputs[0]);
}

}  // namespace lapidary::attention

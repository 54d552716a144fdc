// SPDX-License-Identifier: Apache-2.0
// TreeEnsembleClassifier, TreeEnsembleRegressor (ai.onnx.ml 1, 3) and TreeEnsemble (5).
#include <cmath>
#include <limits>
#include <set>

#include "kernels/reference/attention/score_transform.h"
#include "kernels/reference/elementwise/elementwise_map.h"
#include "kernels/reference/machine_learning/class_labels.h"
#include "kernels/reference/machine_learning/decision_forest.h"

namespace lapidary::reference {
namespace {

enum class Aggregate { average, sum, min, max };

/// Feature rows as doubles; a 1-D tensor is one row.
struct TreeRows {
    std::int64_t count = 1, width = 0;
    std::vector<double> values;
};

TreeRows read_rows(const KernelContext& context, const DecisionForest& forest) {
    const Tensor& x = context.input(0);
    if (x.rank() < 1 || x.rank() > 2)
        context.fail("input 0: expected [N, F] or [F], found " + to_string(x.shape()));
    TreeRows rows{x.rank() == 2 ? x.dim(0) : 1, x.shape().back(), to_doubles(x)};
    if (rows.width < forest.features)
        context.fail("input 0: the trees read " + std::to_string(forest.features) +
                     " features, found " + std::to_string(rows.width));
    return rows;
}

void check_targets(const DecisionForest& forest, std::int64_t targets, const char* what) {
    for (const auto& leaf : forest.leaves)
        if (leaf.target < 0 || leaf.target >= targets)
            fail_model(std::string(what) + " " + std::to_string(leaf.target) +
                       " is outside of the " + std::to_string(targets) + " there are");
}

/// Calls body(row index, scores, has) with what the leaves give, base values not yet added.
template <typename Body>
void evaluate(KernelContext& context, const DecisionForest& forest, const TreeRows& rows,
              std::int64_t targets, Aggregate aggregate, const Body& body) {
    for_ranges(
        context, rows.count,
        [&](std::int64_t begin, std::int64_t end) {
            std::vector<float> scores(static_cast<std::size_t>(targets));
            std::vector<bool> has(static_cast<std::size_t>(targets));
            for (std::int64_t row = begin; row < end; ++row) {
                context.cancel().throw_if_cancelled();
                std::fill(scores.begin(), scores.end(), 0.0f);
                std::fill(has.begin(), has.end(), false);
                for (const std::size_t root : forest.roots) {
                    const auto& leaf =
                        forest.find_leaf(root, rows.values.data() + row * rows.width);
                    for (std::size_t i = leaf.first; i < leaf.last; ++i) {
                        const auto target = static_cast<std::size_t>(forest.leaves[i].target);
                        const float weight = forest.leaves[i].weight;
                        if (aggregate == Aggregate::min && has[target])
                            scores[target] = std::min(scores[target], weight);
                        else if (aggregate == Aggregate::max && has[target])
                            scores[target] = std::max(scores[target], weight);
                        else scores[target] += weight;
                        has[target] = true;
                    }
                }
                if (aggregate == Aggregate::average && !forest.roots.empty())
                    for (float& s : scores) s /= static_cast<float>(forest.roots.size());
                body(row, scores, has);
            }
        },
        64);
}

void regress(KernelContext& context, const DecisionForest& forest, std::int64_t targets,
             Aggregate aggregate, const std::vector<double>& base, ScoreTransform transform) {
    if (targets < 1)
        fail_model("attribute n_targets: expected at least 1, found " + std::to_string(targets));
    if (!base.empty() && base.size() != 1 && base.size() != static_cast<std::size_t>(targets))
        fail_model("attribute base_values: expected " + std::to_string(targets) +
                   " elements, found " + std::to_string(base.size()));
    check_targets(forest, targets, "target");
    const TreeRows rows = read_rows(context, forest);
    const bool is_double = context.version() >= 5 && context.input(0).dtype() == DType::f64;
    Tensor& y = context.output(0, is_double ? DType::f64 : DType::f32, {rows.count, targets});
    evaluate(context, forest, rows, targets, aggregate,
             [&](std::int64_t row, std::vector<float>& scores, const std::vector<bool>&) {
                 for (std::size_t t = 0; t < scores.size(); ++t)
                     if (!base.empty())
                         scores[t] += static_cast<float>(base.size() == 1 ? base[0] : base[t]);
                 transform_scores(transform, scores);
                 for (std::size_t t = 0; t < scores.size(); ++t) {
                     const auto at = static_cast<std::size_t>(row * targets) + t;
                     if (is_double) y.mutable_data<double>()[at] = scores[t];
                     else y.mutable_data<float>()[at] = scores[t];
                 }
             });
}

}  // namespace

void tree_ensemble_regressor(KernelContext& context) {
    const Node& node = context.node();
    const std::string name = node.string_attribute("aggregate_function", "SUM");
    const Aggregate aggregate = name == "SUM"       ? Aggregate::sum
                                : name == "AVERAGE" ? Aggregate::average
                                : name == "MIN"     ? Aggregate::min
                                                    : Aggregate::max;
    if (aggregate == Aggregate::max && name != "MAX")
        fail_model("attribute aggregate_function: expected SUM, AVERAGE, MIN or MAX, found " +
                   quote(name));
    regress(context, read_forest(node, "target"), node.int_attribute("n_targets", 1), aggregate,
            numbers_of(node, "base_values"),
            score_transform_from(node.string_attribute("post_transform", "NONE")));
}

void tree_ensemble(KernelContext& context) {
    const Node& node = context.node();
    const std::int64_t aggregate = node.int_attribute("aggregate_function", 1),
                       transform = node.int_attribute("post_transform", 0);
    if (aggregate < 0 || aggregate > 3)
        fail_model("attribute aggregate_function: expected 0 to 3, found " +
                   std::to_string(aggregate));
    if (transform < 0 || transform > 4)
        fail_model("attribute post_transform: expected 0 to 4, found " + std::to_string(transform));
    regress(context, read_forest_5(node), node.int_attribute("n_targets", 1),
            static_cast<Aggregate>(aggregate), {}, static_cast<ScoreTransform>(transform));
}

void tree_ensemble_classifier(KernelContext& context) {
    const Node& node = context.node();
    const DecisionForest forest = read_forest(node, "class");
    const ClassLabels labels(node);
    const auto classes = static_cast<std::int64_t>(labels.size());
    if (classes < 1) fail_model("TreeEnsembleClassifier has no class labels");
    check_targets(forest, classes, "class");
    const ScoreTransform transform =
        score_transform_from(node.string_attribute("post_transform", "NONE"));
    const std::vector<double> base = numbers_of(node, "base_values");
    if (base.size() > static_cast<std::size_t>(classes))
        fail_model("attribute base_values: expected at most " + std::to_string(classes) +
                   " elements, found " + std::to_string(base.size()));

    // Two classes whose weights all name one class: a single score decides.
    std::set<std::int64_t> named;
    bool all_positive = true;
    for (const auto& leaf : forest.leaves) {
        named.insert(leaf.target);
        all_positive = all_positive && leaf.weight >= 0;
    }
    const bool single = classes <= 2 && named.size() <= 1;
    const auto scored = static_cast<std::size_t>(named.empty() ? 0 : *named.begin());

    const TreeRows rows = read_rows(context, forest);
    LabelOutput out(context, labels, {rows.count});
    Tensor& z = context.output(1, DType::f32, {rows.count, classes});
    float* probabilities = z.mutable_data<float>().data();
    evaluate(context, forest, rows, classes, Aggregate::sum,
             [&](std::int64_t row, std::vector<float>& scores, std::vector<bool>&) {
                 float* to = probabilities + row * classes;
                 if (single) {
                     const float score =
                         scores[scored] + static_cast<float>(base.empty()       ? 0.0
                                                             : base.size() == 1 ? base[0]
                                                                                : base[1]);
                     const bool positive = score > (all_positive ? 0.5f : 0.0f);
                     out.set(row, classes == 2 && positive ? 1 : 0);
                     if (classes == 1) {
                         to[0] = score;
                         transform_scores(transform, {to, 1});
                     } else if (scored == 1) {
                         // Only the second class is scored: the first keeps 0 and both are
                         // transformed.
                         to[0] = 0;
                         to[1] = score;
                         transform_scores(transform, {to, 2});
                     } else if (transform == ScoreTransform::logistic) {
                         to[0] = logistic_of(-score);
                         to[1] = logistic_of(score);
                     } else {
                         to[0] = all_positive ? 1 - score : -score;
                         to[1] = score;
                         if (transform == ScoreTransform::probit)
                             transform_scores(transform, {to, 2});
                     }
                     return;
                 }
                 for (std::size_t c = 0; c < base.size(); ++c)
                     scores[c] += static_cast<float>(base[c]);
                 out.set(row, std::max_element(scores.begin(), scores.end()) - scores.begin());
                 transform_scores(transform, scores);
                 std::copy(scores.begin(), scores.end(), to);
             });
}

}  // namespace lapidary::reference

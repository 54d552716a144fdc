// SPDX-License-Identifier: Apache-2.0
// TreeEnsembleClassifier and TreeEnsembleRegressor on float rows: attributes are read once, rows
// are walked in parallel.
#include <algorithm>
#include <set>

#include "kernels/machine_learning/flat_forest.h"
#include "kernels/reference/attention/score_transform.h"
#include "kernels/reference/machine_learning/class_labels.h"

namespace lapidary {

namespace reference {
void tree_ensemble_classifier(KernelContext&);
void tree_ensemble_regressor(KernelContext&);
}  // namespace reference

namespace {

using reference::ScoreTransform;

constexpr std::int64_t max_targets = 64;  // scores of a row lie on the stack

/// body(row, scores) for every row of input 0.
template <typename Body>
void for_rows(KernelContext& context, const FlatForest& forest, const Tensor& x, std::int64_t rows,
              std::int64_t targets, const Body& body) {
    const auto* values = static_cast<const float*>(x.raw());
    const std::int64_t width = x.shape().back();
    const auto work = [&](std::int64_t begin, std::int64_t end) {
        float scores[max_targets];
        for (std::int64_t row = begin; row < end; ++row) {
            if (row % 1024 == 0) context.cancel().throw_if_cancelled();
            std::fill_n(scores, targets, 0.0f);
            forest.add_scores(values + row * width, scores);
            body(row, scores);
        }
    };
    const std::int64_t grain = std::max<std::int64_t>(
        1, 256 / static_cast<std::int64_t>(std::max<std::size_t>(forest.trees(), 1)));
    if (rows <= grain) work(0, rows);
    else context.threads().parallel_for(rows, grain, work);
}

constexpr FallbackReason no_table = "the input is no table of f32 with a column for each feature";

bool is_plain_input(const FlatForest& forest, const Tensor& x) {
    return x.dtype() == DType::f32 && x.rank() >= 1 && x.rank() <= 2 &&
           x.shape().back() >= forest.features();
}

std::int64_t row_count(const Tensor& x) { return x.rank() == 2 ? x.dim(0) : 1; }

class TreeRegressor final : public Kernel {
public:
    TreeRegressor(FlatForest forest, std::int64_t targets, bool average, std::vector<float> base,
                  ScoreTransform transform)
        : forest_(std::move(forest)), targets_(targets), average_(average), base_(std::move(base)),
          transform_(transform) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if (!is_plain_input(forest_, x))
            return context.run_on_reference(reference::tree_ensemble_regressor, no_table);
        const std::int64_t rows = row_count(x);
        auto* y =
            static_cast<float*>(context.output(0, DType::f32, {rows, targets_}).mutable_raw());
        for_rows(context, forest_, x, rows, targets_, [&](std::int64_t row, float* scores) {
            for (std::int64_t t = 0; t < targets_; ++t) {
                if (average_ && forest_.trees() > 0)
                    scores[t] /= static_cast<float>(forest_.trees());
                if (!base_.empty())
                    scores[t] += base_[base_.size() == 1 ? 0 : static_cast<std::size_t>(t)];
            }
            reference::transform_scores(transform_, {scores, static_cast<std::size_t>(targets_)});
            std::copy_n(scores, targets_, y + row * targets_);
        });
    }

private:
    FlatForest forest_;
    std::int64_t targets_;
    bool average_;
    std::vector<float> base_;
    ScoreTransform transform_;
};

class TreeClassifier final : public Kernel {
public:
    TreeClassifier(FlatForest forest, reference::ClassLabels labels, std::vector<float> base,
                   ScoreTransform transform)
        : forest_(std::move(forest)), labels_(std::move(labels)), base_(std::move(base)),
          transform_(transform) {
        std::set<std::int32_t> named;
        for (const FlatForest::Leaf& leaf : forest_.leaves()) {
            named.insert(leaf.target);
            all_positive_ = all_positive_ && leaf.weight >= 0;
        }
        single_ = labels_.size() <= 2 && named.size() <= 1;
        scored_ = named.empty() ? 0 : *named.begin();
    }

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if (!is_plain_input(forest_, x))
            return context.run_on_reference(reference::tree_ensemble_classifier, no_table);
        const std::int64_t rows = row_count(x), classes = static_cast<std::int64_t>(labels_.size());
        reference::LabelOutput out(context, labels_, {rows});
        auto* y = static_cast<float*>(context.output(1, DType::f32, {rows, classes}).mutable_raw());
        for_rows(context, forest_, x, rows, classes, [&](std::int64_t row, float* scores) {
            float* to = y + row * classes;
            if (single_) return out.set(row, decide(scores, to));
            for (std::size_t c = 0; c < base_.size(); ++c) scores[c] += base_[c];
            out.set(row, std::max_element(scores, scores + classes) - scores);
            reference::transform_scores(transform_, {scores, static_cast<std::size_t>(classes)});
            std::copy_n(scores, classes, to);
        });
    }

private:
    /// For one or two classes where all leaves name the same class: a single score decides. Returns
    /// the label.
    std::int64_t decide(const float* scores, float* to) const {
        const bool two = labels_.size() == 2;
        const float score = scores[scored_] + (base_.empty()       ? 0.0f
                                               : base_.size() == 1 ? base_[0]
                                                                   : base_[1]);
        const bool positive = score > (all_positive_ ? 0.5f : 0.0f);
        if (!two) {
            to[0] = score;
            reference::transform_scores(transform_, {to, 1});
        } else if (scored_ == 1) {  // only the second class is scored: the first keeps 0 and both
                                    // are transformed
            to[0] = 0;
            to[1] = score;
            reference::transform_scores(transform_, {to, 2});
        } else if (transform_ == ScoreTransform::logistic) {
            to[0] = reference::logistic_of(-score);
            to[1] = reference::logistic_of(score);
        } else {
            to[0] = all_positive_ ? 1 - score : -score;
            to[1] = score;
            if (transform_ == ScoreTransform::probit)
                reference::transform_scores(transform_, {to, 2});
        }
        return two && positive ? 1 : 0;
    }

    FlatForest forest_;
    reference::ClassLabels labels_;
    std::vector<float> base_;
    ScoreTransform transform_;
    bool all_positive_ = true, single_ = false;
    std::int32_t scored_ = 0;
};

std::vector<float> base_values(const Node& node) {
    const std::vector<double> values = reference::numbers_of(node, "base_values");
    return {values.begin(), values.end()};
}

/// The trees when every leaf names one of `targets`; what is wrong is said by the reference kernel
/// when it runs.
std::optional<FlatForest> forest_of(const KernelRequest& request, const char* leaves,
                                    std::int64_t targets, std::string& reason) {
    if (const DType dtype = request.input_type(0).dtype;
        dtype != DType::undefined && dtype != DType::f32) {
        reason =
            "element type " + std::string(name_of(dtype)) + " is served by the reference kernel";
        return std::nullopt;
    }
    if (targets < 1 || targets > max_targets) {
        reason = "other than 1 to 64 classes or targets are served by the reference kernel";
        return std::nullopt;
    }
    try {
        const auto forest = reference::read_forest(request.node, leaves);
        for (const auto& leaf : forest.leaves)
            if (leaf.target >= targets) {
                reason = "a leaf names a target that does not exist";
                return std::nullopt;
            }
        return FlatForest::of(forest, reason);
    } catch (const Error& e) {
        reason = e.what();
        return std::nullopt;
    }
}

std::optional<ScoreTransform> transform_of(const Node& node, std::string& reason) {
    try {
        return reference::score_transform_from(node.string_attribute("post_transform", "NONE"));
    } catch (const Error& e) {
        reason = e.what();
        return std::nullopt;
    }
}

}  // namespace

std::unique_ptr<Kernel> make_tree_ensemble_regressor(const KernelRequest& request,
                                                     std::string& reason) {
    const Node& node = request.node;
    const std::string aggregate = node.string_attribute("aggregate_function", "SUM");
    if (aggregate != "SUM" && aggregate != "AVERAGE") {
        reason = "aggregate_function " + aggregate + " is served by the reference kernel";
        return nullptr;
    }
    const std::int64_t targets = node.int_attribute("n_targets", 1);
    std::vector<float> base = base_values(node);
    if (!base.empty() && base.size() != 1 && base.size() != static_cast<std::size_t>(targets)) {
        reason = "base_values does not fit the targets";
        return nullptr;
    }
    auto forest = forest_of(request, "target", targets, reason);
    const auto transform = transform_of(node, reason);
    if (!forest || !transform) return nullptr;
    return std::make_unique<TreeRegressor>(std::move(*forest), targets, aggregate == "AVERAGE",
                                           std::move(base), *transform);
}

std::unique_ptr<Kernel> make_tree_ensemble_classifier(const KernelRequest& request,
                                                      std::string& reason) {
    const Node& node = request.node;
    reference::ClassLabels labels(node);
    std::vector<float> base = base_values(node);
    if (base.size() > labels.size()) {
        reason = "base_values does not fit the classes";
        return nullptr;
    }
    auto forest = forest_of(request, "class", static_cast<std::int64_t>(labels.size()), reason);
    const auto transform = transform_of(node, reason);
    if (!forest || !transform) return nullptr;
    return std::make_unique<TreeClassifier>(std::move(*forest), std::move(labels), std::move(base),
                                            *transform);
}

}  // namespace lapidary

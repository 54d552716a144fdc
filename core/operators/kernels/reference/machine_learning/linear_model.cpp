// SPDX-License-Identifier: Apache-2.0
// ai.onnx.ml: LinearClassifier and LinearRegressor.
#include "base/checked.h"
#include "kernels/reference/attention/score_transform.h"
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/machine_learning/class_labels.h"

namespace lapidary::reference {
namespace {

struct LinearModel {
    std::int64_t rows, features, targets;
    std::vector<float> coefficients, intercepts;
    Tensor x;  // f32

    LinearModel(KernelContext& context, std::int64_t target_count)
        : targets(target_count), coefficients(context.node().floats_attribute("coefficients")),
          intercepts(context.node().floats_attribute("intercepts")),
          x(converted(context, context.input(0), DType::f32)) {
        if (x.rank() < 1 || x.rank() > 2)
            context.fail("input 0: expected [N, F] or [F], found " + to_string(x.shape()));
        rows = x.rank() == 1 ? 1 : x.dim(0);
        features = x.shape().back();
        if (targets < 1 ||
            checked_multiply(targets, features) != static_cast<std::int64_t>(coefficients.size()))
            context.fail("attribute coefficients: expected " + std::to_string(targets) + " * " +
                         std::to_string(features) + " elements, found " +
                         std::to_string(coefficients.size()));
        if (!intercepts.empty() && static_cast<std::int64_t>(intercepts.size()) != targets)
            context.fail("attribute intercepts: expected " + std::to_string(targets) +
                         " elements, found " + std::to_string(intercepts.size()));
    }

    void scores(std::int64_t row, float* out) const {
        const float* in = x.data<float>().data() + row * features;
        for (std::int64_t t = 0; t < targets; ++t) {
            float sum = intercepts.empty() ? 0.0f : intercepts[static_cast<std::size_t>(t)];
            for (std::int64_t f = 0; f < features; ++f)
                sum += in[f] * coefficients[static_cast<std::size_t>(t * features + f)];
            out[t] = sum;
        }
    }
};

}  // namespace

void linear_regressor(KernelContext& context) {
    const LinearModel model(context, context.node().int_attribute("targets", 1));
    const ScoreTransform transform =
        score_transform_from(context.node().string_attribute("post_transform", "NONE"));
    Tensor& y = context.output(0, DType::f32, {model.rows, model.targets});
    for (std::int64_t row = 0; row < model.rows; ++row) {
        float* out = y.mutable_data<float>().data() + row * model.targets;
        model.scores(row, out);
        transform_scores(transform, {out, static_cast<std::size_t>(model.targets)});
    }
}

/// With two labels and one set of coefficients the score is of the second class; the first gets its
/// complement.
void linear_classifier(KernelContext& context) {
    const ClassLabels labels(context.node());
    const auto classes = static_cast<std::int64_t>(labels.size());
    const std::int64_t features =
        context.input(0).rank() == 0 ? 1 : context.input(0).shape().back();
    const auto coefficients =
        static_cast<std::int64_t>(context.node().floats_attribute("coefficients").size());
    const std::int64_t targets = features > 0 ? coefficients / features : 0;
    const LinearModel model(context, targets);
    const bool is_binary = targets == 1 && classes == 2;
    if (!is_binary && classes != targets)
        context.fail("there are " + std::to_string(classes) +
                     " class labels, but coefficients for " + std::to_string(targets) + " classes");
    const ScoreTransform transform =
        score_transform_from(context.node().string_attribute("post_transform", "NONE"));
    const std::int64_t columns = is_binary ? 2 : targets;
    LabelOutput out(context, labels, {model.rows});
    Tensor& z = context.output(1, DType::f32, {model.rows, columns});
    for (std::int64_t row = 0; row < model.rows; ++row) {
        float* scores = z.mutable_data<float>().data() + row * columns;
        if (is_binary) {
            float score = 0;
            model.scores(row, &score);
            out.set(row, score > 0);
            if (transform == ScoreTransform::logistic) {
                scores[0] = logistic_of(-score);
                scores[1] = logistic_of(score);
            } else {
                scores[0] = 1 - score;
                scores[1] = score;
            }
            continue;
        }
        model.scores(row, scores);
        out.set(row, std::max_element(scores, scores + columns) - scores);
        transform_scores(transform, {scores, static_cast<std::size_t>(columns)});
    }
}

}  // namespace lapidary::reference

// SPDX-License-Identifier: Apache-2.0
// ai.onnx.ml: SVMRegressor and SVMClassifier, with libsvm's conventions for votes and
// probabilities.
#include <cmath>
#include <numeric>

#include "kernels/reference/attention/score_transform.h"
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/machine_learning/class_labels.h"

namespace lapidary::reference {
namespace {

struct KernelTrick {
    enum class Kind { linear, poly, rbf, sigmoid } kind = Kind::linear;
    float gamma = 0, coef0 = 0, degree = 0;

    explicit KernelTrick(const Node& node) {
        const std::string name = node.string_attribute("kernel_type", "LINEAR");
        if (name == "LINEAR") kind = Kind::linear;
        else if (name == "POLY") kind = Kind::poly;
        else if (name == "RBF") kind = Kind::rbf;
        else if (name == "SIGMOID") kind = Kind::sigmoid;
        else
            fail_model("attribute kernel_type: expected LINEAR, POLY, RBF or SIGMOID, found " +
                       quote(name));
        const std::vector<float> parameters = node.floats_attribute("kernel_params");
        if (parameters.empty()) return;
        if (parameters.size() != 3)
            fail_model("attribute kernel_params: expected 3 elements, found " +
                       std::to_string(parameters.size()));
        gamma = parameters[0];
        coef0 = parameters[1];
        degree = parameters[2];
    }

    float operator()(const float* a, const float* b, std::int64_t n) const {
        double sum = 0;
        if (kind == Kind::rbf) {
            for (std::int64_t i = 0; i < n; ++i)
                sum += static_cast<double>(a[i] - b[i]) * (a[i] - b[i]);
            return static_cast<float>(std::exp(-gamma * sum));
        }
        for (std::int64_t i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * b[i];
        if (kind == Kind::linear) return static_cast<float>(sum);
        sum = gamma * sum + coef0;
        return static_cast<float>(kind == Kind::poly ? std::pow(sum, degree) : std::tanh(sum));
    }
};

struct Samples {
    std::int64_t rows, features;
    Tensor x;  // f32

    explicit Samples(KernelContext& context) : x(converted(context, context.input(0), DType::f32)) {
        if (x.rank() < 1 || x.rank() > 2)
            context.fail("input 0: expected [N, F] or [F], found " + to_string(x.shape()));
        rows = x.rank() == 1 ? 1 : x.dim(0);
        features = x.shape().back();
    }
    const float* row(std::int64_t i) const { return x.data<float>().data() + i * features; }
};

void require_support_count(const char* name, std::size_t found, std::int64_t expected) {
    if (static_cast<std::int64_t>(found) != expected)
        fail_model(std::string("attribute ") + name + ": expected " + std::to_string(expected) +
                   " elements, found " + std::to_string(found));
}

/// Class probabilities from pairwise ones (Wu, Lin, Weng 2004, second approach), by fixed-point
/// iteration.
std::vector<float> couple(const std::vector<float>& pairwise, std::int64_t n) {
    std::vector<double> q(static_cast<std::size_t>(n * n), 0.0),
        p(static_cast<std::size_t>(n), 1.0 / static_cast<double>(n)),
        qp(static_cast<std::size_t>(n));
    const auto r = [&](std::int64_t i, std::int64_t j) {
        return static_cast<double>(pairwise[static_cast<std::size_t>(i * n + j)]);
    };
    for (std::int64_t t = 0; t < n; ++t)
        for (std::int64_t j = 0; j < n; ++j) {
            if (j == t) continue;
            q[static_cast<std::size_t>(t * n + t)] += r(j, t) * r(j, t);
            q[static_cast<std::size_t>(t * n + j)] = -r(j, t) * r(t, j);
        }
    for (int iteration = 0; iteration < 100; ++iteration) {
        double pqp = 0;
        for (std::int64_t t = 0; t < n; ++t) {
            qp[t] = 0;
            for (std::int64_t j = 0; j < n; ++j) qp[t] += q[t * n + j] * p[j];
            pqp += p[t] * qp[t];
        }
        double worst = 0;
        for (std::int64_t t = 0; t < n; ++t) worst = std::max(worst, std::fabs(qp[t] - pqp));
        if (worst < 0.005 / static_cast<double>(n)) break;
        for (std::int64_t t = 0; t < n; ++t) {
            const double change = (pqp - qp[t]) / q[t * n + t];
            p[t] += change;
            pqp =
                (pqp + change * (change * q[t * n + t] + 2 * qp[t])) / (1 + change) / (1 + change);
            for (std::int64_t j = 0; j < n; ++j) {
                qp[j] = (qp[j] + change * q[t * n + j]) / (1 + change);
                p[j] /= 1 + change;
            }
        }
    }
    return {p.begin(), p.end()};
}

}  // namespace

void svm_regressor(KernelContext& context) {
    const Node& node = context.node();
    const Samples samples(context);
    const KernelTrick kernel(node);
    const auto vectors = node.floats_attribute("support_vectors"),
               coefficients = node.floats_attribute("coefficients"),
               rho = node.floats_attribute("rho");
    const std::int64_t supports =
        std::min<std::int64_t>(node.int_attribute("n_supports", 0), std::int64_t{1} << 31);
    const bool one_class = node.int_attribute("one_class", 0) != 0;
    const ScoreTransform transform =
        score_transform_from(node.string_attribute("post_transform", "NONE"));
    require_support_count("rho", rho.size(), 1);
    require_support_count("coefficients", coefficients.size(),
                          supports > 0 ? supports : samples.features);
    if (supports > 0)
        require_support_count("support_vectors", vectors.size(), supports * samples.features);
    Tensor& y = context.output(0, DType::f32, {samples.rows, 1});
    for (std::int64_t row = 0; row < samples.rows; ++row) {
        float sum = rho[0];
        if (supports > 0)
            for (std::int64_t s = 0; s < supports; ++s)
                sum += coefficients[static_cast<std::size_t>(s)] *
                       kernel(samples.row(row), vectors.data() + s * samples.features,
                              samples.features);
        else sum += kernel(samples.row(row), coefficients.data(), samples.features);
        if (one_class) sum = sum > 0 ? 1.0f : -1.0f;
        transform_scores(transform, {&sum, 1});
        y.mutable_data<float>()[static_cast<std::size_t>(row)] = sum;
    }
}

namespace {

/// The constants of an SVMClassifier. Without support vectors `coefficients` are [classes,
/// features], one plane each; with them [classes - 1, supports], and a decision value of each pair
/// of classes votes for one of the two.
struct SvmModel {
    KernelTrick kernel;
    std::vector<std::int64_t> per_class,
        first;  // support vectors of each class, and the first of them
    std::vector<float> vectors, coefficients, rho, prob_a, prob_b;
    std::int64_t classes, features, supports = 0;

    SvmModel(const Node& node, std::int64_t label_count, std::int64_t feature_count)
        : kernel(node), per_class(node.ints_attribute("vectors_per_class")),
          first(per_class.size()), vectors(node.floats_attribute("support_vectors")),
          coefficients(node.floats_attribute("coefficients")), rho(node.floats_attribute("rho")),
          prob_a(node.floats_attribute("prob_a")), prob_b(node.floats_attribute("prob_b")),
          classes(label_count), features(feature_count) {
        if (classes < 1) fail_model("SVMClassifier has no class labels");
        if (rho.empty()) fail_model("attribute rho is required but missing");
        if (has_vectors()) count_supports();
        else require_support_count("coefficients", coefficients.size(), classes * features);
        if (has_probabilities()) {
            require_support_count("prob_a", prob_a.size(), pairs());
            require_support_count("prob_b", prob_b.size(), pairs());
        }
    }

    bool has_vectors() const { return !per_class.empty(); }
    bool has_probabilities() const { return has_vectors() && !prob_a.empty(); }
    std::int64_t pairs() const { return classes * (classes - 1) / 2; }
    /// The number of scores that the operator outputs per row.
    std::int64_t columns() const {
        if (!has_vectors() || has_probabilities()) return classes;
        return classes > 2 ? pairs() : 2;
    }

    std::vector<float> plane_scores(const float* row) const {
        std::vector<float> scores;
        for (std::int64_t c = 0; c < classes; ++c)
            scores.push_back(kernel(row, coefficients.data() + c * features, features) + rho[0]);
        return scores;
    }

    /// The decision value of each pair (i, j), i < j; each adds a vote to one class.
    std::vector<float> pair_scores(const float* row, std::vector<std::int64_t>& votes) const {
        std::vector<float> kernels(static_cast<std::size_t>(supports)), scores;
        for (std::int64_t s = 0; s < supports; ++s)
            kernels[static_cast<std::size_t>(s)] =
                kernel(row, vectors.data() + s * features, features);
        for (std::int64_t i = 0; i < classes; ++i)
            for (std::int64_t j = i + 1; j < classes; ++j) {
                double sum = 0;
                for (std::int64_t m = 0; m < per_class[i]; ++m)
                    sum += coefficients[(j - 1) * supports + first[i] + m] * kernels[first[i] + m];
                for (std::int64_t m = 0; m < per_class[j]; ++m)
                    sum += coefficients[i * supports + first[j] + m] * kernels[first[j] + m];
                sum += rho[scores.size()];
                scores.push_back(static_cast<float>(sum));
                ++votes[static_cast<std::size_t>(sum > 0 ? i : j)];
            }
        return scores;
    }

    /// Class probabilities from decision values of pairs, by Platt's sigmoids (prob_a, prob_b).
    std::vector<float> probabilities(const std::vector<float>& scores) const {
        std::vector<float> pairwise(static_cast<std::size_t>(classes * classes), 0.0f);
        std::size_t k = 0;
        for (std::int64_t i = 0; i < classes; ++i)
            for (std::int64_t j = i + 1; j < classes; ++j, ++k) {
                const float p = std::clamp(logistic_of(-(scores[k] * prob_a[k] + prob_b[k])),
                                           1.0e-7f, 1 - 1.0e-7f);
                pairwise[static_cast<std::size_t>(i * classes + j)] = p;
                pairwise[static_cast<std::size_t>(j * classes + i)] = 1 - p;
            }
        return couple(pairwise, classes);
    }

private:
    void count_supports() {
        require_support_count("vectors_per_class", per_class.size(), classes);
        for (std::size_t c = 0; c < per_class.size(); ++c) {
            first[c] = supports;
            if (per_class[c] < 0 || per_class[c] > static_cast<std::int64_t>(vectors.size()))
                fail_model("attribute vectors_per_class: " + std::to_string(per_class[c]) +
                           " is out of range");
            supports += per_class[c];
        }
        require_support_count("support_vectors", vectors.size(), supports * features);
        require_support_count("coefficients", coefficients.size(), (classes - 1) * supports);
        require_support_count("rho", rho.size(), pairs());
    }
};

template <typename T>
std::int64_t largest_at(const std::vector<T>& values) {
    return std::max_element(values.begin(), values.end()) - values.begin();
}

}  // namespace

void svm_classifier(KernelContext& context) {
    const Node& node = context.node();
    const Samples samples(context);
    const ClassLabels labels(node);
    const ScoreTransform transform =
        score_transform_from(node.string_attribute("post_transform", "NONE"));
    const SvmModel model(node, static_cast<std::int64_t>(labels.size()), samples.features);
    const std::int64_t columns = model.columns();
    LabelOutput out(context, labels, {samples.rows});
    Tensor& z = context.output(1, DType::f32, {samples.rows, columns});
    for (std::int64_t row = 0; row < samples.rows; ++row) {
        context.cancel().throw_if_cancelled();
        float* to = z.mutable_data<float>().data() + row * columns;
        std::vector<float> scores;
        if (!model.has_vectors()) {
            scores = model.plane_scores(samples.row(row));
            out.set(row, largest_at(scores));
        } else {
            std::vector<std::int64_t> votes(static_cast<std::size_t>(model.classes), 0);
            scores = model.pair_scores(samples.row(row), votes);
            out.set(row, largest_at(votes));
            if (model.has_probabilities()) {
                scores = model.probabilities(scores);
            } else if (model.classes <= 2) {
                // One decision value, positive for the first class; written as the second class's
                // score last.
                const float score = scores.empty() ? 0.0f : scores[0];
                scores = {-score, score};
            }
        }
        transform_scores(transform, scores);
        std::copy(scores.begin(), scores.end(), to);
    }
}

}  // namespace lapidary::reference

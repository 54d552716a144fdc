// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/attention/score_transform.h"

#include <cmath>
#include <limits>
#include <string>

#include <lapidary/base/error.h>

#include "kernels/reference/reduction/softmax_line.h"

namespace lapidary::reference {
namespace {

/// Inverse of the error function by Winitzki's approximation (relative error below 2e-3), which is
/// what peers compute for PROBIT.
float inverse_erf(float x) {
    const float sign = x < 0 ? -1.0f : 1.0f;
    const float log_term = std::log((1 - x) * (1 + x));
    const float v = 2 / (3.14159f * 0.147f) + 0.5f * log_term;
    return sign * std::sqrt(-v + std::sqrt(v * v - log_term / 0.147f));
}

}  // namespace

ScoreTransform score_transform_from(std::string_view name) {
    if (name == "NONE") return ScoreTransform::none;
    if (name == "SOFTMAX") return ScoreTransform::softmax;
    if (name == "LOGISTIC") return ScoreTransform::logistic;
    if (name == "SOFTMAX_ZERO") return ScoreTransform::softmax_zero;
    if (name == "PROBIT") return ScoreTransform::probit;
    fail_model(
        "attribute post_transform: expected NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO or PROBIT, "
        "found " +
        quote(name));
}

float logistic_of(float x) {
    const float positive = 1 / (1 + std::exp(-std::fabs(x)));
    return x < 0 ? 1 - positive : positive;
}

void transform_scores(ScoreTransform transform, std::span<float> scores) {
    switch (transform) {
    case ScoreTransform::none: return;
    case ScoreTransform::softmax:
        softmax_line(scores.data(), static_cast<std::int64_t>(scores.size()));
        return;
    case ScoreTransform::logistic:
        for (float& s : scores) s = logistic_of(s);
        return;
    case ScoreTransform::probit:
        for (float& s : scores) s = 1.41421356f * inverse_erf(2 * s - 1);
        return;
    case ScoreTransform::softmax_zero: {
        // Softmax over the scores that are not (nearly) zero; the others become exactly zero.
        float largest = -std::numeric_limits<float>::infinity(), sum = 0;
        for (const float s : scores) largest = std::max(largest, s);
        for (float& s : scores) {
            if (std::fabs(s) > 0.0000001f) {
                s = std::exp(s - largest);
                sum += s;
            } else {
                s = 0;
            }
        }
        for (float& s : scores) s = sum > 0 ? s / sum : s;
    }
    }
}

}  // namespace lapidary::reference

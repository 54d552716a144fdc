// SPDX-License-Identifier: Apache-2.0
// post_transform of the ai.onnx.ml classifiers and regressors.
#pragma once

#include <span>
#include <string_view>

namespace lapidary::reference {

enum class ScoreTransform { none, softmax, logistic, softmax_zero, probit };

/// "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO" or "PROBIT"; throws invalid_model otherwise.
ScoreTransform score_transform_from(std::string_view name);
/// In place over the scores of one row.
void transform_scores(ScoreTransform transform, std::span<float> scores);
float logistic_of(float x);

}  // namespace lapidary::reference

// SPDX-License-Identifier: Apache-2.0
// Copies of large models that can be cancelled.
#pragma once

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// A copy as Model's copy constructor makes it. Throws cancelled.
Model copy_model(const Model& model, const CancelToken& cancel);

}  // namespace lapidary

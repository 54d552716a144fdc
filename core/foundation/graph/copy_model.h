// SPDX-License-Identifier: Apache-2.0
// Copies of models of which copying takes long.
#pragma once

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// What Model's copy constructor makes. Throws cancelled.
Model copy_model(const Model& model, const CancelToken& cancel);

}  // namespace lapidary

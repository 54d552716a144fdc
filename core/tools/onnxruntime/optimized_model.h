// SPDX-License-Identifier: Apache-2.0
// The graph that ONNX Runtime makes of a model and runs.
#pragma once

#include <memory>

#include <lapidary/graph/model.h>

#include "onnxruntime/open_session.h"

namespace lapidary {

/// As it is written by a separate session, since the time of the one that is recorded is measured.
/// Null: it cannot be written, or not read here.
std::shared_ptr<const Model> onnxruntime_model(const Model& model, const EngineRequest& request,
                                               const Progress& progress);

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// Variants that run in the user's ONNX Runtime.
#pragma once

#include <memory>

#include <lapidary/bench.h>
#include <lapidary/onnxruntime_engine.h>
#include <lapidary/scratch_folder.h>

#include "worker/model_source.h"
#include "worker/run_record.h"

namespace lapidary::app {

/// Whether Recipe::runsInOnnxRuntime().
bool runs_in_onnxruntime(const ModelSource& source);

/// As LocalEngine::profile(): kernels and placement tell the nodes of the executed model that they stand for, as far as
/// that is known; there is no plan.
RunRecord profile_in_onnxruntime(const ModelSource& source, const RunSettings& settings, const Progress& progress);

/// Of one run on these inputs.
NamedValues outputs_in_onnxruntime(const ModelSource& source, const RunSettings& settings, const NamedValues& inputs,
                                   const Progress& progress);

/// To be measured beside others. `folder` outlives it.
std::unique_ptr<BenchEngine> open_in_onnxruntime(const ModelSource& source, const RunConfiguration& configuration,
                                                 const NamedValues& inputs, const std::filesystem::path& folder,
                                                 const Progress& progress);

}  // namespace lapidary::app

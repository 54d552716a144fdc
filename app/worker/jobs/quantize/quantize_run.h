// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <lapidary/base/progress.h>

#include "worker/jobs/quantize/quantize_job.h"

namespace lapidary::app {

/// Runs the job in this process. `on_change` gets the state after each recipe. After a cancel
/// returns the incomplete results, if at least one recipe was tried. Throws not_supported if
/// nothing could be quantized, and what samples_of() and quantize_model() throw.
QuantizeRecord run_quantization(const QuantizeJob& job, const Progress& progress,
                                const std::function<void(const QuantizeRecord&)>& on_change);

}  // namespace lapidary::app

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <lapidary/base/progress.h>

#include "worker/protocol/quantize_record.h"

namespace lapidary::app {

/// The job in this process. `on_change` gets the state after each recipe. A cancel after the first
/// recipe returns what there is, not complete. Throws not_supported when nothing could be
/// quantized, and what samples_of() and quantize_model() throw.
QuantizeRecord run_quantization(const QuantizeJob& job, const Progress& progress,
                                const std::function<void(const QuantizeRecord&)>& on_change);

}  // namespace lapidary::app

// SPDX-License-Identifier: Apache-2.0
// The graph that a session runs, without the session.
#pragma once

#include <string_view>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>
#include <lapidary/exec/session.h>

namespace lapidary {

/// What Session::compile() makes of the model before it chooses kernels: functions expanded, types
/// inferred, neighbouring nodes fused. Deterministic: the graph equals that of Session::model(),
/// ids included, so that a profile taken in another process can be shown on it. Constants share the
/// storage of `model`; larger ones made anew (weights in another type) have a type but no data.
/// `provider`: for a session on a device that this process has not opened, whose passes it ran
/// ("device_fp16", see device_passes.h); empty: by the options. Throws as compile() does in these
/// steps.
Model executed_model(const Model& model, const SessionOptions& options,
                     const Progress& progress = {}, std::string_view provider = {});

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// Finds out what an ONNX Runtime library can do, in a separate process that may crash.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/engines/onnxruntime_engine.h>
#include <lapidary/base/progress.h>

namespace lapidary::app {

/// Runs `lapidary-cli engines --describe PLACE`. Throws only cancelled and failures to allocate
/// memory; all other problems are in OnnxRuntimeInfo::unusable.
OnnxRuntimeInfo probe_onnxruntime(const std::filesystem::path& place,
                                  const CancelToken& cancel = {});

/// All libraries that are found, each probed, without those that the dynamic linker does not find.
/// `place`: probes only that one.
std::vector<OnnxRuntimeInfo> probe_onnxruntimes(const std::filesystem::path& place = {},
                                                const CancelToken& cancel = {});

/// The part of the probing process: returns the line that probe_onnxruntime() reads. The process
/// ends itself after a minute.
std::string describe_engine(const std::filesystem::path& place);

}  // namespace lapidary::app

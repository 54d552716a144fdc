// SPDX-License-Identifier: Apache-2.0
// What an ONNX Runtime can do, asked of a process of its own, which it may crash.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/engines/onnxruntime_engine.h>
#include <lapidary/base/progress.h>

namespace lapidary::app {

/// Runs `lapidary-cli engines --describe PLACE`. Throws nothing but cancelled and what memory asks
/// for: what is wrong is told in OnnxRuntimeInfo::unusable.
OnnxRuntimeInfo probe_onnxruntime(const std::filesystem::path& place,
                                  const CancelToken& cancel = {});

/// All that are found, each probed; those that the dynamic linker does not find are left out.
/// `place`: that one alone.
std::vector<OnnxRuntimeInfo> probe_onnxruntimes(const std::filesystem::path& place = {},
                                                const CancelToken& cancel = {});

/// What the process that is asked does: the line that probe_onnxruntime() reads. It ends itself
/// where that takes longer than a minute.
std::string describe_engine(const std::filesystem::path& place);

}  // namespace lapidary::app

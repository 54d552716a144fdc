// SPDX-License-Identifier: Apache-2.0
// Variants that run in another engine than this program's: the user's ONNX Runtime, or one of a
// plugin.
#pragma once

#include <memory>

#include <lapidary/bench/bench.h>
#include <lapidary/internal/scratch_folder.h>

#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

/// Whether Recipe::runsInOtherEngine().
bool runs_in_other_engine(const ModelSource& source);

/// As LocalEngine::profile(): kernels and placement tell the nodes of the executed model that they
/// stand for, as far as that is known; there is no plan.
RunRecord profile_in_engine(const ModelSource& source, const RunSettings& settings,
                            const Progress& progress);

/// Of one run on these inputs.
NamedValues outputs_in_engine(const ModelSource& source, const RunSettings& settings,
                              const NamedValues& inputs, const Progress& progress);

/// The file that such an engine reads; written into `folder` where none holds the variant.
std::filesystem::path engine_file(const ModelSource& source, const std::filesystem::path& folder,
                                  const Progress& progress);

/// Of engine_file(), at the variant's level, to be measured beside others; with threads, execution
/// mode and spinning as far as the engine can be determined.
std::unique_ptr<BenchEngine> open_in_engine(const ModelSource& source,
                                            const RunConfiguration& configuration,
                                            const NamedValues& inputs,
                                            const std::filesystem::path& file,
                                            const CancelToken& cancel);
/// As the configuration says, level included. Throws not_supported for settings that the engine
/// cannot be determined.
std::unique_ptr<BenchEngine> open_swept(const ModelSource& source,
                                        const RunConfiguration& configuration,
                                        const NamedValues& inputs,
                                        const std::filesystem::path& file,
                                        const CancelToken& cancel);

}  // namespace lapidary::app

// SPDX-License-Identifier: Apache-2.0
// Runs variants in another engine than this program's: the user's ONNX Runtime, or the engine of a
// plugin.
#pragma once

#include <memory>

#include <lapidary/bench/bench.h>
#include <lapidary/internal/scratch_folder.h>

#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

/// True if the source's recipe has Recipe::runsInOtherEngine().
bool runs_in_other_engine(const ModelSource& source);

/// As LocalEngine::profile(), but without a plan. Kernels and placement name the nodes of the
/// executed model that they belong to, as far as that is known.
RunRecord profile_in_engine(const ModelSource& source, const RunSettings& settings,
                            const Progress& progress);

/// The outputs of one run on these inputs.
NamedValues outputs_in_engine(const ModelSource& source, const RunSettings& settings,
                              const NamedValues& inputs, const Progress& progress);

/// The file that the engine reads; written into `folder` if no file holds the variant.
std::filesystem::path engine_file(const ModelSource& source, const std::filesystem::path& folder,
                                  const Progress& progress);

/// Opens engine_file() at the variant's level, to be measured beside others. Uses threads,
/// execution mode and spinning as far as the engine has such settings.
std::unique_ptr<BenchEngine> open_in_engine(const ModelSource& source,
                                            const RunConfiguration& configuration,
                                            const NamedValues& inputs,
                                            const std::filesystem::path& file,
                                            const CancelToken& cancel);
/// The same with all settings of the configuration, level included. Throws not_supported for
/// settings that the engine does not have.
std::unique_ptr<BenchEngine> open_swept(const ModelSource& source,
                                        const RunConfiguration& configuration,
                                        const NamedValues& inputs,
                                        const std::filesystem::path& file,
                                        const CancelToken& cancel);

}  // namespace lapidary::app

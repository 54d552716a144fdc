// SPDX-License-Identifier: Apache-2.0
// A model opened to be looked at: its structure, without large weights.
#pragma once

#include <string>
#include <vector>

#include <lapidary/internal/shared_memory.h>
#include <lapidary/onnx_io/model_io.h>

#include "worker/jobs/engine.h"
#include "worker/jobs/engine_handle.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

class ByteReader;

struct OpenedFile {
    ModelPtr model;
    std::vector<ModelFault> faults;  // not empty: it can be looked at, not run or saved
    std::string layout_problem;      // channel_block_problem()
};

/// Reads the file or builds the sample of a source without a recipe. Weights of a model that is
/// read in another process ask for their values there (weights_of()). Throws what reading throws.
struct OpenJob {
    using Result = OpenedFile;
    static constexpr std::string_view name = "open";
    static constexpr bool runs_beside = true, opens_models = false;

    ModelSource model;

    std::string title() const { return "reading " + model.title(); }
    OpenedFile run(const JobContext& context) const;
    static SharedMemory block_of(const OpenedFile& opened);
    OpenedFile complete(ByteReader& block, const Progress& progress,
                        const EngineHandlePtr& engine) const;
};
template <>
const JobKind& kind_of<OpenJob>();

/// Calls OpenJob. Where no worker can be had, or it cannot read the file, this process tries.
OpenedFile open_model(Engine& engine, const ModelSource& model, const Progress& progress);

}  // namespace lapidary::app

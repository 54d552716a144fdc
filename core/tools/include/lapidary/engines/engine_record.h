// SPDX-License-Identifier: Apache-2.0
// Results of running a model in another engine: the user's ONNX Runtime, or the engine of a plugin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/exec/placement.h>
#include <lapidary/profile/profile.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>
#include <lapidary/profile/trace_match.h>

namespace lapidary {

/// Memory growth of the process that a session runs in.
struct EngineMemory {
    std::int64_t session_bytes = 0;  // while the session was made
    std::int64_t run_bytes = 0;      // in the first run
};

/// How a session is run.
struct EngineRuns {
    NamedValues inputs;  // tensors
    int warmups = 0;     // unmeasured runs before
    int runs = 1;        // at least one
    /// Fills the profile. Engines that report a placement only by their kernels fill it too.
    bool profile = false;
};

/// Runs of another engine.
struct EngineRecord {
    std::string name, version;       // "ONNX Runtime", "1.20.1"
    std::filesystem::path path;      // of the library or interpreter
    double load_ms = 0, run_ms = 0;  // to make the session; of the last run
    NamedValues outputs;             // tensors alone
    /// null: not requested; its nodes are those of the model
    std::shared_ptr<const Profile> profile;
    TraceMatch match;  // which events of the profile are of nodes of the model
    /// the nodes that it ran with their providers; ids of the model, none where not known
    PlacementReport placement;
    EngineMemory memory;           // zero where it runs in a process of its own
    std::vector<std::string> log;  // its warnings, each once
};

/// Writes the model into `folder` in a form that other engines take, as a portable export, and
/// gives the file. Throws what export_model() and save_model() throw.
std::filesystem::path file_for_engine(const Model& model, const std::filesystem::path& folder,
                                      const Progress& progress = {});

}  // namespace lapidary

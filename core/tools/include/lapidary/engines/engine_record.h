// SPDX-License-Identifier: Apache-2.0
// What comes of running a model in an engine other than this program's: in the user's ONNX Runtime,
// or in a plugin's.
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

/// Bytes of the process that a session runs in.
struct EngineMemory {
    std::int64_t session_bytes = 0;  // it grew by while the session was made
    std::int64_t run_bytes = 0;      // and by while it ran for the first time
};

/// What is done with a session.
struct EngineRuns {
    NamedValues inputs;  // tensors
    int warmups = 0;     // runs before
    int runs = 1;        // at least one
    /// fills the profile, and the placement for engines that show it only by their kernels
    bool profile = false;
};

/// Runs of another engine.
struct EngineRecord {
    std::string name, version;               // "ONNX Runtime", "1.20.1"
    std::filesystem::path path;              // of the library or interpreter
    double load_ms = 0, run_ms = 0;          // of making the session; of the last run
    NamedValues outputs;                     // tensors alone
    std::shared_ptr<const Profile> profile;  // null: not asked for; nodes are of the model
    TraceMatch match;                        // of the profile: what of it is in the model
    /// its nodes with its providers; their ids are of the model, none where not known
    PlacementReport placement;
    EngineMemory memory;           // zero where it runs in a process of its own
    std::vector<std::string> log;  // its warnings, each once
};

/// Writes the model into `folder` in a form that other engines take, as a portable export, and
/// gives the file. Throws what export_model() and save_model() throw.
std::filesystem::path file_for_engine(const Model& model, const std::filesystem::path& folder,
                                      const Progress& progress = {});

}  // namespace lapidary

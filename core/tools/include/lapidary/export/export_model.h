// SPDX-License-Identifier: Apache-2.0
// Exports optimized models to files. It is checked that the file keeps the promise of its target.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Who is to run the exported file.
enum class ExportTarget : std::uint8_t {
    portable,  // runs in any ONNX Runtime: ONNX and com.microsoft operators only
    plain,     // runs wherever ONNX runs: ONNX operators only
    cpu        // for this machine: layout of this CPU allowed, stamped into the metadata
};

/// The description of a target.
struct ExportTargetInfo {
    ExportTarget target;           // which one
    std::string_view name;         // "portable"
    Level level;                   // the highest level that suits it
    std::string_view summary;      // what it is, one sentence
    std::string_view requirement;  // what the exported file requires of a runtime
};
/// All of them.
std::span<const ExportTargetInfo> export_targets();
/// Of one of them.
const ExportTargetInfo& info_of(ExportTarget target);
/// Nothing for another name.
std::optional<ExportTarget> target_from_name(std::string_view name);

/// How to export the model.
struct ExportOptions {
    /// nothing: the optimized model as it comes, unchecked
    std::optional<ExportTarget> target;
    OptimizeOptions optimize;  // level, passes, free dimensions, outputs to keep
    /// size of the first dimension of every input where it is symbolic
    std::optional<std::int64_t> static_batch;
    /// of ai.onnx, 7 or later; nothing: the model's
    std::optional<std::int64_t> opset;
    /// minor number of the ONNX Runtime release (1.x) that has to read the file; see fit_release()
    std::optional<int> release;
};

/// The exported model and how it came about.
struct ExportResult {
    /// to be saved with save_model(); its metadata have the passport
    Model model;
    PipelineReport report;                // of the optimization
    std::vector<AppliedRewrite> lowered;  // com.microsoft operators expanded into ONNX ones
    /// operators that changed with the opset, upward or downward
    std::vector<AppliedRewrite> upgraded;
    /// Changes that ONNX Runtime or ONNX's checker require: unique names of nodes, an Identity for
    /// outer values that a body returns, no negative ids of embeddings.
    std::vector<AppliedRewrite> mended;
    /// sentences for the user, one for each change that the export made
    std::vector<std::string> notes;
};

/// Optimizes, converts, mends and checks a copy. Exports for a target get the oldest IR version
/// that allows their contents. Throws not_supported naming node and reason when the target or the
/// opset cannot be reached, invalid_input for an opset that is not known and as
/// static_batch_dimensions(), and as optimize().
ExportResult export_model(const Model& model, const ExportOptions& options = {},
                          const Progress& progress = {});

/// What ExportOptions::static_batch adds to OptimizeOptions::free_dimensions: `dimensions`, and
/// `batch` for the first dimension of every input that has no number there, unless `dimensions`
/// fixes it. Throws invalid_input for a batch below 1, when no input has such a dimension, and when
/// one of them has no name (infer_types() gives it one).
std::map<std::string, std::int64_t> static_batch_dimensions(
    const Model& model, std::int64_t batch, std::map<std::string, std::int64_t> dimensions = {});

/// Nodes (those of subgraphs and functions too) that the target does not allow, each as "node "x"
/// (domain::Op): reason". Empty: the model fits the target as it is.
std::vector<std::string> target_problems(const Model& model, ExportTarget target);

}  // namespace lapidary

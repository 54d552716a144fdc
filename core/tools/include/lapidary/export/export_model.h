// SPDX-License-Identifier: Apache-2.0
// Optimized models for the world outside: what each target promises is checked, not hoped for.
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

/// A target in words.
struct ExportTargetInfo {
    ExportTarget target;           // itself
    std::string_view name;         // "portable"
    Level level;                   // that suits it
    std::string_view summary;      // what it is, one sentence
    std::string_view requirement;  // what the exported file requires of a runtime
};
/// All of them.
std::span<const ExportTargetInfo> export_targets();
/// Of one of them.
const ExportTargetInfo& info_of(ExportTarget target);
/// Nothing for another name.
std::optional<ExportTarget> target_from_name(std::string_view name);

/// What to make of the model.
struct ExportOptions {
    /// nothing: the optimized model as it comes, unchecked
    std::optional<ExportTarget> target;
    OptimizeOptions optimize;  // level, passes, free dimensions, outputs to keep
    /// size of the first dimension of every input where it is symbolic
    std::optional<std::int64_t> static_batch;
    /// of ai.onnx, at least the model's; nothing: the model's
    std::optional<std::int64_t> opset;
    /// 1.release of ONNX Runtime has to read the file (fit_release())
    std::optional<int> release;
};

/// The exported model and how it came about.
struct ExportResult {
    /// to be saved with save_model(); its metadata have the passport
    Model model;
    PipelineReport report;                // of the optimization
    std::vector<AppliedRewrite> lowered;  // com.microsoft operators written out in ONNX ones
    /// operators that changed on the way to the opset asked for
    std::vector<AppliedRewrite> upgraded;
    /// What ONNX Runtime or ONNX's checker ask of the file and no pass of the level did: names of
    /// nodes distinguished, Identity before outer values that a body returns, ids of embeddings
    /// counted from the front.
    std::vector<AppliedRewrite> mended;
    /// what a user should know: sentences; each change of an export has one
    std::vector<std::string> notes;
};

/// Optimizes, converts, mends and checks a copy. Exports for a target get the oldest IR version
/// that may hold them. Throws not_supported naming node and reason when the target or the opset
/// cannot be reached, invalid_input for an opset below the model's and as
/// static_batch_dimensions(), and as optimize().
ExportResult export_model(const Model& model, const ExportOptions& options = {},
                          const Progress& progress = {});

/// What ExportOptions::static_batch adds to OptimizeOptions::free_dimensions: `dimensions`, and
/// `batch` for the first dimension of every input that has no number there, unless `dimensions`
/// fixes it. Throws invalid_input for a batch below 1, when no input has such a dimension, and when
/// one of them has no name (infer_types() gives it one).
std::map<std::string, std::int64_t> static_batch_dimensions(
    const Model& model, std::int64_t batch, std::map<std::string, std::int64_t> dimensions = {});

/// Nodes (subgraphs and functions counted) that keep the model from the target, each as "node "x"
/// (domain::Op): reason"; empty when it can be had as it stands.
std::vector<std::string> target_problems(const Model& model, ExportTarget target);

}  // namespace lapidary

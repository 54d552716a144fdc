// SPDX-License-Identifier: GPL-3.0-or-later
// A model made from another by a recipe. Immutable; equal recipes share one variant.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <lapidary/advice/near_miss_groups.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/report/model_summary.h>

#include "workbench/text/recipe.h"
#include "worker/jobs/activation_estimate.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

class Engine;
struct Variant;
using VariantPtr = std::shared_ptr<const Variant>;

struct Variant {
    QString name;
    // what it was optimized or quantized from; null: the model as it was opened
    VariantPtr parent;
    Recipe recipe;  // of the model as it was opened
    ModelPtr model;
    // with types inferred and functions expanded, which is what optimizing begins with; null where
    // the recipe has a level
    ModelPtr typed;
    /// Of the original: every pass, none of them ran. Of an edited model its rewrites are the
    /// edits. What a session does to its own copy of the model stands behind what made it.
    PipelineReport report;
    ModelSummary summary;
    ActivationEstimate activations;
    TimeShares shares;  // estimated shares of its nodes in the time of a run
    // what edits left invalid; not empty: it can be looked at, not run or saved
    std::vector<ModelFault> faults;
    // file of the quantized model it is or was made from; empty: it is not quantized
    std::filesystem::path quantized;
    std::size_t sessionRewrites =
        0;  // how many of the report's rewrites, at its end, a session makes
    // nodes that a session runs in place of those of `model`; 0: it has no level, or the number is
    // unknown
    std::size_t sessionNodes = 0;
    /// Number of nodes of `model` and its subgraphs, as stored in a file.
    std::size_t nodes() const { return report.nodes_after; }
    /// Number of rewrites that made the model.
    std::size_t rewrites() const { return report.rewrites.size() - sessionRewrites; }
    bool isOriginal() const { return parent == nullptr; }
};

/// The model as it was opened that the variant was made from.
const Variant& originalOf(const Variant& variant);

/// What the engine makes of the source's recipe; for worker threads. Throws what VariantJob throws.
/// `parent`: what it is made from: null for the original, the original for an edited or quantized
/// model as it is and for another model's file, one of these for a level.
VariantPtr makeVariant(Engine& engine, const ModelSource& source, VariantPtr parent,
                       const Progress& progress = {});

}  // namespace lapidary::app

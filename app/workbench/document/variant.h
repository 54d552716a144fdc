// SPDX-License-Identifier: GPL-3.0-or-later
// A model made from another by a recipe. Immutable; equal recipes share one variant.
#pragma once

#include <filesystem>
#include <memory>

#include <lapidary/report/model_summary.h>
#include <lapidary/advice/near_miss_groups.h>
#include <lapidary/passes/optimize.h>

#include "workbench/document/activation_estimate.h"
#include "workbench/text/recipe.h"

namespace lapidary::app {

struct Variant;
using VariantPtr = std::shared_ptr<const Variant>;

struct Variant {
    QString name;
    // what it was optimized or quantized from; null: the model as it was opened
    VariantPtr parent;
    Recipe recipe;  // of the model as it was opened
    ModelPtr model;
    /// For the original it lists every pass as not run. Rewrites that a session makes on its own
    /// copy come after those that made the variant.
    PipelineReport report;
    ModelSummary summary;
    ActivationEstimate activations;
    TimeShares shares;  // estimated shares of its nodes in the time of a run
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

/// Call these on a worker thread. They throw what optimize() throws, and cancelled.
VariantPtr makeOriginal(ModelPtr model, const ModelSummary& summary, const Progress& progress = {});
/// `parent`: the original, or makeQuantized() of the recipe's quantization, or makeOther() of its
/// other model.
VariantPtr makeVariant(VariantPtr parent, const Recipe& recipe, const Progress& progress = {});
/// A variant from another model's file. Throws as load_other() does.
VariantPtr makeOther(VariantPtr original, const OtherModel& other, const Progress& progress = {});
/// A variant from the file that the engine wrote (quantized_file()).
VariantPtr makeQuantized(VariantPtr original, const Quantization& quantization,
                         const std::filesystem::path& file, const Progress& progress = {});

}  // namespace lapidary::app

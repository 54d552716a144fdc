// SPDX-License-Identifier: GPL-3.0-or-later
// A model made from another by a recipe. Immutable; equal recipes share one variant.
#pragma once

#include <memory>

#include <lapidary/model_summary.h>
#include <lapidary/optimize.h>

#include "workbench/activation_estimate.h"
#include "workbench/recipe.h"

namespace lapidary::app {

struct Variant;
using VariantPtr = std::shared_ptr<const Variant>;

struct Variant {
    QString name;
    VariantPtr parent;               // null: the model as it was opened
    Recipe recipe;                   // of the parent
    ModelPtr model;
    PipelineReport report;           // of the original: every pass, none of them ran
    ModelSummary summary;
    ActivationEstimate activations;
    bool isOriginal() const { return parent == nullptr; }
};

/// For worker threads; throw what optimize() throws, cancelled.
VariantPtr makeOriginal(ModelPtr model, const ModelSummary& summary, const Progress& progress = {});
VariantPtr makeVariant(VariantPtr parent, const Recipe& recipe, const Progress& progress = {});

}  // namespace lapidary::app

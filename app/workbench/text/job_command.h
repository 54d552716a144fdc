// SPDX-License-Identifier: GPL-3.0-or-later
// The lapidary-cli command that repeats a job of the window.
#pragma once

#include <QString>

#include <lapidary/proof/guard.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"
#include "workbench/document/variant.h"

namespace lapidary::app {

/// Empty for a model that exists in this process only.
QString profileCommand(const ModelSource& model, const RunSettings& settings);

/// Of the inputs of the first seed only: the command knows one set.
QString bisectCommand(const ModelSource& model, const Recipe& recipe, const GuardOptions& options);

/// Commands that repeat the comparison: one that compares two levels of the model where both
/// variants are plain levels, else each variant is written into a file first. One per line.
QString comparisonCommand(const ModelSource& model, const Variant& a, const Variant& b,
                          const RunSettings& settings);

}  // namespace lapidary::app

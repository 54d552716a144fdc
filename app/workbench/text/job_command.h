// SPDX-License-Identifier: GPL-3.0-or-later
// The lapidary-cli command that repeats a job of the window.
#pragma once

#include <QString>

#include <lapidary/proof/guard.h>

#include "worker/jobs/engine.h"
#include "worker/jobs/generation/generate_job.h"
#include "worker/jobs/inspect_job.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"
#include "workbench/document/variant.h"

namespace lapidary::app {

/// Empty for a model that exists in this process only.
QString profileCommand(const ModelSource& model, const RunSettings& settings);

/// With the job's first model. Empty for a model that exists in this process only.
QString generateCommand(const GenerateJob& job);

/// Empty for a variant, and for a model that exists in this process only.
QString inspectCommand(const InspectJob& job);

/// Repeats only the inputs of the first seed, because the command uses one set of inputs.
QString bisectCommand(const ModelSource& model, const Recipe& recipe, const GuardOptions& options);

/// Commands that repeat the comparison, one per line. If both variants are plain levels, one
/// command compares them. Otherwise each variant is written to a file first.
QString comparisonCommand(const ModelSource& model, const Variant& a, const Variant& b,
                          const RunSettings& settings);

/// The command that finds where the variants first differ; `output`: of A, empty: everything is
/// compared. Empty where one of them is no plain level of a file, or runs elsewhere.
QString differenceCommand(const ModelSource& model, const Variant& a, const Variant& b,
                          const RunSettings& settings, const std::string& output);

}  // namespace lapidary::app

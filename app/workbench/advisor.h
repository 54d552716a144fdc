// SPDX-License-Identifier: GPL-3.0-or-later
// What is worth doing with the open model, each finding from what is known of it. Pure: facts in, findings out. Titles,
// reasons and instructions by id are in resources/advice.json.
#pragma once

#include <QString>

#include <memory>
#include <vector>

#include "workbench/comparison.h"
#include "workbench/model_facts.h"
#include "workbench/project_state.h"
#include "workbench/variant.h"

namespace lapidary::app {

enum class AdviceState : std::uint8_t { worthDoing, unknown, done, notApplicable };

/// What its button does: shows a page, or starts something.
enum class AdviceAction : std::uint8_t { none, showPage, run, guard, fixDimensions, showNode };

struct Advice {
    QString id;
    AdviceState state = AdviceState::unknown;
    // one sentence with figures; unknown: what to press; not applicable: the reason
    QString finding;
    QString gain;                          // "1.4 ×", "−74 MB"; empty: not known
    AdviceAction action = AdviceAction::none;
    QString page;                          // showPage
    NodeId node;                           // showNode: of the document
};

/// What is known when advice is asked for; null and empty: nothing yet.
struct AdvisorInput {
    ModelPtr opened;
    const ModelSummary* summary = nullptr; // of `opened`
    std::shared_ptr<const ModelFacts> facts;
    std::shared_ptr<const PeakTensor> peak;
    std::vector<VariantPtr> variants;      // the original first
    Recipe chosen;
    RunRecordPtr run;                      // newest of the document
    std::vector<RunFigures> runs;
    std::vector<GuardFigures> guards;
    std::shared_ptr<const SweepResult> sweep;
    RunSettings settings;
    int cores = 1;
};

/// Who can run it, and which operators are why: what Checklist and Problems say.
QString portabilityFinding(const Requirement& requirement);

/// One per check, in the order of the resource file.
std::vector<Advice> advise(const AdvisorInput& input);

/// The variant that the findings are about: the chosen one, else that of the highest level made; null: nothing was
/// optimized.
VariantPtr optimizedVariant(const AdvisorInput& input);

/// The sizes that "fix dimensions" would take: those of a run.
std::map<std::string, std::int64_t> sizesToFix(const AdvisorInput& input);

}  // namespace lapidary::app

// SPDX-License-Identifier: Apache-2.0
#include "support/export_alarms.h"

#include <utility>

namespace lapidary::test {
namespace {

/// What is known of the model at the level, without a run.
AdviceInput known_at(const Model& model, Level level, SessionPasses::Set sessions) {
    OptimizeOptions options;
    options.level = level;
    OptimizeResult result = optimize(model, options);
    if (sessions != SessionPasses::Set::none)
        explain_session_passes(result.model, options, sessions, result.report);
    AdviceInput in;
    in.model = std::make_shared<const Model>(std::move(result.model));
    in.report = std::make_shared<const PipelineReport>(std::move(result.report));
    in.facts = std::make_shared<const ModelFacts>(facts_of(*in.model));
    in.name = std::string(name_of(level));
    return in;
}

}  // namespace

std::vector<Advice> export_alarms_of(const Model& model,
                                     const std::vector<AdvisedProvider>& providers,
                                     SessionPasses::Set sessions) {
    AdviceInput in = known_at(model, Level::disabled, SessionPasses::Set::none);
    in.triage = std::make_shared<const ExportTriage>(triage_export(model));
    in.providers = providers;
    std::vector<Advice> alarms = advise(in);
    std::erase_if(alarms, [](const Advice& advice) { return advice.id == "unfused"; });
    for (Advice& advice : advise(known_at(model, Level::extended, sessions)))
        if (advice.id == "unfused") alarms.push_back(std::move(advice));
    std::erase_if(alarms, [](const Advice& advice) {
        return advice.group != "export" || advice.state != AdviceState::worth_doing;
    });
    return alarms;
}

std::string text_of(const std::vector<Advice>& alarms) {
    std::string text;
    for (const Advice& alarm : alarms) text += alarm.id + ": " + alarm.finding + "\n";
    return text;
}

}  // namespace lapidary::test

// SPDX-License-Identifier: Apache-2.0
// What the checks of the group "export" find in a model.
#pragma once

#include <string>
#include <vector>

#include <lapidary/advice/advice.h>
#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>

namespace lapidary::test {

/// Checks of the group that are worth doing with the model at level disabled; of what no pass fuses
/// after level extended. `providers`: devices at hand. `sessions`: whether passes of sessions
/// count.
std::vector<Advice> export_alarms_of(const Model& model,
                                     const std::vector<AdvisedProvider>& providers = {{"CoreML",
                                                                                       {}}},
                                     SessionPasses::Set sessions = SessionPasses::Set::none);
/// One line for each: its id and its finding.
std::string text_of(const std::vector<Advice>& alarms);

}  // namespace lapidary::test

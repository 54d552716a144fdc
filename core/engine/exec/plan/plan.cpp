// SPDX-License-Identifier: Apache-2.0
#include "exec/plan/plan.h"

namespace lapidary {

std::string step_name(const Plan& plan, const Step& step) {
    const Node& n = plan.graph->node(step.node);
    return plan.path + (n.name.empty() ? n.op_type + "_" + std::to_string(n.id.index) : n.name);
}

void collect_plans(const Plan& plan, std::vector<const Plan*>& out) {
    out.push_back(&plan);
    for (const Step& step : plan.steps)
        for (const auto& [name, sub] : step.subgraphs) collect_plans(*sub, out);
}

}  // namespace lapidary

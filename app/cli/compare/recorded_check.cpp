// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/recorded_check.h"

#include <utility>

#include "cli/output/comparison_text.h"
#include "cli/output/source_text.h"

namespace lapidary::cli {

Json recording_json(const Recording& recording, const RecordingCheck& check) {
    Json json = {{"framework", recording.framework}, {"model", recording.model},
                 {"modules", Json::array()},         {"between", check.between},
                 {"suspects", check.suspects},       {"notes", check.notes}};
    if (check.first) json["first"] = *check.first;
    for (const CheckedModule& checked : check.modules) {
        const RecordedModule& module = recording.modules[checked.module];
        Json entry = {{"path", module.path},
                      {"class", module.class_name},
                      {"call", module.call},
                      {"output", module.outputs[checked.output].name},
                      {"state", name_of(checked.state)},
                      {"value", checked.value},
                      {"node", checked.node}};
        if (!module.line.empty()) entry["line"] = module.line;
        if (!checked.reason.empty()) entry["reason"] = checked.reason;
        if (!checked.source.is_empty()) entry["source"] = source_json(checked.source);
        if (checked.state == RecordedState::agrees || checked.state == RecordedState::differs) {
            entry["comparison"] = comparison_json(checked.comparison);
            entry["comparison"]["name"] = checked.value;
        }
        json["modules"].push_back(std::move(entry));
    }
    return json;
}

}  // namespace lapidary::cli

// SPDX-License-Identifier: Apache-2.0
// Journals that a crash cut off: the complete part is JSON, and its state is read as a project.
#include <nlohmann/json.hpp>

#include <lapidary/internal/parse_json.h>

#include "workbench/project/json_rescue.h"
#include "workbench/project/project_form.h"

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(journal) {
    using namespace lapidary;
    const std::string rescued = app::rescuedJson(fuzz::text_of(input));
    if (rescued.empty()) return;
    const app::Json json = parse_json(rescued, "the journal");
    if (json.is_object() && json.contains("state")) app::projectFromJson(json.at("state"), {});
}

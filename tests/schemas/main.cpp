// SPDX-License-Identifier: Apache-2.0
// Prints the JSON Schemas that follow from descriptions of structs, by the names of the published
// ones: {"recipe": SCHEMA, ...}. tests/packaging/described_schemas.py compares both.
#include <iostream>

#include <lapidary/internal/decoding_members.h>
#include <lapidary/internal/measurement_members.h>
#include <lapidary/internal/members_schema.h>

#ifdef LAPIDARY_HAS_WORKBENCH
#include "workbench/project/project_form.h"
#endif
#include "worker/protocol/accuracy_members.h"
#include "worker/protocol/described_json.h"
#include "worker/protocol/recipe_members.h"

int main() {
    using namespace lapidary;
    using Json = app::Json;
    Json all;
    all["accuracy-counts"] = MembersSchema<Json>{}.of<AccuracyCounts>();
    all["decoding"] = MembersSchema<Json>{.of_output = true}.of<DecodingMeasurement>();
    all["recipe"] = MembersSchema<Json>{}.of<app::Recipe>();
    all["sweep"] = MembersSchema<Json>{.of_output = true}.of<SweepResult>();
#ifdef LAPIDARY_HAS_WORKBENCH
    all["project"] = MembersSchema<Json>{}.of<app::ProjectForm>();
#endif
    std::cout << all.dump(1) << '\n';
}

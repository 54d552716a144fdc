// SPDX-License-Identifier: Apache-2.0
// Quantizing jobs and their answers as JSON for the worker process.
#pragma once

#include "worker/protocol/job_json.h"
#include "worker/protocol/json_members.h"
#include "worker/protocol/quantize_record.h"
#include "worker/inputs/sample_look.h"

namespace lapidary::app {

Json to_json(const SampleChoice& choice);

/// The members of a request besides "id" and "job".
Json to_json(const QuantizeJob& job);
/// All members except the model.
QuantizeJob read_quantize_job(JsonMembers& members);

Json to_json(const QuantizeRecord& record);
QuantizeRecord read_quantize_record(const Json& json);

Json to_json(const SampleLook& look);
SampleLook read_sample_look(const Json& json);

}  // namespace lapidary::app

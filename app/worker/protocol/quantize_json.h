// SPDX-License-Identifier: Apache-2.0
// Quantizing jobs and their answers as the worker process reads and writes them.
#pragma once

#include "worker/protocol/job_json.h"
#include "worker/protocol/json_members.h"
#include "worker/protocol/quantize_record.h"
#include "worker/inputs/sample_look.h"

namespace lapidary::app {

Json to_json(const SampleChoice& choice);

/// The members of a request beside "id" and "job".
Json to_json(const QuantizeJob& job);
/// All but the model.
QuantizeJob read_quantize_job(JsonMembers& members);

Json to_json(const QuantizeRecord& record);
QuantizeRecord read_quantize_record(const Json& json);

Json to_json(const SampleLook& look);
SampleLook read_sample_look(const Json& json);

}  // namespace lapidary::app

// SPDX-License-Identifier: Apache-2.0
// Jobs and answers of the worker process as JSON. Readers refuse unknown members by name
// (invalid_input), so that a newer window and an older worker do not misunderstand each other.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>

#include "worker/jobs/engine.h"

namespace lapidary::app {

using Json = nlohmann::json;

Json to_json(const ModelSource& source);
ModelSource read_model_source(const Json& json);

Json to_json(const RunSettings& settings);
RunSettings read_run_settings(const Json& json);
Json to_json(const GivenInputs& given);
GivenInputs read_given_inputs(const Json& json);
Json to_json(const OutputCheck& check);
OutputCheck read_output_check(const Json& json);

/// The members of a request besides "id" and "job".
Json to_json(const MeasureJob& job);
Json to_json(const SweepJob& job);

Json to_json(const std::vector<OutputComparison>& outputs);
std::vector<OutputComparison> read_outputs(const Json& json);

/// {"code", "message", "where"}
Json to_json(const Error& error);
Error read_error(const Json& json);

/// One line without its line end. Text that is not UTF-8 is repaired.
std::string line_of(const Json& json);

}  // namespace lapidary::app

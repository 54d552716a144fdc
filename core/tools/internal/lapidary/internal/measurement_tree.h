// SPDX-License-Identifier: Apache-2.0
// Measurements and sweeps as values of the JSON library: parts of a larger object that becomes text
// as a whole.
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <lapidary/bench/sweep.h>

namespace lapidary {

/// What to_json() of measurement_json.h writes as text; text that is not UTF-8 stays as it is.
nlohmann::json json_tree(const RunConfiguration& value);
nlohmann::json json_tree(const MeasureOptions& value);
nlohmann::json json_tree(const MedianEstimate& value);
nlohmann::json json_tree(const std::vector<Measurement>& value, bool samples = true);
nlohmann::json json_tree(const SweepSpace& value);
nlohmann::json json_tree(const SweepOptions& value);
nlohmann::json json_tree(const SweepResult& value, bool samples = true);

/// Throws as from_json() of measurement_json.h does.
template <typename T>
T from_json_tree(const nlohmann::json& json);

template <>
RunConfiguration from_json_tree(const nlohmann::json& json);
template <>
MeasureOptions from_json_tree(const nlohmann::json& json);
template <>
MedianEstimate from_json_tree(const nlohmann::json& json);
template <>
std::vector<Measurement> from_json_tree(const nlohmann::json& json);
template <>
SweepSpace from_json_tree(const nlohmann::json& json);
template <>
SweepOptions from_json_tree(const nlohmann::json& json);
template <>
SweepResult from_json_tree(const nlohmann::json& json);

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// Measurements and sweeps as JSON, there and back: for files and other processes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lapidary/bench/sweep.h>

namespace lapidary {

/// JSON in one line. Numbers are exact; those that are not finite are "nan", "inf", "-inf".
/// `samples`: include the times of all samples, which difference_between() needs for pairs.
std::string to_json(const RunConfiguration& value);
std::string to_json(const MeasureOptions& value);
std::string to_json(const MedianEstimate& value);
std::string to_json(const Measurement& value, bool samples = true);
std::string to_json(const std::vector<Measurement>& value, bool samples = true);
std::string to_json(const Difference& value);
std::string to_json(const SweepSpace& value);
std::string to_json(const SweepOptions& value);
std::string to_json(const SweepCell& value, bool samples = true);
std::string to_json(const SweepResult& value, bool samples = true);
std::string to_json(const SweepRecommendation& value);
std::string to_json(const MachineInfo& value);

/// Reads each type that to_json() writes. Members that are missing have their defaults (files of an
/// older version). Throws invalid_input for text that is no JSON, and naming the member that is
/// unknown or does not fit, with expected and found.
template <typename T>
T from_json(std::string_view text);
/// Those types.
template <>
RunConfiguration from_json(std::string_view text);
template <>
MeasureOptions from_json(std::string_view text);
template <>
MedianEstimate from_json(std::string_view text);
template <>
Measurement from_json(std::string_view text);
template <>
std::vector<Measurement> from_json(std::string_view text);
template <>
Difference from_json(std::string_view text);
template <>
SweepSpace from_json(std::string_view text);
template <>
SweepOptions from_json(std::string_view text);
template <>
SweepCell from_json(std::string_view text);
template <>
SweepResult from_json(std::string_view text);
template <>
SweepRecommendation from_json(std::string_view text);
template <>
MachineInfo from_json(std::string_view text);

}  // namespace lapidary

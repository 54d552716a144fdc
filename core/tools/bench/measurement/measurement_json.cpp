// SPDX-License-Identifier: Apache-2.0
#include <lapidary/bench/measurement_json.h>

#include <nlohmann/json.hpp>

#include <lapidary/internal/measurement_members.h>
#include <lapidary/internal/members_json.h>
#include <lapidary/internal/parse_json.h>

namespace lapidary {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
std::string text_of(const T& value, bool samples = true) {
    return MembersWriter<Json>{samples}(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <typename T>
T parse(std::string_view text) {
    T value{};
    MembersReader<nlohmann::json>{}(parse_json(text, "the measurement"), value);
    return value;
}

}  // namespace

std::string to_json(const RunConfiguration& value) { return text_of(value); }
std::string to_json(const MeasureOptions& value) { return text_of(value); }
std::string to_json(const MedianEstimate& value) { return text_of(value); }
std::string to_json(const Measurement& value, bool samples) { return text_of(value, samples); }
std::string to_json(const std::vector<Measurement>& value, bool samples) {
    return text_of(value, samples);
}
std::string to_json(const Difference& value) { return text_of(value); }
std::string to_json(const SweepSpace& value) { return text_of(value); }
std::string to_json(const SweepOptions& value) { return text_of(value); }
std::string to_json(const SweepCell& value, bool samples) { return text_of(value, samples); }
std::string to_json(const SweepResult& value, bool samples) { return text_of(value, samples); }
std::string to_json(const SweepRecommendation& value) { return text_of(value); }
std::string to_json(const MachineInfo& value) { return text_of(value); }

template <>
RunConfiguration from_json(std::string_view text) {
    return parse<RunConfiguration>(text);
}
template <>
MeasureOptions from_json(std::string_view text) {
    return parse<MeasureOptions>(text);
}
template <>
MedianEstimate from_json(std::string_view text) {
    return parse<MedianEstimate>(text);
}
template <>
Measurement from_json(std::string_view text) {
    return parse<Measurement>(text);
}
template <>
std::vector<Measurement> from_json(std::string_view text) {
    return parse<std::vector<Measurement>>(text);
}
template <>
Difference from_json(std::string_view text) {
    return parse<Difference>(text);
}
template <>
SweepSpace from_json(std::string_view text) {
    return parse<SweepSpace>(text);
}
template <>
SweepOptions from_json(std::string_view text) {
    return parse<SweepOptions>(text);
}
template <>
SweepCell from_json(std::string_view text) {
    return parse<SweepCell>(text);
}
template <>
SweepResult from_json(std::string_view text) {
    return parse<SweepResult>(text);
}
template <>
SweepRecommendation from_json(std::string_view text) {
    return parse<SweepRecommendation>(text);
}
template <>
MachineInfo from_json(std::string_view text) {
    return parse<MachineInfo>(text);
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include <lapidary/bench/measurement_json.h>
#include <lapidary/internal/measurement_tree.h>

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <limits>
#include <set>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

#include "bench/measurement/measurement_members.h"

namespace lapidary {
namespace {

using Json = nlohmann::ordered_json;

template <typename E>
struct Names;
template <>
struct Names<ExecutionMode> {
    static constexpr std::array<std::pair<ExecutionMode, std::string_view>, 2> all{
        {{ExecutionMode::sequential, "sequential"}, {ExecutionMode::parallel, "parallel"}}};
};
template <>
struct Names<Level> {
    static constexpr std::array<std::pair<Level, std::string_view>, 4> all{
        {{Level::disabled, "disabled"},
         {Level::basic, "basic"},
         {Level::extended, "extended"},
         {Level::all, "all"}}};
};
template <>
struct Names<SessionPasses::Set> {
    using Set = SessionPasses::Set;
    static constexpr std::array<std::pair<Set, std::string_view>, 3> all{
        {{Set::none, "none"}, {Set::preparing, "preparing"}, {Set::all, "all"}}};
};
template <>
struct Names<SweepGoal> {
    static constexpr std::array<std::pair<SweepGoal, std::string_view>, 2> all{
        {{SweepGoal::latency, "latency"}, {SweepGoal::throughput, "throughput"}}};
};
template <>
struct Names<CellState> {
    static constexpr std::array<std::pair<CellState, std::string_view>, 5> all{
        {{CellState::waiting, "waiting"},
         {CellState::running, "running"},
         {CellState::done, "done"},
         {CellState::failed, "failed"},
         {CellState::skipped, "skipped"}}};
};

template <typename T>
concept HasMembers = requires(T& value) {
    members_of(value, [](auto&&...) {});
};

// ---- out

struct Writer {
    bool samples = true;

    Json operator()(const std::string& text) const { return text; }
    Json operator()(bool value) const { return value; }
    Json operator()(std::integral auto value) const { return value; }
    Json operator()(double value) const {
        if (std::isfinite(value)) return value;
        return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    }
    template <typename E>
    requires std::is_enum_v<E> Json operator()(E value) const {
        for (const auto& [known, name] : Names<E>::all)
            if (known == value) return name;
        return nullptr;
    }
    template <typename T>
    Json operator()(const std::optional<T>& value) const {
        return value ? (*this)(*value) : Json(nullptr);
    }
    template <typename A, typename B>
    Json operator()(const std::pair<A, B>& value) const {
        return Json::array({(*this)(value.first), (*this)(value.second)});
    }
    template <typename T>
    Json operator()(const std::vector<T>& values) const {
        Json list = Json::array();
        for (const auto& value : values) list.push_back((*this)(static_cast<const T&>(value)));
        return list;
    }
    template <typename T>
    Json operator()(const std::map<std::string, T>& values) const {
        Json object = Json::object();
        for (const auto& [name, value] : values) object[name] = (*this)(value);
        return object;
    }
    template <HasMembers T>
    Json operator()(const T& value) const {
        Json object = Json::object();
        const auto visit = [&]<typename... Kind>(const char* name, const auto& member, Kind...) {
            if (samples || sizeof...(Kind) == 0) object[name] = (*this)(member);
        };
        members_of(value, visit);
        return object;
    }
};

template <typename T>
std::string text_of(const T& value, bool samples = true) {
    return Writer{samples}(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// ---- back

std::string shown(const Json& json) {
    return quote(json.dump(-1, ' ', false, Json::error_handler_t::replace), 60);
}

struct Reader {
    std::string place;  // "cells[3].measurement"

    [[noreturn]] void refuse(const std::string& expected, const Json& found) const {
        fail_input((place.empty() ? "the JSON" : quote(place)) + ": expected " + expected +
                   ", found " + shown(found));
    }
    Reader inside(const std::string& name) const {
        return {place.empty() ? name : place + "." + name};
    }

    void operator()(const Json& json, std::string& text) const {
        if (!json.is_string()) refuse("text", json);
        text = json.get<std::string>();
    }
    void operator()(const Json& json, bool& value) const {
        if (!json.is_boolean()) refuse("true or false", json);
        value = json.get<bool>();
    }
    template <std::integral T>
    void operator()(const Json& json, T& value) const {
        if (!json.is_number_integer()) refuse("a whole number", json);
        const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                                    : std::in_range<T>(json.get<std::int64_t>());
        if (!fits)
            refuse("a whole number from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                       std::to_string(std::numeric_limits<T>::max()),
                   json);
        value = json.get<T>();
    }
    void operator()(const Json& json, double& value) const {
        if (json.is_number()) value = json.get<double>();
        else if (json == "nan") value = std::numeric_limits<double>::quiet_NaN();
        else if (json == "inf") value = std::numeric_limits<double>::infinity();
        else if (json == "-inf") value = -std::numeric_limits<double>::infinity();
        else refuse("a number", json);
    }
    template <typename E>
    requires std::is_enum_v<E>
    void operator()(const Json& json, E& value) const {
        std::string known;
        for (const auto& [candidate, name] : Names<E>::all) {
            if (json.is_string() && json.get_ref<const std::string&>() == name) {
                value = candidate;
                return;
            }
            known += (known.empty() ? "" : ", ") + std::string(name);
        }
        refuse("one of " + known, json);
    }
    template <typename T>
    void operator()(const Json& json, std::optional<T>& value) const {
        value.reset();
        if (json.is_null()) return;
        (*this)(json, value.emplace());
    }
    template <typename A, typename B>
    void operator()(const Json& json, std::pair<A, B>& value) const {
        if (!json.is_array() || json.size() != 2) refuse("a list of two", json);
        (*this)(json[0], value.first);
        (*this)(json[1], value.second);
    }
    template <typename T>
    void operator()(const Json& json, std::vector<T>& values) const {
        if (!json.is_array()) refuse("a list", json);
        values.clear();
        values.reserve(json.size());
        for (std::size_t i = 0; i < json.size(); ++i) {
            T value{};
            Reader{place + "[" + std::to_string(i) + "]"}(json[i], value);
            values.push_back(std::move(value));
        }
    }
    template <typename T>
    void operator()(const Json& json, std::map<std::string, T>& values) const {
        if (!json.is_object()) refuse("an object", json);
        values.clear();
        for (const auto& [name, value] : json.items()) inside(name)(value, values[name]);
    }
    template <HasMembers T>
    void operator()(const Json& json, T& value) const {
        if (!json.is_object()) refuse("an object", json);
        std::set<std::string, std::less<>> known;
        const auto visit = [&](const char* name, auto& member, auto...) {
            known.insert(name);
            if (const auto found = json.find(name); found != json.end())
                inside(name)(*found, member);
        };
        members_of(value, visit);
        for (const auto& [name, unused] : json.items()) {
            if (known.contains(name)) continue;
            std::string list;
            for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
            fail_input((place.empty() ? std::string("the JSON") : quote(place)) +
                       " has an unknown member " + quote(name) + "; known are " + list);
        }
    }
};

template <typename T>
T read(const Json& json) {
    T value{};
    Reader{}(json, value);
    return value;
}

template <typename T>
T parse(std::string_view text) {
    return read<T>(parse_json(text, "the measurement"));
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

nlohmann::json json_tree(const RunConfiguration& value) { return Writer{}(value); }
nlohmann::json json_tree(const MeasureOptions& value) { return Writer{}(value); }
nlohmann::json json_tree(const MedianEstimate& value) { return Writer{}(value); }
nlohmann::json json_tree(const std::vector<Measurement>& value, bool samples) {
    return Writer{samples}(value);
}
nlohmann::json json_tree(const SweepSpace& value) { return Writer{}(value); }
nlohmann::json json_tree(const SweepOptions& value) { return Writer{}(value); }
nlohmann::json json_tree(const SweepResult& value, bool samples) { return Writer{samples}(value); }

template <>
RunConfiguration from_json_tree(const nlohmann::json& json) {
    return read<RunConfiguration>(json);
}
template <>
MeasureOptions from_json_tree(const nlohmann::json& json) {
    return read<MeasureOptions>(json);
}
template <>
MedianEstimate from_json_tree(const nlohmann::json& json) {
    return read<MedianEstimate>(json);
}
template <>
std::vector<Measurement> from_json_tree(const nlohmann::json& json) {
    return read<std::vector<Measurement>>(json);
}
template <>
SweepSpace from_json_tree(const nlohmann::json& json) {
    return read<SweepSpace>(json);
}
template <>
SweepOptions from_json_tree(const nlohmann::json& json) {
    return read<SweepOptions>(json);
}
template <>
SweepResult from_json_tree(const nlohmann::json& json) {
    return read<SweepResult>(json);
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "worker/process/engine_probe.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

#include "worker/protocol/json_members.h"
#include "worker/process/library_probe.h"

namespace lapidary::app {
namespace {

using Json = nlohmann::json;

Json json_of(const OnnxRuntimeInfo& info) {
    Json json{{"path", info.path.string()},  {"version", info.version},
              {"in_python", info.in_python}, {"unusable", info.unusable},
              {"providers", Json::array()},  {"devices", Json::array()}};
    for (const auto& [name, unusable] : info.providers)
        json["providers"].push_back({{"name", name}, {"unusable", unusable}});
    for (const auto& [provider, vendor, kind] : info.devices)
        json["devices"].push_back({{"provider", provider}, {"vendor", vendor}, {"kind", kind}});
    return json;
}

OnnxRuntimeInfo read_engine_info(const Json& json) {
    JsonMembers members(json, "what an ONNX Runtime is");
    OnnxRuntimeInfo info;
    info.path = members.get<std::string>("path");
    info.version = members.get<std::string>("version");
    info.in_python = members.get<bool>("in_python");
    info.unusable = members.get<std::string>("unusable");
    for (const Json& one : members.at("providers")) {
        JsonMembers provider(one, "a provider");
        const auto name = provider.get<std::string>("name");
        info.providers.push_back({name, provider.get<std::string>("unusable")});
        provider.finish();
    }
    for (const Json& one : members.at("devices")) {
        JsonMembers device(one, "a device");
        OnnxRuntimeDevice& read = info.devices.emplace_back();
        read.provider = device.get<std::string>("provider");
        read.vendor = device.get<std::string>("vendor");
        read.kind = device.get<std::string>("kind");
        device.finish();
    }
    members.finish();
    return info;
}

OnnxRuntimeInfo unusable_engine(const std::filesystem::path& place, std::string why) {
    OnnxRuntimeInfo info;
    info.path = place;
    info.unusable = std::move(why);
    return info;
}

}  // namespace

std::string describe_engine(const std::filesystem::path& place) {
    end_probe_after(onnxruntime_question.seconds);
    return json_of(describe_onnxruntime(place))
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

OnnxRuntimeInfo probe_onnxruntime(const std::filesystem::path& place, const CancelToken& cancel) {
    try {
        const std::string answer = described_in_process(onnxruntime_question, place, cancel);
        return read_engine_info(
            parse_json(answer, "the answer of the process that probes engines"));
    } catch (const std::exception& failure) {
        cancel.throw_if_cancelled();
        return unusable_engine(place, failure.what());
    }
}

std::vector<OnnxRuntimeInfo> probe_onnxruntimes(const std::filesystem::path& place,
                                                const CancelToken& cancel) {
    std::vector<OnnxRuntimeInfo> found;
    std::vector<std::filesystem::path> places;
    try {
        places = onnxruntime_places(place);
    } catch (const std::exception& failure) { return {unusable_engine(place, failure.what())}; }
    for (const std::filesystem::path& one : places) {
        // for the dynamic linker, which mostly has none
        const bool is_bare = !one.has_parent_path();
        OnnxRuntimeInfo info = probe_onnxruntime(one, cancel);
        if (is_bare && !info.unusable.empty()) continue;
        const bool is_known = std::ranges::any_of(found, [&](const OnnxRuntimeInfo& other) {
            return !info.version.empty() && other.path == info.path;
        });
        if (!is_known) found.push_back(std::move(info));
    }
    return found;
}

}  // namespace lapidary::app

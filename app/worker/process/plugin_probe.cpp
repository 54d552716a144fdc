// SPDX-License-Identifier: Apache-2.0
#include "worker/process/plugin_probe.h"

#include <nlohmann/json.hpp>

#include <lapidary/engines/custom_operators.h>
#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

#include "worker/protocol/json_members.h"
#include "worker/process/library_probe.h"

namespace lapidary::app {
namespace {

using Json = nlohmann::json;

Json described(const std::vector<PluginOptionInfo>& options) {
    Json list = Json::array();
    for (const PluginOptionInfo& option : options)
        list.push_back({{"key", option.key},
                        {"values", option.values},
                        {"fallback", option.fallback},
                        {"meaning", option.meaning}});
    return list;
}

Json described(const PluginInfo& info) {
    Json json{{"file", info.file.string()},
              {"name", info.name},
              {"version", info.version},
              {"licence", info.licence},
              {"about", info.about},
              {"interface", info.interface},
              {"provider", info.provider},
              {"no_device", info.no_device},
              {"operators", Json::array()},
              {"devices", Json::array()},
              {"options", described(info.options)},
              {"engine", info.engine},
              {"engine_version", info.engine_version},
              {"engine_unusable", info.engine_unusable},
              {"engine_options", described(info.engine_options)}};
    for (const PluginOperatorInfo& op : info.operators)
        json["operators"].push_back({{"domain", op.domain},
                                     {"name", op.name},
                                     {"since_version", op.since_version},
                                     {"doc", op.doc}});
    for (const PluginDevice& device : info.devices)
        json["devices"].push_back({{"id", device.id},
                                   {"name", device.name},
                                   {"architecture", device.architecture},
                                   {"driver", device.driver},
                                   {"memory_bytes", device.memory_bytes},
                                   {"unusable", device.unusable}});
    return json;
}

PluginOperatorInfo read_operator(const Json& json) {
    JsonMembers members(json, "an operator of a plugin");
    PluginOperatorInfo op;
    op.domain = members.get<std::string>("domain");
    op.name = members.get<std::string>("name");
    op.since_version = members.get<std::int64_t>("since_version");
    op.doc = members.get<std::string>("doc");
    members.finish();
    return op;
}

PluginDevice read_device(const Json& json) {
    JsonMembers members(json, "a device of a plugin");
    PluginDevice device;
    device.id = members.get<std::string>("id");
    device.name = members.get<std::string>("name");
    device.architecture = members.get<std::string>("architecture");
    device.driver = members.get<std::string>("driver");
    device.memory_bytes = members.get<std::uint64_t>("memory_bytes");
    device.unusable = members.get<std::string>("unusable");
    members.finish();
    return device;
}

PluginOptionInfo read_option(const Json& json) {
    JsonMembers members(json, "an option of a plugin");
    PluginOptionInfo option;
    option.key = members.get<std::string>("key");
    option.values = members.get<std::string>("values");
    option.fallback = members.get<std::string>("fallback");
    option.meaning = members.get<std::string>("meaning");
    members.finish();
    return option;
}

PluginInfo read_info(const Json& json) {
    JsonMembers members(json, "what a plugin is");
    PluginInfo info;
    info.file = members.get<std::string>("file");
    info.name = members.get<std::string>("name");
    info.version = members.get<std::string>("version");
    info.licence = members.get<std::string>("licence");
    info.about = members.get<std::string>("about");
    info.interface = members.get<std::string>("interface");
    info.provider = members.get<std::string>("provider");
    info.no_device = members.get<std::string>("no_device");
    for (const Json& one : members.at("operators")) info.operators.push_back(read_operator(one));
    for (const Json& one : members.at("devices")) info.devices.push_back(read_device(one));
    for (const Json& one : members.at("options")) info.options.push_back(read_option(one));
    info.engine = members.get<std::string>("engine");
    info.engine_version = members.get<std::string>("engine_version");
    info.engine_unusable = members.get<std::string>("engine_unusable");
    for (const Json& one : members.at("engine_options"))
        info.engine_options.push_back(read_option(one));
    members.finish();
    return info;
}

}  // namespace

std::string describe_plugin(const std::filesystem::path& file) {
    end_probe_after(plugin_question.seconds);
    Json json;
    try {
        json = described(open_plugin(file));
    } catch (const Error& error) { json = {{"refused", error.what()}}; }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string describe_custom_operators(const std::filesystem::path& file) {
    end_probe_after(custom_operators_question.seconds);
    Json json = Json::object();
    try {
        open_custom_operators(file);
    } catch (const Error& error) { json["refused"] = error.what(); }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

PluginProbe probe_plugin(const std::filesystem::path& file, const CancelToken& cancel) {
    try {
        const std::string answer = described_in_process(plugin_question, file, cancel);
        const Json json = parse_json(answer, "the answer of the process that probes plugins");
        if (json.contains("refused")) return {file, {}, json["refused"].get<std::string>()};
        return {file, read_info(json), {}};
    } catch (const std::exception& failure) {
        cancel.throw_if_cancelled();
        return {file, {}, failure.what()};
    }
}

}  // namespace lapidary::app

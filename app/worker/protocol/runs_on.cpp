// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/runs_on.h"

#include <nlohmann/json.hpp>

#include <lapidary/engines/custom_operators.h>
#include <lapidary/passes/device_passes.h>
#include <lapidary/base/error.h>
#include <lapidary/engines/plugins.h>

#include "worker/protocol/json_members.h"

namespace lapidary::app {
namespace {

using Json = nlohmann::json;

constexpr const char* own_engine = "lapidary";
constexpr const char* onnxruntime_engine = "onnxruntime";

const char* name_of_fallback(Fallback fallback) {
    switch (fallback) {
    case Fallback::allow: return "allow";
    case Fallback::shapes: return "shapes";
    case Fallback::forbid: break;
    }
    return "forbid";
}

Fallback fallback_of(const std::string& name) {
    for (const Fallback fallback : {Fallback::allow, Fallback::shapes, Fallback::forbid})
        if (name == name_of_fallback(fallback)) return fallback;
    fail_input("recipe: \"fallback\" must be allow, shapes or forbid, found " + quote(name));
}

}  // namespace

std::string text_of(const ProviderWish& wish) {
    std::string text = wish.name;
    for (const auto& [key, value] : wish.options)
        text += (text.size() == wish.name.size() ? ":" : ",") + key + "=" + value;
    return text;
}

ProviderWish parse_provider_wish(const std::string& text) {
    const std::size_t colon = text.find(':');
    ProviderWish wish{text.substr(0, colon), {}};
    if (wish.name.empty()) fail_input("expected NAME or NAME:KEY=VALUE,..., found " + quote(text));
    for (std::size_t at = colon; at != std::string::npos;) {
        const std::size_t end = text.find(',', at + 1);
        const std::string item = text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
        const std::size_t equals = item.find('=');
        if (equals == 0 || equals == std::string::npos)
            fail_input("expected KEY=VALUE after the colon, found " + quote(item));
        wish.options[item.substr(0, equals)] = item.substr(equals + 1);
        at = end;
    }
    return wish;
}

Json runs_on_json(const RunsOn& on) {
    if (on.plugin_engine) return {{"engine", text_of(*on.plugin_engine)}};
    Json json{{"engine", on.onnxruntime ? onnxruntime_engine : own_engine}};
    if (!on.place.empty()) json["place"] = on.place.string();
    if (!on.providers.empty()) json["providers"] = Json::array();
    for (const ProviderWish& wish : on.providers) json["providers"].push_back(text_of(wish));
    if (on.fallback != Fallback::allow) json["fallback"] = name_of_fallback(on.fallback);
    return json;
}

RunsOn read_runs_on(const Json& json) {
    JsonMembers members(json, "recipe: \"runs_on\"");
    RunsOn on;
    const auto engine = members.get<std::string>("engine");
    on.onnxruntime = engine == onnxruntime_engine;
    if (engine != own_engine && engine != onnxruntime_engine) {
        on.plugin_engine = parse_provider_wish(engine);
        members.finish();
        return on;
    }
    on.place = members.get<std::string>("place", "");
    for (const std::string& text : members.get<std::vector<std::string>>("providers", {}))
        on.providers.push_back(parse_provider_wish(text));
    on.fallback = fallback_of(members.get<std::string>("fallback", "allow"));
    members.finish();
    return on;
}

std::string_view passes_for(const ProviderWish& wish) {
    const auto precision = wish.options.find("precision");
    return precision == wish.options.end() ? device_passes
                                           : device_passes_of_precision(precision->second);
}

std::vector<std::shared_ptr<const Provider>> opened_providers(const RunsOn& on) {
    std::vector<std::shared_ptr<const Provider>> providers;
    for (const ProviderWish& wish : on.providers)
        providers.push_back(open_provider(wish.name, wish.options));
    return providers;
}

PluginEngineOptions plugin_engine_options(const RunsOn& on, Level level, int threads) {
    PluginEngineOptions options;
    options.engine = on.plugin_engine->name;
    options.options = on.plugin_engine->options;
    options.level = level;
    options.intra_threads = threads;
    return options;
}

OnnxRuntimeOptions onnxruntime_options(const RunsOn& on, Level level, int threads) {
    OnnxRuntimeOptions options;
    options.place = on.place;
    options.level = level;
    options.intra_threads = threads;
    for (const ProviderWish& wish : on.providers)
        options.providers.push_back({wish.name, wish.options});
    options.fallback = on.fallback;
    options.custom_operators = opened_custom_operators();
    return options;
}

}  // namespace lapidary::app

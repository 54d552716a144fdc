// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/runs_on.h"

#include <lapidary/engines/custom_operators.h>
#include <lapidary/passes/device_passes.h>
#include <lapidary/base/error.h>
#include <lapidary/engines/plugins.h>

#include "worker/protocol/recipe_members.h"

namespace lapidary::app {
namespace {

constexpr const char* own_engine = "lapidary";
constexpr const char* onnxruntime_engine = "onnxruntime";

}  // namespace

std::string text_of(const ProviderChoice& choice) {
    std::string text = choice.name;
    for (const auto& [key, value] : choice.options)
        text += (text.size() == choice.name.size() ? ":" : ",") + key + "=" + value;
    return text;
}

ProviderChoice parse_provider_choice(const std::string& text) {
    const std::size_t colon = text.find(':');
    ProviderChoice choice{text.substr(0, colon), {}};
    if (choice.name.empty())
        fail_input("expected NAME or NAME:KEY=VALUE,..., found " + quote(text));
    for (std::size_t at = colon; at != std::string::npos;) {
        const std::size_t end = text.find(',', at + 1);
        const std::string item = text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
        const std::size_t equals = item.find('=');
        if (equals == 0 || equals == std::string::npos)
            fail_input("expected KEY=VALUE after the colon, found " + quote(item));
        choice.options[item.substr(0, equals)] = item.substr(equals + 1);
        at = end;
    }
    return choice;
}

std::string_view passes_for(const ProviderChoice& choice) {
    const auto precision = choice.options.find("precision");
    return precision == choice.options.end() ? device_passes
                                             : device_passes_of_precision(precision->second);
}

std::vector<std::shared_ptr<const Provider>> opened_providers(const RunsOn& on) {
    std::vector<std::shared_ptr<const Provider>> providers;
    for (const ProviderChoice& choice : on.providers)
        providers.push_back(open_provider(choice.name, choice.options));
    return providers;
}

void place_on(SessionOptions& options, const std::optional<RunsOn>& on) {
    options.providers.clear();
    options.fallback = Fallback::allow;
    if (!on) return;
    options.providers = opened_providers(*on);
    options.fallback = on->fallback;
    if (on->compute != Compute::exact)
        options.resources.config[std::string(compute_key)] = name_of(on->compute);
}

PluginEngineOptions plugin_engine_options(const RunsOn& on, Level level, int threads) {
    PluginEngineOptions options;
    options.engine = on.plugin_engine->name;
    options.options = on.plugin_engine->options;
    options.level = level;
    options.resources.threads = threads;
    return options;
}

OnnxRuntimeOptions onnxruntime_options(const RunsOn& on, Level level, int threads) {
    OnnxRuntimeOptions options;
    options.place = on.place;
    options.level = level;
    options.resources.threads = threads;
    for (const ProviderChoice& choice : on.providers)
        options.providers.push_back({choice.name, choice.options});
    options.fallback = on.fallback;
    options.custom_operators = opened_custom_operators();
    return options;
}

}  // namespace lapidary::app

namespace lapidary {

using app::RunsOn, app::RunsOnForm;

RunsOnForm StoredAs<RunsOn>::form_of(const RunsOn& on) {
    if (on.plugin_engine) return {app::text_of(*on.plugin_engine), {}, {}, Fallback::allow};
    return {on.onnxruntime ? app::onnxruntime_engine : app::own_engine, on.place, on.providers,
            on.fallback, on.compute};
}

RunsOn StoredAs<RunsOn>::value_of(const RunsOnForm& form) {
    const bool is_onnxruntime = form.engine == app::onnxruntime_engine;
    if (form.compute != Compute::exact &&
        (form.engine != app::own_engine || !form.providers.empty()))
        fail_input(
            "\"compute\" is for the CPU of this program; found " +
            quote(form.providers.empty() ? form.engine : app::text_of(form.providers.front())));
    if (is_onnxruntime || form.engine == app::own_engine)
        return {is_onnxruntime, form.place, form.providers, form.fallback, {}, form.compute};
    if (!form.place.empty() || !form.providers.empty() || form.fallback != Fallback::allow)
        fail_input("an engine of a plugin has no place, providers or fallback; found " +
                   quote(form.engine));
    RunsOn on;
    on.plugin_engine = app::parse_provider_choice(form.engine);
    return on;
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include <lapidary/engines/plugins.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <tuple>

#include <lapidary/base/error.h>

#include "base/process/foreign_call.h"
#include "plugin_host/missing_provider.h"
#include "plugin_host/plugin_call.h"
#include "plugin_host/plugin_engine.h"
#include "plugin_host/plugin_library.h"
#include "plugin_host/plugin_operator.h"
#include "plugin_host/plugin_provider.h"

namespace lapidary {
namespace {

struct OpenedPlugin {
    const LpPlugin* plugin = nullptr;
    PluginInfo info;
    std::filesystem::path real;
};

struct OpenedTable {
    std::mutex mutex;
    std::deque<OpenedPlugin> plugins;  // addresses stay
};

OpenedTable& opened() {
    static OpenedTable table;
    return table;
}

std::string reported_text(const char* text) { return text ? text : ""; }

PluginDevice device_of(const LpProvider& provider, std::uint32_t index) {
    LpDeviceInfo reported{};
    reported.size = sizeof(reported);
    PluginDevice device;
    const std::string refusal = ask_plugin("provider " + quote(provider.name), [&](LpError* error) {
        return provider.device_info(index, &reported, error);
    });
    device.id =
        reported.id ? reported.id : std::string(provider.name) + ":" + std::to_string(index);
    device.name = reported_text(reported.name);
    device.architecture = reported_text(reported.architecture);
    device.driver = reported_text(reported.driver);
    device.memory_bytes = reported.memory_bytes;
    device.unusable = refusal.empty() ? reported_text(reported.unusable) : refusal;
    return device;
}

std::vector<PluginOptionInfo> options_of(std::uint32_t (*infos)(const LpOptionInfo**,
                                                                std::uint32_t*)) {
    std::vector<PluginOptionInfo> options;
    if (!infos) return options;
    const LpOptionInfo* items = nullptr;
    std::uint32_t stride = 0;
    const std::uint32_t count = infos(&items, &stride);
    for (std::uint32_t i = 0; items && i < count; ++i) {
        const auto& option = *reinterpret_cast<const LpOptionInfo*>(
            reinterpret_cast<const char*>(items) + i * stride);
        options.push_back({reported_text(option.key), reported_text(option.values),
                           reported_text(option.fallback), reported_text(option.meaning)});
    }
    return options;
}

void describe_provider(const LpProvider& provider, PluginInfo& info) {
    check_plugin_provider(info.name, provider);
    info.provider = provider.name;
    const char* note = nullptr;
    const std::uint32_t count = provider.device_count(&note);
    if (count == 0) info.no_device = note ? note : "the plugin gives no reason";
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(count, 64); ++i)
        info.devices.push_back(device_of(provider, i));
    info.options = options_of(provider.option_infos);
}

void describe_engine(const LpEngine& engine, PluginInfo& info) {
    check_plugin_engine(info.name, engine);
    info.engine = engine.name;
    info.engine_version = engine.version ? engine.version : info.version;
    if (engine.unusable) info.engine_unusable = reported_text(engine.unusable());
    info.engine_options = options_of(engine.option_infos);
}

PluginInfo describe(const LpPlugin& plugin, const std::filesystem::path& file) {
    PluginInfo info;
    info.file = file;
    info.name = plugin.name;
    if (LP_HAS(&plugin, about)) {
        info.version = reported_text(plugin.version);
        info.licence = reported_text(plugin.licence);
        info.about = reported_text(plugin.about);
    }
    info.interface = std::to_string(plugin.major) + "." + std::to_string(plugin.minor);
    return info;
}

/// All operators of the plugin, or none.
void add_plugin_operators(const LpPlugin& plugin, PluginInfo& info) {
    if (!LP_HAS(&plugin, operators) || !plugin.operators) return;
    std::vector<AddedOperator> added;
    std::vector<AddedKernel> kernels;
    for (const LpOperator* const* at = plugin.operators; *at; ++at) {
        PluginOperator made = plugin_operator(info.name, **at);
        info.operators.push_back({reported_text((*at)->domain), reported_text((*at)->name),
                                  (*at)->since_version, reported_text((*at)->doc)});
        added.push_back(std::move(made.added));
        kernels.push_back(std::move(made.kernel));
    }
    add_operators(std::move(added));
    for (AddedKernel& kernel : kernels) add_kernel(std::move(kernel));
}

bool is_named(const LpProvider& provider, const std::string& name) {
    if (name == provider.name) return true;
    if (!provider.ort_names) return false;
    for (const char* const* at = provider.ort_names; *at; ++at)
        if (name == *at) return true;
    return false;
}

/// The number of the device, taken out of the options.
std::uint32_t take_device(std::map<std::string, std::string>& options, const PluginInfo& info) {
    const auto found = options.find("device");
    if (found == options.end()) return 0;
    const std::string text = found->second;
    options.erase(found);
    for (std::uint32_t i = 0; i < info.devices.size(); ++i)
        if (text == std::to_string(i) || text == info.devices[i].id) return i;
    std::string known;
    for (std::size_t i = 0; i < info.devices.size(); ++i)
        known += (i ? ", " : "") + std::to_string(i) + " (" + info.devices[i].id + ")";
    fail_input("provider " + quote(info.provider) + ": option device: expected " + known +
               ", found " + quote(text));
}

void check_options(const std::map<std::string, std::string>& options, const PluginInfo& info) {
    for (const auto& [key, value] : options) {
        if (std::ranges::find(info.options, key, &PluginOptionInfo::key) != info.options.end())
            continue;
        std::string known = "device";
        for (const PluginOptionInfo& option : info.options) known += ", " + option.key;
        fail_input("provider " + quote(info.provider) + " has no option " + quote(key) +
                   "; it has " + known);
    }
}

}  // namespace

const PluginInfo& open_plugin(const std::filesystem::path& file) {
    std::error_code failed;
    const std::filesystem::path real = std::filesystem::weakly_canonical(file, failed);
    OpenedTable& table = opened();
    const std::lock_guard lock(table.mutex);
    for (const OpenedPlugin& one : table.plugins)
        if (one.real == real) return one.info;
    const LpPlugin& plugin = load_plugin_library(file);
    const std::string place = "plugin " + quote(file.string());
    const ForeignCall inside(place.c_str());
    PluginInfo info = describe(plugin, file);
    for (const OpenedPlugin& one : table.plugins)
        if (one.info.name == info.name)
            fail_input("plugin " + quote(file.string()) + " has the name " + quote(info.name) +
                       " of " + quote(one.info.file.string()) + ", which is open");
    if (LP_HAS(&plugin, provider) && plugin.provider) describe_provider(*plugin.provider, info);
    if (LP_HAS(&plugin, engine) && plugin.engine) describe_engine(*plugin.engine, info);
    for (const OpenedPlugin& one : table.plugins)
        if (!info.engine.empty() && one.info.engine == info.engine)
            fail_input("plugin " + quote(file.string()) + " has an engine " + quote(info.engine) +
                       ", as plugin " + quote(one.info.name) + " has, which is open");
    add_plugin_operators(plugin, info);
    return table.plugins.emplace_back(OpenedPlugin{&plugin, std::move(info), real}).info;
}

std::vector<const PluginInfo*> opened_plugins() {
    OpenedTable& table = opened();
    const std::lock_guard lock(table.mutex);
    std::vector<const PluginInfo*> list;
    for (const OpenedPlugin& one : table.plugins) list.push_back(&one.info);
    return list;
}

std::shared_ptr<const Provider> open_provider(const std::string& name,
                                              const std::map<std::string, std::string>& options) {
    const OpenedPlugin* found = nullptr;
    std::vector<std::string> named;
    {
        OpenedTable& table = opened();
        const std::lock_guard lock(table.mutex);
        for (const OpenedPlugin& one : table.plugins) {
            if (one.info.provider.empty()) continue;
            named.push_back(one.info.provider);
            if (is_named(*one.plugin->provider, name)) found = &one;
        }
    }
    if (!found) fail_input(missing_provider_text(name, named));
    const PluginInfo& info = found->info;
    if (info.devices.empty())
        fail_unsupported("provider " + quote(name) + " has no device: " + info.no_device);
    std::map<std::string, std::string> rest = options;
    const std::uint32_t device = take_device(rest, info);
    check_options(rest, info);
    if (const std::string& why = info.devices[device].unusable; !why.empty())
        fail_unsupported("provider " + quote(name) + ": device " + info.devices[device].id +
                         " cannot be used: " + why);
    static std::mutex mutex;
    static std::map<
        std::tuple<const OpenedPlugin*, std::uint32_t, std::map<std::string, std::string>>,
        std::weak_ptr<const Provider>>
        open;
    const std::lock_guard lock(mutex);
    std::weak_ptr<const Provider>& known_one = open[{found, device, rest}];
    if (auto provider = known_one.lock()) return provider;
    std::shared_ptr<const Provider> provider =
        open_plugin_provider(*found->plugin->provider, device, rest);
    known_one = provider;
    return provider;
}

PluginEngine find_plugin_engine(const std::string& name) {
    OpenedTable& table = opened();
    const std::lock_guard lock(table.mutex);
    std::string known;
    for (const OpenedPlugin& one : table.plugins) {
        if (one.info.engine.empty()) continue;
        if (one.info.engine == name) return {*one.plugin->engine, one.info};
        known += (known.empty() ? "" : ", ") + one.info.engine;
    }
    fail_input("there is no engine " + quote(name) + "; expected lapidary, onnxruntime" +
               (known.empty() ? " or one of a plugin, none of which is open" : ", " + known));
}

}  // namespace lapidary

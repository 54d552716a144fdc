// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/output/json_output.h"
#include "cli/options/output_options.h"
#include "cli/output/value_text.h"
#include "worker/process/plugin_probe.h"

namespace lapidary::cli {
namespace {

constexpr const char* plugins_notes = R"(
Plugins bring operators of your own, devices to run on and engines that run whole models. They are looked for in what
--plugin and LAPIDARY_PLUGINS name (files or folders, in the variable with colons between), in lapidary/plugins below
XDG_DATA_HOME or ~/.local/share, and in lib/lapidary/plugins of the installation. Each is opened in a process of its own
first.)";

Json options_json(const std::vector<PluginOptionInfo>& options) {
    Json list = Json::array();
    for (const PluginOptionInfo& option : options)
        list.push_back({{"key", option.key},
                        {"values", option.values},
                        {"default", option.fallback},
                        {"meaning", option.meaning}});
    return list;
}

Json probe_json(const app::PluginProbe& probe) {
    Json json{{"file", probe.file.string()}, {"usable", probe.info.has_value()}};
    if (!probe.info) {
        json["reason"] = probe.reason;
        return json;
    }
    const PluginInfo& info = *probe.info;
    json.update({{"name", info.name},
                 {"version", info.version},
                 {"licence", info.licence},
                 {"about", info.about},
                 {"interface", info.interface},
                 {"operators", Json::array()},
                 {"provider", info.provider.empty() ? Json() : Json(info.provider)},
                 {"devices", Json::array()},
                 {"options", options_json(info.options)}});
    for (const PluginOperatorInfo& op : info.operators)
        json["operators"].push_back({{"domain", op.domain},
                                     {"name", op.name},
                                     {"since_version", op.since_version},
                                     {"doc", op.doc}});
    for (const PluginDevice& device : info.devices)
        json["devices"].push_back(
            {{"id", device.id}, {"name", device.name}, {"unusable", device.unusable}});
    if (!info.no_device.empty()) json["no_device"] = info.no_device;
    json["engine"] = Json();
    if (!info.engine.empty())
        json["engine"] = {{"name", info.engine},
                          {"version", info.engine_version},
                          {"unusable", info.engine_unusable},
                          {"options", options_json(info.engine_options)}};
    return json;
}

void print_options(std::ostream& out, const std::vector<PluginOptionInfo>& options) {
    for (const PluginOptionInfo& option : options)
        out << "    option " << option.key << " (" << option.values << "; "
            << (option.fallback.empty() ? "none" : option.fallback)
            << " unless given): " << option.meaning << '\n';
}

void print_probe(std::ostream& out, const app::PluginProbe& probe) {
    if (!probe.info) {
        out << probe.file.string() << "\n  cannot be used: " << probe.reason << '\n';
        return;
    }
    const PluginInfo& info = *probe.info;
    out << info.name << ' ' << info.version << " (" << info.licence << "): " << info.about << "\n  "
        << info.file.string() << '\n';
    for (const PluginOperatorInfo& op : info.operators)
        out << "  operator " << op.domain << "::" << op.name << " from version " << op.since_version
            << ": " << op.doc << '\n';
    if (!info.engine.empty()) {
        out << "  engine " << info.engine << ' ' << info.engine_version
            << (info.engine_unusable.empty() ? "" : ", cannot be used: " + info.engine_unusable)
            << '\n';
        print_options(out, info.engine_options);
    }
    if (info.provider.empty()) return;
    out << "  provider " << info.provider;
    if (!info.no_device.empty()) out << ": no device, " << info.no_device;
    out << '\n';
    for (const PluginDevice& device : info.devices)
        out << "    device " << device.id << ": " << device.name
            << (device.unusable.empty() ? "" : ", cannot be used: " + device.unusable) << '\n';
    print_options(out, info.options);
}

class PluginsCommand : public Command {
public:
    CommandText text() const override {
        return {.summary =
                    "List the plugins that are found: what they bring, or why one cannot be used",
                .notes = plugins_notes,
                .examples = {"lapidary-cli plugins",
                             "lapidary-cli plugins --probe build/example_op.so"}};
    }

    void declare(OptionList& options) override {
        options.value("--probe", "FILE", file_, "This file alone").suggest_files({"so"});
        options.value("--describe", "FILE", described_, "").hidden();
        options.value("--describe-custom-ops", "FILE", custom_operators_described_, "").hidden();
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        if (!described_.empty()) {
            terminal.out << app::describe_plugin(described_) << '\n';
            return exit_fine;
        }
        if (!custom_operators_described_.empty()) {
            terminal.out << app::describe_custom_operators(custom_operators_described_) << '\n';
            return exit_fine;
        }
        std::vector<app::PluginProbe> probes;
        const std::vector<std::filesystem::path> files =
            file_.empty() ? find_plugins(plugin_places({plugins.begin(), plugins.end()}))
                          : std::vector<std::filesystem::path>{file_};
        for (const auto& file : files) {
            terminal.cancel.throw_if_cancelled();
            probes.push_back(app::probe_plugin(file, terminal.cancel));
        }
        if (terminal.json) {
            Json list = Json::array();
            for (const app::PluginProbe& probe : probes) list.push_back(probe_json(probe));
            write_json(terminal.out, {{"plugins", std::move(list)}});
        } else {
            for (const app::PluginProbe& probe : probes) print_probe(terminal.out, probe);
            if (probes.empty())
                terminal.out
                    << "no plugins found (lapidary-cli plugins --help says where it looks)\n";
        }
        return !file_.empty() && !probes[0].info ? exit_not_supported : exit_fine;
    }
    bool opens_plugins() const override { return false; }

private:
    std::string file_, described_, custom_operators_described_;
};

}  // namespace

std::unique_ptr<Command> plugins_command() { return std::make_unique<PluginsCommand>(); }

}  // namespace lapidary::cli

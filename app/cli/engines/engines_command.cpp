// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/output/json_output.h"
#include "cli/options/output_options.h"
#include "cli/output/value_text.h"
#include "worker/process/engine_probe.h"
#include "worker/process/plugin_probe.h"

namespace lapidary::cli {
namespace {

constexpr const char* engines_notes = R"(
ONNX Runtime is looked for in what LAPIDARY_ONNXRUNTIME names, in the active virtual environment, in build/peers beside
this program, in the package of python3, and where the dynamic linker looks. Each is opened in a process of its own. A
provider that it was built with may still lack a library or a driver: then its own words say so. Engines of plugins are
listed too (lapidary-cli plugins says where it looks for those).)";

std::vector<PluginInfo> probe_plugin_engines(const std::vector<std::string>& given,
                                             const CancelToken& cancel) {
    std::vector<PluginInfo> found;
    for (const auto& file : find_plugins(plugin_places({given.begin(), given.end()}))) {
        cancel.throw_if_cancelled();
        const app::PluginProbe probe = app::probe_plugin(file, cancel);
        if (probe.info && !probe.info->engine.empty()) found.push_back(*probe.info);
    }
    return found;
}

Json info_json(const PluginInfo& info) {
    Json json{{"name", info.engine},
              {"path", info.file.string()},
              {"version", info.engine_version},
              {"plugin", info.name},
              {"usable", info.engine_unusable.empty()}};
    if (!info.engine_unusable.empty()) json["reason"] = info.engine_unusable;
    return json;
}

void print_info(std::ostream& out, const PluginInfo& info) {
    out << fmt::format("{:12} {}, an engine of plugin {}\n  {}\n", plain(info.engine),
                       plain(info.engine_version), plain(info.name), plain(info.file.string()));
    if (!info.engine_unusable.empty())
        out << "  cannot be used: " << plain(info.engine_unusable) << '\n';
}

Json info_json(const OnnxRuntimeInfo& info) {
    Json json{{"name", "onnxruntime"},
              {"path", info.path.string()},
              {"version", info.version.empty() ? Json() : Json(info.version)},
              {"in_python", info.in_python},
              {"usable", info.unusable.empty()},
              {"providers", Json::array()},
              {"devices", Json::array()}};
    if (!info.unusable.empty()) json["reason"] = info.unusable;
    for (const OnnxRuntimeProviderState& provider : info.providers) {
        Json one{{"name", provider.name}, {"usable", provider.unusable.empty()}};
        if (!provider.unusable.empty()) one["reason"] = provider.unusable;
        json["providers"].push_back(std::move(one));
    }
    for (const OnnxRuntimeDevice& device : info.devices)
        json["devices"].push_back(
            {{"provider", device.provider}, {"vendor", device.vendor}, {"kind", device.kind}});
    return json;
}

void print_info(std::ostream& out, const OnnxRuntimeInfo& info) {
    if (!info.unusable.empty()) {
        out << "onnxruntime  " << plain(info.path.string())
            << "\n  cannot be used: " << plain(info.unusable) << '\n';
        return;
    }
    out << "onnxruntime  ONNX Runtime " << plain(info.version) << "\n  "
        << plain(info.path.string())
        << (info.in_python ? ", which holds no C library: it runs in a Python process" : "")
        << '\n';
    for (const OnnxRuntimeProviderState& provider : info.providers)
        out << "  provider " << plain(provider.name)
            << (provider.unusable.empty() ? "" : ", cannot be used: " + plain(provider.unusable))
            << '\n';
    for (const OnnxRuntimeDevice& device : info.devices)
        out << fmt::format("  device {} of {} ({})\n", device.kind, plain(device.vendor),
                           plain(device.provider));
}

class EnginesCommand : public Command {
public:
    CommandText text() const override {
        return {.summary =
                    "List what can run models: this program, ONNX Runtimes and engines of plugins",
                .notes = engines_notes,
                .examples = {"lapidary-cli engines", "lapidary-cli engines --onnxruntime venv"}};
    }

    void declare(OptionList& options) override {
        options
            .value("--onnxruntime", "PATH", place_,
                   "ONNX Runtime's library, or a folder or Python interpreter that has it; "
                   "searched for unless given")
            .suggest({.files = true, .folders = true});
        options.value("--describe", "PATH", described_, "").hidden();
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        if (!described_.empty()) {
            terminal.out << app::describe_engine(described_) << '\n';
            return exit_fine;
        }
        const std::vector<OnnxRuntimeInfo> found = app::probe_onnxruntimes(place_, terminal.cancel);
        const std::vector<PluginInfo> of_plugins = probe_plugin_engines(plugins, terminal.cancel);
        if (terminal.json) {
            Json list = Json::array(
                {Json{{"name", "lapidary"}, {"version", LAPIDARY_VERSION}, {"usable", true}}});
            for (const OnnxRuntimeInfo& info : found) list.push_back(info_json(info));
            for (const PluginInfo& info : of_plugins) list.push_back(info_json(info));
            write_json(terminal.out, {{"engines", std::move(list)}});
        } else {
            terminal.out << "lapidary     this program, " LAPIDARY_VERSION "\n";
            for (const OnnxRuntimeInfo& info : found) print_info(terminal.out, info);
            for (const PluginInfo& info : of_plugins) print_info(terminal.out, info);
            if (found.empty())
                terminal.out << "no ONNX Runtime was found (lapidary-cli engines --help says where "
                                "it looks)\n";
        }
        return !place_.empty() && (found.empty() || !found[0].unusable.empty()) ? exit_not_supported
                                                                                : exit_fine;
    }
    bool opens_plugins() const override { return false; }

private:
    std::filesystem::path place_, described_;
};

}  // namespace

std::unique_ptr<Command> engines_command() { return std::make_unique<EnginesCommand>(); }

}  // namespace lapidary::cli

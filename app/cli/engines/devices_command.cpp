// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include <fmt/format.h>

#include <lapidary/bench/bench.h>

#include "cli/command.h"
#include "cli/output/json_output.h"
#include "cli/options/output_options.h"
#include "cli/output/value_text.h"
#include "worker/process/plugin_probe.h"

namespace lapidary::cli {
namespace {

struct FoundDevice {
    std::string provider;
    PluginDevice device;
};

/// A plugin whose provider has no device.
struct NoDevice {
    std::string provider, why;
};

class DevicesCommand : public Command {
public:
    CommandText text() const override {
        return {.summary =
                    "List the devices that this program's engine can run on: the CPU and those of "
                    "plugins",
                .examples = {"lapidary-cli devices"}};
    }

    void declare(OptionList& options) override { add_json(options, json); }

    int run(Terminal& terminal) override {
        for (const auto& file : find_plugins(plugin_places({plugins.begin(), plugins.end()}))) {
            terminal.cancel.throw_if_cancelled();
            const app::PluginProbe probe = app::probe_plugin(file, terminal.cancel);
            if (!probe.info) {
                none_.push_back({file.string(), probe.reason});
                continue;
            }
            if (probe.info->provider.empty()) continue;
            for (const PluginDevice& device : probe.info->devices)
                found_.push_back({probe.info->provider, device});
            if (probe.info->devices.empty())
                none_.push_back({probe.info->provider, probe.info->no_device});
        }
        const MachineInfo machine = machine_info();
        if (terminal.json) write_json(terminal.out, devices_json(machine));
        else print(terminal.out, machine);
        return exit_fine;
    }
    bool opens_plugins() const override { return false; }

private:
    Json devices_json(const MachineInfo& machine) const {
        Json list = Json::array({Json{{"provider", "CPU"},
                                      {"id", "cpu"},
                                      {"name", machine.cpu},
                                      {"architecture", machine.isa},
                                      {"usable", true}}});
        for (const auto& [provider, device] : found_) {
            Json one{{"provider", provider},
                     {"id", device.id},
                     {"name", device.name},
                     {"architecture", device.architecture},
                     {"driver", device.driver},
                     {"memory_bytes", device.memory_bytes},
                     {"usable", device.unusable.empty()}};
            if (!device.unusable.empty()) one["reason"] = device.unusable;
            list.push_back(std::move(one));
        }
        Json none = Json::array();
        for (const auto& [provider, why] : none_)
            none.push_back({{"provider", provider}, {"reason", why}});
        return {{"devices", std::move(list)}, {"without_device", std::move(none)}};
    }

    void print(std::ostream& out, const MachineInfo& machine) const {
        out << fmt::format("CPU     {}, {} cores, {}\n", plain(machine.cpu), machine.cores,
                           machine.isa);
        for (const auto& [provider, device] : found_) {
            out << fmt::format("{}  {}, {}", plain(device.id), plain(device.name), plain(provider));
            if (!device.architecture.empty()) out << ", " << plain(device.architecture);
            if (device.memory_bytes > 0)
                out << ", " << byte_text(static_cast<double>(device.memory_bytes));
            if (!device.driver.empty()) out << ", driver " << plain(device.driver);
            if (!device.unusable.empty()) out << ", cannot be used: " << plain(device.unusable);
            out << '\n';
        }
        for (const auto& [provider, why] : none_)
            out << plain(provider) << ": no device, " << plain(why) << '\n';
    }

    std::vector<FoundDevice> found_;
    std::vector<NoDevice> none_;
};

}  // namespace

std::unique_ptr<Command> devices_command() { return std::make_unique<DevicesCommand>(); }

}  // namespace lapidary::cli

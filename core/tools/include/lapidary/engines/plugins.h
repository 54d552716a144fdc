// SPDX-License-Identifier: Apache-2.0
// Plugins: shared libraries that bring operators of users, providers (devices) and engines. Their
// interface is lapidary/plugin_abi.h. An opened plugin runs in this process, and a fault in it can
// end the process. A program that must survive that opens it in another process first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lapidary {

class Provider;

/// An option of a plugin's provider or engine.
struct PluginOptionInfo {
    std::string key;       // its name
    std::string values;    // allowed values, to read: "0 to 7", "off or on"
    std::string fallback;  // the default
    std::string meaning;   // a phrase
};

/// A device that a plugin's provider found.
struct PluginDevice {
    std::string id;                  // "cuda:0"
    std::string name;                // "NVIDIA H200"
    std::string architecture;        // "sm_90"
    std::string driver;              // its version
    std::uint64_t memory_bytes = 0;  // of the device; 0: not known
    std::string unusable;            // why it cannot be used; empty: it can
};

/// An operator that a plugin brings.
struct PluginOperatorInfo {
    std::string domain, name;        // as nodes call it
    std::int64_t since_version = 1;  // of the domain
    std::string doc;                 // what it computes
};

/// The description that an opened plugin gives of itself.
struct PluginInfo {
    std::filesystem::path file;  // from which it was opened
    std::string name, version;   // of the plugin
    std::string licence;         // SPDX
    std::string about;           // a sentence
    std::string interface;       // version of the plugin interface that it was built for: "1.0"
    std::vector<PluginOperatorInfo> operators;  // empty: it brings none
    std::string provider;                       // its name; empty: the plugin has none
    std::string no_device;  // why there is no device, in the plugin's words; empty: there is one
    std::vector<PluginDevice> devices;      // usable or not
    std::vector<PluginOptionInfo> options;  // of the provider
    std::string engine;                     // its name; empty: the plugin has none
    std::string engine_version;             // of what runs the models
    std::string engine_unusable;  // why it cannot be used, in the plugin's words; empty: it can
    std::vector<PluginOptionInfo> engine_options;  // of the engine
};

/// Where plugins are looked for, in order. A file stands for itself, a folder for its files *.so.
struct PluginPlaces {
    std::vector<std::filesystem::path> given;  // by the user: each must exist
    std::vector<std::filesystem::path> usual;  // need not exist
};

/// `given`, then LAPIDARY_PLUGINS (paths with colons between), the user's folder (lapidary/plugins
/// below XDG_DATA_HOME or ~/.local/share) and that of the installation (lib/lapidary/plugins beside
/// the program's bin).
PluginPlaces plugin_places(std::vector<std::filesystem::path> given = {});

/// Each file once. Throws io_failure naming a given place that is not there.
std::vector<std::filesystem::path> find_plugins(const PluginPlaces& places);

/// Opens the library, once per process, until the process ends. Models that are loaded afterwards
/// can use its operators. Throws not_supported, invalid_input or io_failure with the reason why it
/// cannot be used.
const PluginInfo& open_plugin(const std::filesystem::path& file);

/// All that open_plugin() has opened, in that order.
std::vector<const PluginInfo*> opened_plugins();

/// For SessionOptions::providers: the provider of an opened plugin by its name
/// or by one that ONNX Runtime gives it ("CUDAExecutionProvider"), on one of its
/// devices, with options of PluginInfo::options. The option `device` (a number
/// or an id, 0 by default) chooses the device. Throws invalid_input for unknown
/// names and options, not_supported with the reason if the device cannot be
/// used.
std::shared_ptr<const Provider> open_provider(
    const std::string& name, const std::map<std::string, std::string>& options = {});

}  // namespace lapidary

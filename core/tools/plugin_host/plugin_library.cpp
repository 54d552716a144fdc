// SPDX-License-Identifier: Apache-2.0
#include "plugin_host/plugin_library.h"

#include <string>

#include <lapidary/base/error.h>

#include "base/process/foreign_call.h"
#include "base/process/shared_library.h"
#include "plugin_host/plugin_call.h"

namespace lapidary {
namespace {

#define LAPIDARY_TEXT_OF(name) #name
#define LAPIDARY_TEXT(name) LAPIDARY_TEXT_OF(name)
constexpr const char* entry_name = LAPIDARY_TEXT(LP_ENTRY);
#undef LAPIDARY_TEXT
#undef LAPIDARY_TEXT_OF

constexpr int newest_major_looked_for = 99;

std::string this_interface() { return std::to_string(LP_MAJOR) + "." + std::to_string(LP_MINOR); }

std::string kind_of_file(const std::filesystem::path& file) {
    std::error_code failed;
    switch (std::filesystem::status(file, failed).type()) {
    case std::filesystem::file_type::directory: return "a folder";
    case std::filesystem::file_type::character:
    case std::filesystem::file_type::block: return "a device";
    case std::filesystem::file_type::fifo: return "a pipe";
    case std::filesystem::file_type::socket: return "a socket";
    default: return "something else";
    }
}

std::string why_no_entry(const SharedLibrary& library) {
    for (int major = 0; major <= newest_major_looked_for; ++major)
        if (library.find(("lapidary_plugin_" + std::to_string(major)).c_str()))
            return "it is made for plugin interface " + std::to_string(major) +
                   ", this program has interface " + this_interface();
    return std::string("it is no plugin: it exports no function ") + entry_name;
}

}  // namespace

const LpPlugin& load_plugin_library(const std::filesystem::path& file) {
    const std::string place = "plugin " + quote(file.string());
    std::error_code failed;
    if (!std::filesystem::exists(file, failed))
        fail(ErrorCode::io_failure, place + ": there is no such file");
    if (!std::filesystem::is_regular_file(file, failed))
        fail(ErrorCode::io_failure,
             place + " is no library: expected a regular file, found " + kind_of_file(file));
    // Without a slash the loader would search its own folders.
    const std::filesystem::path path = std::filesystem::absolute(file);
    const ForeignCall inside(place.c_str());
    std::string reason;
    const SharedLibrary library = SharedLibrary::open(path, SymbolScope::local, reason);
    if (!library) fail_unsupported(place + " cannot be loaded: " + without_file_name(reason, path));
    const auto entry = reinterpret_cast<LpEntry>(library.find(entry_name));
    if (!entry) fail_unsupported(place + ": " + why_no_entry(library));
    const LpPlugin* plugin = nullptr;
    call_plugin(place, [&](LpError* reported) {
        plugin = entry(&plugin_host(), reported);
        if (!plugin && reported->text[0] == '\0')
            fail_unsupported(place + " refuses this program without a reason");
        return plugin ? LP_OK : LP_UNSUPPORTED;
    });
    if (!LP_HAS(plugin, needs_minor) || plugin->major != LP_MAJOR)
        fail_unsupported(place + " says that it is made for plugin interface " +
                         std::to_string(plugin->major) + ", this program has interface " +
                         this_interface());
    if (plugin->needs_minor > LP_MINOR)
        fail_unsupported(place + " needs plugin interface " + std::to_string(LP_MAJOR) + "." +
                         std::to_string(plugin->needs_minor) + ", this program has interface " +
                         this_interface());
    if (!LP_HAS(plugin, name) || !plugin->name || !*plugin->name)
        fail_unsupported(place + " gives itself no name");
    return *plugin;
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/engines/plugins.h>
#include <lapidary/internal/program_file.h>

#include "base/process/shared_library.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

void add_paths(std::vector<fs::path>& to, const std::string& list) {
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(':', at), list.size());
        if (end > at) to.emplace_back(list.substr(at, end - at));
        at = end + 1;
    }
}

fs::path user_folder() {
    const std::string data = environment("XDG_DATA_HOME"), home = environment("HOME");
    if (!data.empty()) return fs::path(data) / "lapidary" / "plugins";
    return home.empty() ? fs::path() : fs::path(home) / ".local/share/lapidary/plugins";
}

fs::path installed_folder() {
    const fs::path program = program_file();
    return program.empty() ? fs::path()
                           : program.parent_path().parent_path() / "lib/lapidary/plugins";
}

std::vector<fs::path> libraries_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        std::error_code ignored;  // a link that leads nowhere is no library
        if (at->path().extension() == shared_library_ending && at->is_regular_file(ignored))
            files.push_back(at->path());
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace

PluginPlaces plugin_places(std::vector<fs::path> given) {
    PluginPlaces places;
    places.given = std::move(given);
    add_paths(places.given, environment("LAPIDARY_PLUGINS"));
    for (fs::path folder : {user_folder(), installed_folder()})
        if (!folder.empty()) places.usual.push_back(std::move(folder));
    return places;
}

std::vector<fs::path> find_plugins(const PluginPlaces& places) {
    std::vector<fs::path> found;
    std::set<fs::path> seen;
    const auto add = [&](const fs::path& file) {
        std::error_code failed;
        const fs::path real = fs::weakly_canonical(file, failed);
        if (seen.insert(failed ? file : real).second) found.push_back(file);
    };
    std::error_code failed;
    for (const fs::path& place : places.given) {
        if (!fs::exists(place, failed))
            fail(ErrorCode::io_failure,
                 "plugin " + quote(place.string()) + ": there is no such file or folder");
        if (!fs::is_directory(place, failed)) add(place);
        else
            for (const fs::path& file : libraries_in(place)) add(file);
    }
    for (const fs::path& place : places.usual)
        for (const fs::path& file : libraries_in(place)) add(file);
    return found;
}

}  // namespace lapidary

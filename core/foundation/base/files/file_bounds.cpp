// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/file_bounds.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

constexpr int most_link_hops = 40;

struct Bounds {
    std::mutex mutex;
    std::optional<FileBounds> given;
    std::vector<fs::path> scratch;
    std::set<fs::path> created;  // by this process, which may write them again
};

Bounds& bounds_of_process() {
    static Bounds bounds;
    return bounds;
}

/// Where the path leads: a link to a file that is not there yet is followed too. Empty where that
/// cannot be found out.
fs::path real_place(const fs::path& path) {
    std::error_code failed;
    fs::path place = fs::absolute(path, failed);
    for (int hops = 0; !failed && fs::is_symlink(fs::symlink_status(place, failed)); ++hops) {
        if (hops == most_link_hops) return {};
        const fs::path target = fs::read_symlink(place, failed);
        if (failed) return {};
        place = target.is_absolute() ? target : place.parent_path() / target;
    }
    place = fs::weakly_canonical(place, failed);
    return failed ? fs::path() : place;
}

/// A copy, because scratch folders come and go on other threads.
std::optional<FileBounds> bounds_with(bool scratch) {
    Bounds& bounds = bounds_of_process();
    const std::lock_guard lock(bounds.mutex);
    if (!bounds.given) return std::nullopt;
    FileBounds found = *bounds.given;
    if (scratch) found.folders = bounds.scratch;
    return found;
}

}  // namespace

void bound_files(FileBounds bounds) {
    Bounds& all = bounds_of_process();
    const std::lock_guard lock(all.mutex);
    all.given = std::move(bounds);
}

bool is_below(const fs::path& path, const std::vector<fs::path>& folders) {
    const auto is_one = [&](const fs::path& place) {
        return std::ranges::any_of(folders, [&](const fs::path& folder) {
            std::error_code failed;
            return fs::equivalent(place, folder, failed) && !failed;
        });
    };
    for (fs::path place = real_place(path); !place.empty(); place = place.parent_path()) {
        if (is_one(place)) return true;
        if (place == place.parent_path()) break;
    }
    return false;
}

std::string outside_text(const fs::path& path, const std::vector<fs::path>& folders) {
    std::string text = quote(path.string(), 4096) + " lies outside of the folders that may be used";
    const char* before = ": ";
    for (const fs::path& folder : folders)
        text += std::exchange(before, ", ") + quote(folder.string(), 4096);
    return text;
}

void require_readable(const fs::path& path) {
    const auto bounds = bounds_with(false);
    if (!bounds || is_below(path, bounds->folders)) return;
    if (const auto scratch = bounds_with(true); is_below(path, scratch->folders)) return;
    fail_input(outside_text(path, bounds->folders));
}

void require_writable(const fs::path& path) {
    const auto bounds = bounds_with(false);
    if (!bounds) return;
    if (const auto scratch = bounds_with(true); is_below(path, scratch->folders)) return;
    if (!is_below(path, bounds->folders)) fail_input(outside_text(path, bounds->folders));
    if (bounds->may_replace) return;
    Bounds& all = bounds_of_process();
    const std::lock_guard lock(all.mutex);
    const fs::path place = real_place(path);
    std::error_code failed;
    if (!fs::exists(place, failed)) all.created.insert(place);
    else if (!all.created.contains(place))
        fail_input(quote(path.string(), 4096) +
                   " exists already, and files are overwritten only where that is asked for "
                   "(\"overwrite\": true)");
}

void allow_scratch_folder(const fs::path& folder) {
    Bounds& all = bounds_of_process();
    const std::lock_guard lock(all.mutex);
    if (all.given) all.scratch.push_back(folder);
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/output_file.h>

#include <map>
#include <mutex>
#include <utility>

#include <lapidary/base/error.h>

#include "base/files/atomic_file.h"
#include "base/files/input_protection.h"

namespace lapidary {
namespace {

struct Protected {
    std::mutex mutex;
    // number of InputProtections, and of those that protect all files read
    int depth = 0, reading = 0;
    std::map<std::pair<std::uint64_t, std::uint64_t>, FileIdentity> files;  // by device and inode
};

Protected& protected_files() {
    static Protected files;
    return files;
}

}  // namespace

InputProtection::InputProtection(Of of) : of_(of) {
    Protected& all = protected_files();
    const std::lock_guard lock(all.mutex);
    ++all.depth;
    if (of_ == Of::all_that_is_read) ++all.reading;
}

InputProtection::~InputProtection() {
    Protected& all = protected_files();
    const std::lock_guard lock(all.mutex);
    if (of_ == Of::all_that_is_read) --all.reading;
    if (--all.depth == 0) all.files.clear();
}

void note_input_file(const FileIdentity& file) {
    Protected& all = protected_files();
    const std::lock_guard lock(all.mutex);
    if (all.reading > 0) all.files.try_emplace({file.device, file.inode}, file);
}

bool is_input_unchanged(const std::filesystem::path& path) {
    Protected& all = protected_files();
    const std::lock_guard lock(all.mutex);
    for (const auto& [at, file] : all.files)
        if (file.path == path && !file.is_unchanged()) return false;
    return true;
}

void protect_input(const std::filesystem::path& path) {
    if (path.empty()) return;
    const auto file = FileIdentity::at(std::filesystem::absolute(path));
    if (!file) return;
    Protected& all = protected_files();
    const std::lock_guard lock(all.mutex);
    if (all.depth > 0) all.files.try_emplace({file->device, file->inode}, *file);
}

std::optional<std::filesystem::path> input_file_at(std::uint64_t device, std::uint64_t inode) {
    Protected& all = protected_files();
    const std::lock_guard lock(all.mutex);
    const auto at = all.files.find({device, inode});
    return at == all.files.end() ? std::nullopt : std::optional(at->second.path);
}

void check_output_files(const std::vector<std::filesystem::path>& paths) {
    // canonical path -> path as given
    std::map<std::filesystem::path, std::filesystem::path> targets;
    for (const std::filesystem::path& path : paths) {
        if (path.empty()) continue;
        const AtomicFile probe(path);
        std::error_code ignored;
        // Absolute: a relative name of a file that is not there yet would stay relative.
        const std::filesystem::path target =
            std::filesystem::weakly_canonical(std::filesystem::absolute(probe.target()), ignored);
        const auto [at, is_new] = targets.emplace(target, path);
        if (!is_new)
            fail(ErrorCode::io_failure,
                 quote(path.string(), 4096) + " and " + quote(at->second.string(), 4096) +
                     " are the same file: two outputs cannot be written to one");
    }
}

}  // namespace lapidary

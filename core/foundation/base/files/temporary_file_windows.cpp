// SPDX-License-Identifier: Apache-2.0
// A file that is open for writing cannot be removed here, so a file that can be removed is stale.
#include "base/files/temporary_file.h"

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>

namespace lapidary {
namespace {

// a writer closes its file shortly before it renames it, so young files are not stale
constexpr std::chrono::seconds settled{60};

}  // namespace

int open_unnamed(const std::filesystem::path&) { return -1; }

int link_unnamed(int, const std::filesystem::path&) { return ENOSYS; }

int create_locked(const std::filesystem::path& name) {
    return ::_wopen(name.c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT,
                    _S_IREAD | _S_IWRITE);
}

void remove_locked(int descriptor, const std::filesystem::path& name) {
    ::_close(descriptor);  // one that is open cannot be removed
    std::error_code ignored;
    std::filesystem::remove(name, ignored);
}

void remove_stale_temporaries(
    const std::filesystem::path& folder, std::string_view ending,
    const std::function<void(const std::filesystem::path&)>& before) noexcept {
    namespace fs = std::filesystem;
    std::error_code ended;
    for (fs::directory_iterator at(folder, ended), end; !ended && at != end; at.increment(ended)) {
        std::error_code failed;
        if (!is_temporary_name(at->path().filename().string(), ending) ||
            !at->is_regular_file(failed))
            continue;
        const auto written = at->last_write_time(failed);
        if (failed || fs::file_time_type::clock::now() - written <= settled) continue;
        if (before) before(at->path());
        fs::remove(at->path(), failed);
    }
}

}  // namespace lapidary

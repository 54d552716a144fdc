// SPDX-License-Identifier: Apache-2.0
// The temporary folder lies in the user's profile, which other users cannot read.
#include <lapidary/internal/scratch_folder.h>

#include <random>

#include <lapidary/base/error.h>
#include <lapidary/internal/file_bounds.h>

namespace lapidary {

ScratchFolder::ScratchFolder() {
    std::random_device source;
    std::error_code failed;
    for (int attempt = 0; attempt < 100; ++attempt) {
        path_ =
            std::filesystem::temp_directory_path(failed) / ("lapidary-" + std::to_string(source()));
        if (std::filesystem::create_directory(path_, failed)) return allow_scratch_folder(path_);
        if (failed) break;
    }
    fail(ErrorCode::io_failure, path_.string() + ": the folder cannot be made");
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/scratch_folder.h>

#include <cstdlib>

#include <lapidary/base/error.h>
#include <lapidary/internal/file_bounds.h>

namespace lapidary {

ScratchFolder::ScratchFolder() {
    std::error_code problem;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(problem);
    if (problem)
        fail(ErrorCode::io_failure,
             "the folder for temporary files (TMPDIR) cannot be used: " + problem.message());
    std::string name = (folder / "lapidary-XXXXXX").string();
    if (!::mkdtemp(name.data())) fail(ErrorCode::io_failure, name + ": the folder cannot be made");
    path_ = name;
    allow_scratch_folder(path_);
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace lapidary

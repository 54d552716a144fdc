// SPDX-License-Identifier: Apache-2.0
#include <lapidary/scratch_folder.h>

#include <cstdlib>

#include <lapidary/error.h>

namespace lapidary {

ScratchFolder::ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lapidary-XXXXXX").string();
    if (!::mkdtemp(name.data())) fail(ErrorCode::io_failure, name + ": the folder cannot be made");
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace lapidary

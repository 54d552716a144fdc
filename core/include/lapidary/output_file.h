// SPDX-License-Identifier: Apache-2.0
// What keeps a command from writing over what it reads.
#pragma once

#include <filesystem>
#include <vector>

namespace lapidary {

/// While one lives, every file that this process reads (models, external data, inputs, images, recipes, baselines) is
/// remembered, and everything that writes files refuses to replace one of them: by device and inode, so that symbolic and hard
/// links count too. One at a time serves a command; those inside another one add nothing.
class InputProtection {
public:
    InputProtection();
    InputProtection(const InputProtection&) = delete;
    InputProtection& operator=(const InputProtection&) = delete;
    ~InputProtection();
};

/// Remembers a file that is named as an input and read later, if there is one, while an InputProtection lives.
void protect_input(const std::filesystem::path& path);

/// Throws io_failure with the reason where one of `paths` cannot be written: its folder is missing or closed to us, it is a
/// folder, FIFO or device, a file read so far, or the same file as another one of them. Empty paths are passed over. To be
/// asked before long work; nothing is left on the disk.
void check_output_files(const std::vector<std::filesystem::path>& paths);

}  // namespace lapidary

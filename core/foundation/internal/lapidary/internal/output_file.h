// SPDX-License-Identifier: Apache-2.0
// What keeps a command from writing over what it reads.
#pragma once

#include <filesystem>
#include <vector>

namespace lapidary {

/// While one lives, input files are remembered, and everything that writes files refuses to replace
/// one of them: by device and inode, so that symbolic and hard links count too. Which: every file
/// that this process reads (models, external data, inputs, images, recipes, baselines), as a
/// command wants it, or those alone that protect_input() names, for a program that also reads again
/// what it wrote. One at a time; those inside another one add nothing.
class InputProtection {
public:
    enum class Of { all_that_is_read, named_files };
    explicit InputProtection(Of of = Of::all_that_is_read);
    InputProtection(const InputProtection&) = delete;
    InputProtection& operator=(const InputProtection&) = delete;
    ~InputProtection();

private:
    Of of_;
};

/// Remembers a file that is named as an input and read later, if there is one, while an
/// InputProtection lives.
void protect_input(const std::filesystem::path& path);

/// Throws io_failure with the reason where one of `paths` cannot be written: its folder is missing
/// or closed to us, it is a folder, FIFO or device, a file read so far, or the same file as another
/// one of them. Empty paths are passed over. To be asked before long work; nothing is left on the
/// disk.
void check_output_files(const std::vector<std::filesystem::path>& paths);

}  // namespace lapidary

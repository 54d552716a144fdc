// SPDX-License-Identifier: Apache-2.0
// Keeps a command from overwriting the files that it reads.
#pragma once

#include <filesystem>
#include <vector>

namespace lapidary {

/// While one exists, input files are remembered and every function that writes files refuses to
/// replace one of them. Files are compared by device and inode, so that symbolic and hard links
/// count too. A command protects every file that it reads (models, external data, inputs, images,
/// recipes, baselines). A program that also reads its own output protects only the files that
/// protect_input() names. Only the outermost one in a process has an effect.
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
/// one of them. Empty paths are passed over. Call it before long work. It leaves nothing on the
/// disk.
void check_output_files(const std::vector<std::filesystem::path>& paths);

}  // namespace lapidary

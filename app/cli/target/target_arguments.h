// SPDX-License-Identifier: Apache-2.0
// The arguments of a command for another machine.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/option_list.h"

namespace lapidary::cli {

/// Sends a file, a folder or a model with its external data and returns its name there.
using SendFile = std::function<std::string(const std::filesystem::path& file, bool is_model)>;

struct TargetArguments {
    std::vector<std::string> words;  // the command's name first
    /// What is called there as here: the name of a file there, and how the user wrote it.
    std::vector<std::pair<std::string, std::string>> names;
    /// Files that the command writes there into its output folder, and where they go.
    std::vector<std::pair<std::string, std::filesystem::path>> written;
};

/// The options that were given, with the names that files have on the other machine. Places of
/// programs and libraries (--onnxruntime, --peer) are taken as places there. Throws io_failure for
/// a model that does not exist, and what `send` throws.
TargetArguments target_arguments(const std::string& command, const OptionList& options,
                                 const SendFile& send);

}  // namespace lapidary::cli

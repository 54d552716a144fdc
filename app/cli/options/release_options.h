// SPDX-License-Identifier: Apache-2.0
// Which release of ONNX Runtime what is written is for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/options/option_list.h"
#include "cli/terminal.h"

namespace lapidary::cli {

struct ReleaseOptions {
    std::string version;  // "1.20"; empty: none was asked for

    /// Of `version`; nothing where none was asked for, and where --onnxruntime said it as it did
    /// before: then a program alone is for it. Throws not_supported where it is no version.
    std::optional<int> minor() const;
    /// Takes what --onnxruntime said: the version of the ONNX Runtime at a path, or, with a note
    /// that this goes, a version as --release has it. What --release says goes before it. Throws
    /// not_supported where there is none.
    void settle(Terminal& terminal);

    std::string onnxruntime;   // as given; empty: not
    bool by_old_name = false;  // `version` stood there
};

/// --release 1.N
Option& add_release(OptionList& options, ReleaseOptions& release, const std::string& help);
/// --onnxruntime PATH: the release is that one's.
Option& add_release_of_place(OptionList& options, ReleaseOptions& release);

}  // namespace lapidary::cli

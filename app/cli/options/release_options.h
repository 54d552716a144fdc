// SPDX-License-Identifier: Apache-2.0
// The release of ONNX Runtime that an exported file or program is for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/options/option_list.h"
#include "cli/terminal.h"

namespace lapidary::cli {

struct ReleaseOptions {
    std::string version;  // "1.20"; empty: not given

    /// The minor number of `version`. Empty if no version is given, or if it was given by
    /// --onnxruntime as in older releases of Lapidary, where it applied only to generated programs.
    /// Throws not_supported if it is no version.
    std::optional<int> minor() const;
    /// Applies --onnxruntime unless --release is given. Its value is the path of an ONNX Runtime,
    /// whose version is used, or a version, which is accepted with a note that this is deprecated.
    /// Throws not_supported if there is no version.
    void settle(Terminal& terminal);

    std::string onnxruntime;   // value of --onnxruntime; empty: not given
    bool by_old_name = false;  // `version` was given by --onnxruntime
};

/// "1.15 to 1.32": the releases that are known by what they read. A model for a newer one is made
/// for the last.
std::string known_releases_text();
/// --release 1.N
Option& add_release(OptionList& options, ReleaseOptions& release, const std::string& help);
/// --onnxruntime PATH: the release is that of the library there.
Option& add_release_of_place(OptionList& options, ReleaseOptions& release);

}  // namespace lapidary::cli

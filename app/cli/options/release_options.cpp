// SPDX-License-Identifier: Apache-2.0
#include "cli/options/release_options.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/export/release.h>
#include <lapidary/export/snippet.h>

#include "worker/process/engine_probe.h"

namespace lapidary::cli {
namespace {

/// True for "1.20" or "1.20.1", which is no likely name of a folder.
bool is_version(const std::string& text) {
    const auto is_part = [](unsigned char c) { return std::isdigit(c) != 0 || c == '.'; };
    return text.find('.') != std::string::npos && std::ranges::all_of(text, is_part) &&
           text.front() != '.';
}

std::string release_problem(const std::string& text) {
    const bool is_release =
        is_version(text) && text.starts_with("1.") && text.size() > 2 && text[2] != '.';
    return is_release ? std::string()
                      : "expected a release of ONNX Runtime such as 1.20, found " + quote(text);
}

}  // namespace

std::optional<int> ReleaseOptions::minor() const {
    return version.empty() || by_old_name ? std::nullopt : std::optional(release_minor(version));
}

void ReleaseOptions::settle(Terminal& terminal) {
    if (onnxruntime.empty() || !version.empty()) return;
    if (is_version(onnxruntime)) {
        version = onnxruntime;
        by_old_name = true;
        const std::string release = onnxruntime.substr(0, onnxruntime.find('.', 2));
        const std::vector<std::string> known = known_onnxruntime_versions();
        // an unknown release is reported elsewhere
        if (std::ranges::find(known, release) == known.end()) return;
        terminal.note(fmt::format(
            "--onnxruntime {0} is taken as --release {0}; from the next version on --onnxruntime "
            "is a path here too",
            version));
        return;
    }
    const auto found = app::probe_onnxruntimes(onnxruntime);
    if (found.empty() || !found.front().unusable.empty())
        fail_unsupported(fmt::format("--onnxruntime: {} cannot be asked for its version{}{}",
                                     quote(onnxruntime), found.empty() ? "" : ": ",
                                     found.empty() ? "" : found.front().unusable));
    version = found.front().version.substr(0, found.front().version.find('.', 2));
}

std::string known_releases_text() {
    const auto known = runtime_releases();
    return fmt::format("1.{} to 1.{}", known.front().minor, known.back().minor);
}

Option& add_release(OptionList& options, ReleaseOptions& release, const std::string& help) {
    return options.value("--release", "1.N", release.version, help)
        .checked_by(release_problem)
        .suggest({.words = known_onnxruntime_versions()});
}

Option& add_release_of_place(OptionList& options, ReleaseOptions& release) {
    return options
        .value("--onnxruntime", "PATH", release.onnxruntime,
               "The ONNX Runtime whose release that is: its library, or a folder or Python "
               "interpreter that has it")
        .suggest({.files = true, .folders = true});
}

}  // namespace lapidary::cli

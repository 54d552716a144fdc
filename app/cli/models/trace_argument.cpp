// SPDX-License-Identifier: Apache-2.0
#include "cli/models/trace_argument.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "cli/exit_code.h"

namespace lapidary::cli {

bool is_trace(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension == ".json";
}

void refuse_run_options(const OptionList& options, const std::filesystem::path& trace) {
    constexpr std::array<std::string_view, 6> sensible{"model",    "--of",   "--output",
                                                       "--format", "--json", "--quiet"};
    for (const Option& option : options.all()) {
        const std::string& name = option.info().name();
        if (!option.is_given() || std::ranges::find(sensible, name) != sensible.end()) continue;
        throw UsageError(
            fmt::format("{} needs a model to run, and {} is a trace, a recording that is shown as "
                        "it is; expected an ONNX model",
                        name, trace.filename().string()));
    }
}

}  // namespace lapidary::cli

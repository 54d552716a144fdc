// SPDX-License-Identifier: Apache-2.0
#include "cli/options/output_options.h"

namespace lapidary::cli {

Option& add_json(OptionList& options, bool& json) {
    return options.flag(
        "--json", json,
        "Print the result as JSON, NaN and infinities as strings; errors as an object on stderr");
}

Option& add_quiet(OptionList& options, bool& quiet) {
    return options.flag("-q,--quiet", quiet, "No progress and no notes on stderr, errors alone");
}

Option& add_output(OptionList& options, const std::string& value_name, std::filesystem::path& file,
                   const std::vector<std::string>& extensions, const std::string& help) {
    return options.value("-o,--output", value_name, file, help).suggest_files(extensions);
}

}  // namespace lapidary::cli

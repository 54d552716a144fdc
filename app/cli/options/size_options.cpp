// SPDX-License-Identifier: Apache-2.0
#include "cli/options/size_options.h"

#include <charconv>

#include "cli/options/value_checks.h"
#include "cli/exit_code.h"

namespace lapidary::cli {
namespace {

std::map<std::string, std::int64_t> parse_sizes(const std::vector<std::string>& texts) {
    std::map<std::string, std::int64_t> sizes;
    for (const std::string& text : texts) {
        const auto [name, number] = split_assignment("--dim", text, true);
        std::int64_t size = 0;
        const auto [end, status] =
            std::from_chars(number.data(), number.data() + number.size(), size);
        if (status != std::errc() || end != number.data() + number.size() || size < 0)
            throw UsageError("--dim: expected NAME=N with a number from 0 on, found \"" + text +
                             '"');
        sizes[name] = size;
    }
    return sizes;
}

}  // namespace

Option& add_dimensions(OptionList& options, std::map<std::string, std::int64_t>& sizes,
                       const std::string& help) {
    return options
        .take_all(
            "--dim", "NAME=N",
            [&sizes](const std::vector<std::string>& texts) { sizes = parse_sizes(texts); }, help)
        .repeatable();
}

Option& add_batches(OptionList& options, std::vector<std::int64_t>& batches,
                    const std::string& help) {
    return options.value("--batch", "N,...", batches, help).separated_by_commas().positive();
}

}  // namespace lapidary::cli

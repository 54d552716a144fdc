// SPDX-License-Identifier: Apache-2.0
#include "cli/options/target_option.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "worker/remote/target.h"

namespace lapidary::cli {
namespace {

constexpr const char* target_option = "--on";

}  // namespace

Option& add_target(OptionList& options) {
    return options
        .take(
            target_option, "HOST", [](const std::string&) {},
            "Run on another machine that ssh reaches without a password: user@host, or "
            "user@host:path where its cache is to lie")
        .checked_by([](const std::string& text) {
            try {
                app::read_target(text);
                return std::string();
            } catch (const Error& error) { return error.message(); }
        });
}

std::string target_of(const OptionList& options) {
    const auto at = std::ranges::find_if(
        options.all(), [](const Option& option) { return option.info().name() == target_option; });
    if (at == options.all().end() || !at->is_given()) return {};
    return at->values().back();
}

}  // namespace lapidary::cli

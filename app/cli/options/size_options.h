// SPDX-License-Identifier: Apache-2.0
// Options for the sizes of a model's symbolic dimensions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/options/option_list.h"

namespace lapidary::cli {

/// --dim NAME=N, by the dimension's name.
Option& add_dimensions(OptionList& options, std::map<std::string, std::int64_t>& sizes,
                       const std::string& help = "Size of a symbolic dimension; may be repeated");

/// --batch N,...
Option& add_batches(OptionList& options, std::vector<std::int64_t>& batches,
                    const std::string& help);

}  // namespace lapidary::cli

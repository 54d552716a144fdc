// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace lapidary::cli {

/// A mistake on the command line: exit code 2. Commands throw it too, for mistakes that show only
/// when the model is known.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace lapidary::cli

// SPDX-License-Identifier: Apache-2.0
// Exit codes of lapidary-cli, and the error that stands for a wrong command line.
#pragma once

#include <stdexcept>

namespace lapidary::cli {

enum ExitCode {
    exit_fine = 0,
    exit_check_failed = 1,
    exit_usage = 2,
    exit_bad_input = 3,  // bad model, input or file, or a limit is exceeded
    exit_not_supported = 4,
    exit_cancelled = 5,
    exit_internal = 6,   // a bug
    exit_unresolved = 7  // a gate is undecided: neither passed nor failed
};

/// A mistake on the command line: exit_usage. Commands also throw it for mistakes that show only
/// when the model is known.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace lapidary::cli

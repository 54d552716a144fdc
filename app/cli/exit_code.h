// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary::cli {

enum ExitCode {
    exit_fine = 0,
    exit_check_failed = 1,
    exit_usage = 2,
    exit_bad_input = 3,  // bad model, input, file, or a limit would be passed
    exit_not_supported = 4,
    exit_cancelled = 5,
    exit_internal = 6,   // a bug
    exit_unresolved = 7  // a gate is undecided: neither passed nor failed
};

}  // namespace lapidary::cli

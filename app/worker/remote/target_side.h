// SPDX-License-Identifier: Apache-2.0
// What a worker has when a program on another machine speaks with it.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>

namespace lapidary::app {

struct TargetSide {
    std::filesystem::path cache;  // of a FileStore
    std::string version, commit;  // of this program
    // has lapidary-cli run a command, `arguments` without the program's name; returns its exit code
    std::function<int(const std::vector<std::string>& arguments, std::ostream& out,
                      std::ostream& err, const Progress& progress)>
        run_command = {};
};

/// To be called before the first job.
void set_target_side(TargetSide side);

/// Throws invalid_input where this worker serves a program on its own machine.
const TargetSide& target_side();

}  // namespace lapidary::app

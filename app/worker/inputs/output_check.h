// SPDX-License-Identifier: Apache-2.0
// Compares outputs of a run with outputs that were recorded elsewhere.
#pragma once

#include <string>
#include <vector>

#include <lapidary/proof/compare.h>

namespace lapidary::app {

struct CheckedOutput {
    std::string name;  // name of an output, or of an array of an output
    std::string type;
    lapidary::Comparison comparison;  // qualified: the window has a class of that name too
};

struct OutputCheck {
    std::vector<CheckedOutput> verdicts;
    std::vector<std::string> unchecked;  // outputs without a recorded value
    /// Number of outputs that differ from the recorded ones.
    std::size_t differing() const {
        std::size_t count = 0;
        for (const CheckedOutput& v : verdicts) count += v.comparison.matches ? 0 : 1;
        return count;
    }
    bool passes() const { return differing() == 0; }
};

/// `expected`: by output, or by array of an output as in value_archive.h. Throws invalid_input for
/// a recorded value that belongs to no output, and if there is none at all.
OutputCheck check_outputs(const NamedValues& outputs, const NamedValues& expected,
                          const Tolerance& tolerance);

}  // namespace lapidary::app

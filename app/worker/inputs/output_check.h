// SPDX-License-Identifier: Apache-2.0
// Outputs of a run against outputs that were recorded elsewhere.
#pragma once

#include <string>
#include <vector>

#include <lapidary/proof/compare.h>

namespace lapidary::app {

struct CheckedOutput {
    std::string name;  // output, or array of an output
    std::string type;
    lapidary::Comparison comparison;  // the window has a class of that name too
};

struct OutputCheck {
    std::vector<CheckedOutput> verdicts;
    std::vector<std::string> unchecked;  // outputs without reference
    /// How many differ from what was recorded.
    std::size_t differing() const {
        std::size_t count = 0;
        for (const CheckedOutput& v : verdicts) count += v.comparison.matches ? 0 : 1;
        return count;
    }
    bool passes() const { return differing() == 0; }
};

/// `expected`: by output, or by array of an output as value_archive.h has them. Throws
/// invalid_input for a reference of no output and where there is none at all.
OutputCheck check_outputs(const NamedValues& outputs, const NamedValues& expected,
                          const Tolerance& tolerance);

}  // namespace lapidary::app

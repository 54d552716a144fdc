// SPDX-License-Identifier: Apache-2.0
// How the times of operators change with the number of threads.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <lapidary/profile/profile.h>
#include <lapidary/bench/sweep.h>

namespace lapidary {

/// Collects times of operators by threads, run by run.
class OperatorTimes {
public:
    /// Adds one recorded run.
    void add(int threads, const Profile& profile);
    /// Sorted by time at the fewest threads, longest first. Empty: fewer than two numbers of
    /// threads were measured.
    std::vector<OperatorScaling> scaling() const;

private:
    std::map<std::string, std::map<int, std::vector<double>>> ms_;  // operator, threads: per run
    std::map<int, std::size_t> runs_;
};

}  // namespace lapidary

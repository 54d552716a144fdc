// SPDX-License-Identifier: Apache-2.0
// How the operators of a model take more threads.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <lapidary/profile/profile.h>
#include <lapidary/bench/sweep.h>

namespace lapidary {

/// Times of operators by threads, gathered run by run.
class OperatorTimes {
public:
    /// One recorded run.
    void add(int threads, const Profile& profile);
    /// Dearest at the fewest threads first; empty with fewer than two numbers of threads.
    std::vector<OperatorScaling> scaling() const;

private:
    std::map<std::string, std::map<int, std::vector<double>>> ms_;  // operator, threads: per run
    std::map<int, std::size_t> runs_;
};

}  // namespace lapidary

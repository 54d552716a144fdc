// SPDX-License-Identifier: Apache-2.0
// Settings of a session's threads: their processors, and whether denormal numbers count as zero.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/threads/thread_affinity.h"

namespace lapidary {

struct ThreadSetup {
    // of worker 1, 2 ...: numbers from 0; empty: anywhere
    std::vector<std::vector<int>> processors;
    bool denormal_as_zero = false;
};

/// ONNX Runtime's spelling for the workers beside the calling thread: ";" between workers, each
/// processors from 1 on as numbers and ranges ("1,3;5-7"). Throws invalid_input when it is none,
/// has another number of workers than threads - 1, or names a processor that this process may not
/// use.
std::vector<std::vector<int>> parse_affinities(std::string_view text, int threads);

/// Sets whether denormal numbers count as zero on the calling thread until destruction.
class DenormalMode {
public:
    explicit DenormalMode(bool as_zero);
    DenormalMode(const DenormalMode&) = delete;
    DenormalMode& operator=(const DenormalMode&) = delete;
    ~DenormalMode();

private:
    std::uint64_t before_;  // mode of the floating-point unit
};

/// Applies a setup to the calling thread until destruction. Worker 0 is the thread that called
/// run(): it stays where it is.
class SetUpThread {
public:
    SetUpThread(const ThreadSetup& setup, int worker);
    SetUpThread(const SetUpThread&) = delete;
    SetUpThread& operator=(const SetUpThread&) = delete;
    ~SetUpThread();

private:
    std::optional<DenormalMode> denormals_;
    bool sets_affinity_ = false;
    ProcessorSet processors_;  // before
};

}  // namespace lapidary

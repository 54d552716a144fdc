// SPDX-License-Identifier: Apache-2.0
// The memory of this process as the system counts it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>

namespace lapidary {

/// Bytes resident in memory, by where they come from.
struct CountedMemory {
    std::uint64_t own = 0;  // memory of the process itself (Linux: RssAnon + RssShmem)
    /// pages of mapped files, program code included: the system may drop them (Linux: RssFile)
    std::uint64_t files = 0;
};

/// Of this process. Empty where the system does not count the two apart.
std::optional<CountedMemory> counted_memory();

/// Switches large pages off for this process (Linux: PR_SET_THP_DISABLE), so that only memory that
/// was touched is counted. False where the system cannot do that.
bool use_usual_pages() noexcept;

/// The most of CountedMemory::own from its construction on, or from begin_again(). A background
/// thread samples it several thousand times a second. A caller that knows a moment that must not be
/// missed calls look().
class CountedPeak {
public:
    CountedPeak();  // begins to count
    CountedPeak(const CountedPeak&) = delete;
    CountedPeak& operator=(const CountedPeak&) = delete;
    ~CountedPeak();

    /// From any thread.
    void look();
    /// Forgets the peak.
    void begin_again();
    /// The peak so far, with the pages of files at that moment. Zeros if the system does not
    /// say.
    CountedMemory most() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Memory of a process that opens a model, runs it a few times and does nothing else, at some
/// moments.
struct MeasuredProcess {
    CountedMemory program;   // before it opened the model
    CountedMemory loading;   // the most until the session was ready
    CountedMemory compiled;  // the session is ready, no run began
    CountedMemory peak;      // the most of CountedMemory::own while it ran
};

/// JSON, in one line.
std::string measured_process_text(const MeasuredProcess& measured);
/// Starts such a process and reads the measured_process_text() that it prints. Throws not_supported
/// with the process's own message when it fails, io_failure when it cannot be started, and
/// cancelled.
MeasuredProcess measure_process(const std::vector<std::string>& command,
                                const CancelToken& cancel = {});

}  // namespace lapidary

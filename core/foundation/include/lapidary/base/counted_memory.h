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

/// Bytes that lie in memory, by whose they are.
struct CountedMemory {
    std::uint64_t own = 0;  // no file's: they go with the process (Linux: RssAnon + RssShmem)
    /// of mapped files, programs among them: the system may take them back (Linux: RssFile)
    std::uint64_t files = 0;
};

/// Of this process; nothing where the system does not distinguish the two.
std::optional<CountedMemory> counted_memory();

/// Asks the system for pages of the usual size alone from now on (Linux: PR_SET_THP_DISABLE), so
/// that a page counts where it was touched. False where the system knows no such wish.
bool use_usual_pages() noexcept;

/// The most of CountedMemory::own from its construction on, or from begin_again(). A thread of its
/// own looks several thousand times a second; who knows a moment that must not be missed calls
/// look().
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
/// Starts such a process, which prints measured_process_text(), and reads that. Throws
/// not_supported with its words where it fails, io_failure where it cannot be started, cancelled.
MeasuredProcess measure_process(const std::vector<std::string>& command,
                                const CancelToken& cancel = {});

}  // namespace lapidary

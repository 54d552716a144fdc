// SPDX-License-Identifier: Apache-2.0
// Replays runs. What a queue is called for between two waits is a section. One that comes a second
// time, with the same kernels, shapes, addresses and numbers read on the host, is captured and from
// then on replayed as a whole: a graph of the device, launched at once. To find that out, calls
// that begin like a kept section are put off until they differ (then those put off are queued one
// by one) or the program waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "node_call.h"
#include "runtime.h"

namespace lapidary::cuda {

class RunReplay {
public:
    RunReplay(runtime::Stream& stream, bool is_on) : stream_(stream), is_on_(is_on) {}

    /// Queues the run's work, now or at the next flush(). Throws what the kernel throws.
    void run(const std::shared_ptr<const KernelOfNode>& kernel, LpDeviceRun& run);
    using Call = std::shared_ptr<NodeCall>;
    using Calls = std::vector<Call>;
    /// The newest calls of run(), all since the newest wait; empty: so many are not kept.
    Calls newest(std::size_t count) const;
    /// run() for each of them, with everything as it was, in memory that stays until the next wait.
    void run_again(const Calls& calls);
    /// Queues what was put off. Before every wait.
    void flush();
    /// flush(). From here to end_wait() a thread waits for the stream, which cannot be captured
    /// meanwhile. Returns the number to pass to end_wait().
    std::uint64_t begin_wait();
    /// All that was queued before begin_wait() is done.
    void end_wait(std::uint64_t mark, bool is_done);
    /// A call that is put off, or queued and not known to be done, reads or writes a part of it.
    bool touches(const char* begin, std::uint64_t bytes) const;
    /// How runs were played, as a sentence without a full stop.
    std::string summary() const;

    static constexpr std::size_t least_calls = 2, most_calls = 8192, most_sections = 8;

private:
    struct Section {
        Calls calls;
        std::unique_ptr<runtime::Recording> recording;
        std::string failure;  // why it cannot be captured
        std::uint64_t used = 0;
    };

    bool is_put_off(const KernelOfNode& kernel, LpDeviceRun& run,
                    std::vector<NodeCall::Grant>& grants);
    void play_put_off();
    void play(NodeCall& call, LpDeviceRun* run);
    void play_untimed(NodeCall& call, LpDeviceRun* run);
    void replay(Section& section);
    void capture(Section& section);
    void keep_section();
    void begin_section();

    runtime::Stream& stream_;
    const bool is_on_;
    std::vector<std::unique_ptr<Section>> sections_;
    // sections that begin as this one did so far; empty: calls are not put off
    std::vector<Section*> alike_;
    Calls calls_;              // of this section
    std::size_t played_ = 0;   // of them; the others are put off
    std::deque<Call> queued_;  // of sections before, not known to be done
    std::uint64_t done_ = 0;   // calls that are
    HeldMemory held_;          // of calls that are put off
    int waiting_ = 0;          // threads
    // reported_: replays whose time is known
    std::uint64_t clock_ = 0, replays_ = 0, plays_ = 0, reported_ = 0;
    std::uint64_t agains_ = 0;     // run_again()
    std::uint64_t moves_ = 0;      // of plays_: a kept section is the same but for addresses
    std::int64_t fastest_ns_ = 0;  // replay of the largest graph
    bool is_largest_ = false;      // the newest replay is of it
    std::string reason_;           // why the newest section was played
};

}  // namespace lapidary::cuda

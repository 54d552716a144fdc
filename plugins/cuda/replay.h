// SPDX-License-Identifier: Apache-2.0
// Replays runs. The calls on a queue between two waits are a section. When a section comes a second
// time, with the same kernels, shapes, addresses and numbers read on the host, it is captured as a
// graph of the device; from then on the whole section is replayed with one launch. To recognize
// sections, calls that begin like a kept one are deferred until they differ (then they are queued
// one by one) or the program waits.
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
    /// The newest `count` calls of run() since the last wait; empty where not so many are kept.
    Calls newest(std::size_t count) const;
    /// Repeats run() for each call with the same inputs and memory, which is kept until the next
    /// wait.
    void run_again(const Calls& calls);
    /// Queues deferred calls. Call before every wait.
    void flush();
    /// Calls flush(). From here to end_wait() a thread waits for the stream, which cannot be
    /// captured meanwhile. Returns the number to pass to end_wait().
    std::uint64_t begin_wait();
    /// All that was queued before begin_wait() is done.
    void end_wait(std::uint64_t mark, bool is_done);
    /// True where a call that is deferred, or queued and not known to be done, reads or writes a
    /// part of this memory.
    bool touches(const char* begin, std::uint64_t bytes) const;
    /// How runs were carried out, as a phrase for a note.
    std::string summary() const;

    static constexpr std::size_t least_calls = 2, most_calls = 8192, most_sections = 8;

private:
    struct Section {
        Calls calls;
        std::unique_ptr<runtime::Recording> recording;
        std::string failure;  // why it cannot be captured
        std::uint64_t used = 0;
    };

    bool is_deferred(const KernelOfNode& kernel, LpDeviceRun& run,
                     std::vector<NodeCall::Grant>& grants);
    void queue_deferred();
    void play(NodeCall& call, LpDeviceRun* run);
    void play_untimed(NodeCall& call, LpDeviceRun* run);
    void replay(Section& section);
    void capture(Section& section);
    void keep_section();
    void begin_section();

    runtime::Stream& stream_;
    const bool is_on_;
    std::vector<std::unique_ptr<Section>> sections_;
    // kept sections that begin like the current one; empty: calls are not deferred
    std::vector<Section*> alike_;
    Calls calls_;              // of the current section
    std::size_t played_ = 0;   // how many of calls_ are queued; the others are deferred
    std::deque<Call> queued_;  // of earlier sections, not known to be done
    std::uint64_t done_ = 0;   // calls known to be done
    HeldMemory held_;          // of deferred calls
    int waiting_ = 0;          // threads
    // reported_: replays whose time is known
    std::uint64_t clock_ = 0, replays_ = 0, plays_ = 0, reported_ = 0;
    std::uint64_t agains_ = 0;  // run_again()
    std::uint64_t moves_ = 0;   // of plays_: those where a kept section differs only by addresses
    std::int64_t fastest_ns_ = 0;  // fastest replay of the largest graph
    bool is_largest_ = false;      // the newest replay is of the largest graph
    std::string reason_;           // why the newest section was not replayed
};

}  // namespace lapidary::cuda

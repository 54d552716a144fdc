// SPDX-License-Identifier: Apache-2.0
// Two runs at the same time, of which B waits for the values of A. A value that both have is looked
// at when B has it, while A stands still at it; a copy is kept only where B comes to it later than
// to others.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/exec/session.h>
#include <lapidary/exec/step_observer.h>

#include "inspect/match_values.h"

namespace lapidary {

/// A value that a node of B has just written, and its counterpart.
struct MetValue {
    std::size_t pair;          // of MatchedValues::pairs()
    const RuntimeValue& in_a;  // valid during the call
    ObservedGraph& graph_b;    // one of whose nodes has just run
    ValueId id_b;              // what it wrote: on a device, before the copy that may have the name
};

class Lockstep {
public:
    using Meet = std::function<void(const MetValue&)>;

    /// `meet` is called on the thread that calls run(), in the order of B. All outlive it.
    Lockstep(const MatchedValues& values, Meet meet) : values_(values), meet_(std::move(meet)) {}
    Lockstep(const Lockstep&) = delete;

    /// Runs each session once. Throws what a run throws, the first error of A first.
    void run(Session& a, const NamedValues& inputs_a, Session& b, const NamedValues& inputs_b,
             const Progress& progress);
    /// The most bytes of copies that were kept at a time.
    std::uint64_t most_kept() const { return most_kept_; }

private:
    using Key = std::pair<std::size_t, std::vector<std::int64_t>>;  // pair, iterations
    class ObserverA;
    class ObserverB;

    /// From A: waits until B has taken the value, or puts a copy down where B waits for another.
    void offer(const Key& key, const RuntimeValue& value);
    /// From B: calls `use` with the value of A. Nothing where A ends without it.
    void take(const Key& key, const std::function<void(const RuntimeValue&)>& use);
    void end_a();
    void end_b();

    const MatchedValues& values_;
    const Meet meet_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<Key, RuntimeValue> put_down_;
    const Key* wanted_ = nullptr;   // that B waits for; null: B runs
    const Key* offered_ = nullptr;  // that A stands still at; null: A runs
    const RuntimeValue* offered_value_ = nullptr;
    bool is_a_done_ = false, is_b_done_ = false;
    std::uint64_t kept_ = 0, most_kept_ = 0;  // bytes of put_down_
};

/// Bytes of a value's tensors.
std::uint64_t bytes_of(const RuntimeValue& value);

/// A copy that owns its storage.
RuntimeValue owned_copy(const RuntimeValue& value);

}  // namespace lapidary

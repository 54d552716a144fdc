// SPDX-License-Identifier: Apache-2.0
// The one door to threads of the system: no thread outlives its owner, and one that the system
// refuses is an Error.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <thread>
#include <vector>

namespace lapidary {

/// Threads that are asked to end and then joined: at destruction, and if the system refuses one of
/// several. A member of this type belongs behind everything that its threads use. start() and
/// join() are for one thread.
class JoinedThreads {
public:
    /// `stop`: makes threads end that would not do so by themselves; called before each join of
    /// running threads. Throws nothing.
    explicit JoinedThreads(std::function<void()> stop = {}) : stop_(std::move(stop)) {}
    JoinedThreads(const JoinedThreads&) = delete;
    JoinedThreads& operator=(const JoinedThreads&) = delete;
    ~JoinedThreads() { end(); }

    /// Runs body(0) to body(count - 1), each on a thread of its own, beside those that were started
    /// before. A body that throws ends the process. `what` they are ("inter-op threads") is for the
    /// message. Throws Error{limit_exceeded} with how many threads were asked for and how many the
    /// system gave, once all threads of this object have ended.
    void start(int count, std::string_view what, const std::function<void(int)>& body);
    /// Waits for threads that end by themselves.
    void join();
    /// Tells the threads to end and waits for them.
    void end();

private:
    std::function<void()> stop_;
    std::vector<std::thread> threads_;
};

}  // namespace lapidary

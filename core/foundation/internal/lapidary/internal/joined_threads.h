// SPDX-License-Identifier: Apache-2.0
// All threads of the program are started here: no thread outlives its owner, and a thread that the
// system refuses becomes an Error.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <thread>
#include <vector>

namespace lapidary {

/// Threads that are asked to end and then joined: at destruction, and if the system refuses one of
/// several. Declare a member of this type after everything that its threads use. Only one thread
/// may call start() and join().
class JoinedThreads {
public:
    /// `stop` makes threads end that would not end by themselves. It is called before each join of
    /// running threads and must not throw.
    explicit JoinedThreads(std::function<void()> stop = {}) : stop_(std::move(stop)) {}
    JoinedThreads(const JoinedThreads&) = delete;
    JoinedThreads& operator=(const JoinedThreads&) = delete;
    ~JoinedThreads() { end(); }

    /// Runs body(0) to body(count - 1), each on a new thread, beside the threads that were started
    /// before. A body that throws ends the process. `what` they are ("inter-op threads") is for the
    /// message. Throws Error{limit_exceeded} with how many threads were asked for and how many the
    /// system gave, once all threads of this object have ended.
    void start(int count, std::string_view what, const std::function<void(int)>& body);
    /// Waits for threads that end by themselves.
    void join();
    /// Asks the threads to end and waits for them.
    void end();

private:
    std::function<void()> stop_;
    std::vector<std::thread> threads_;
};

}  // namespace lapidary

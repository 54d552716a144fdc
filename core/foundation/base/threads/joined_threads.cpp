// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/joined_threads.h>

#include <new>
#include <string>
#include <system_error>

#include <lapidary/base/error.h>

namespace lapidary {

void JoinedThreads::start(int count, std::string_view what, const std::function<void(int)>& body) {
    for (int number = 0; number < count; ++number) {
        std::string why;
        try {
            // reserves first, so that a started thread can always be stored
            threads_.reserve(threads_.size() + 1);
            threads_.emplace_back(body, number);
            continue;
        } catch (const std::system_error& problem) {
            why = problem.code().message();
        } catch (const std::bad_alloc&) { why = "out of memory"; }
        end();
        fail_limit("the system refused a thread: asked for " + std::to_string(count) + ' ' +
                   std::string(what) + ", got " + std::to_string(number) + " (" + why + ')');
    }
}

void JoinedThreads::join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

void JoinedThreads::end() {
    if (!threads_.empty() && stop_) stop_();
    join();
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// Starts programs on Windows with their standard streams on pipes. For Windows alone.
#pragma once

#include <string>
#include <vector>

namespace lapidary {

/// A pipe with one end (HANDLE) for this program and one for a child.
class ChildPipe {
public:
    /// Throws Error{io_failure} where the system has none.
    explicit ChildPipe(bool child_reads);
    ChildPipe(const ChildPipe&) = delete;
    ChildPipe& operator=(const ChildPipe&) = delete;
    /// Closes both ends, but for one that was taken.
    ~ChildPipe();

    /// This program's end, which the caller closes from now on.
    void* take();
    /// The child's.
    void* childs_end() const { return theirs_; }

private:
    void *ours_ = nullptr, *theirs_ = nullptr;
};

struct StartedChild {
    void *process = nullptr, *thread = nullptr;  // HANDLEs that the caller closes
    unsigned long id = 0;
};

/// The child inherits these three ends and no other handle of this program. Otherwise it would keep
/// a pipe of another child, started at the same time, open after that child ends. `flags` are those
/// of CreateProcess(). Throws Error{io_failure} naming the program.
StartedChild start_child(const std::vector<std::string>& command, const ChildPipe& input,
                         const ChildPipe& output, const ChildPipe& errors, unsigned long flags);

/// The system's message for the calling thread's last error.
std::string last_error_words();

}  // namespace lapidary

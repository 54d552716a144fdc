// SPDX-License-Identifier: Apache-2.0
// Processes by their numbers: this one and others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lapidary::app {

long this_process();
/// The process that started this one; another where that is gone, 0 where the system does not tell.
long parent_process();

/// When a process started, in ticks of the system since the boot; nothing for one that is gone, and
/// where the system does not tell. One that has ended and whose parent has not asked yet counts as
/// gone.
std::optional<std::uint64_t> process_start(std::int64_t process);

/// Whether there is a process of that number, somebody else's too; false where the system does not
/// tell.
bool is_process(std::int64_t process);

/// Differs from one start of the machine to the next; empty where the system does not tell.
std::string boot_name();

/// Ends this process where it still runs after so many seconds; was_ended_by_time() knows it by
/// WorkerProcess::wait_for_end().
void end_process_after(unsigned seconds);
bool was_ended_by_time(const std::string& end);

}  // namespace lapidary::app

// SPDX-License-Identifier: Apache-2.0
// Processes by their ids: this one and others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lapidary::app {

long this_process();
/// The process that started this one, or the one that adopted it; 0 if the system does not say.
long parent_process();

/// When a process started, in ticks of the system since boot. Empty if it is gone or the system
/// does not say. A process that has ended but was not yet waited for counts as gone.
std::optional<std::uint64_t> process_start(std::int64_t process);

/// True if there is a process with that id, of any user; false if the system does not say.
bool is_process(std::int64_t process);

/// Differs after each boot of the machine; empty if the system does not say.
std::string boot_name();

/// Ends this process if it still runs after so many seconds. was_ended_by_time() recognizes that in
/// the text of WorkerProcess::wait_for_end().
void end_process_after(unsigned seconds);
bool was_ended_by_time(const std::string& end);

}  // namespace lapidary::app

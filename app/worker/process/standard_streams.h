// SPDX-License-Identifier: Apache-2.0
// The standard streams of a program as descriptors, by which a worker process communicates.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string_view>

namespace lapidary::app {

/// Waits up to `longest`. True if there are bytes to read, or the stream has ended.
bool has_input(int descriptor, std::chrono::milliseconds longest);
/// Waits for bytes and returns their number; 0 at the end of the stream.
std::size_t read_some(int descriptor, std::span<char> buffer);
/// False if the reader is gone.
bool write_all(int descriptor, std::string_view text);
/// False if the other end of a pipe or socket is closed. True if the system does not say.
bool has_reader(int descriptor);

/// Returns a descriptor of standard output that no child inherits. Everything else that is printed
/// goes to standard error from now on. Throws Error{io_failure} with the system's reason.
int claim_standard_output();

}  // namespace lapidary::app

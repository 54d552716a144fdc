// SPDX-License-Identifier: Apache-2.0
// The streams that a program was started with, as descriptors: what a worker process is spoken to
// through.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string_view>

namespace lapidary::app {

/// Whether there are bytes to read, or the end of the stream, waiting so long for them.
bool has_input(int descriptor, std::chrono::milliseconds longest);
/// Waits for some bytes; the number that came, 0 at the end of the stream.
std::size_t read_some(int descriptor, std::span<char> buffer);
/// False where nobody reads any more.
bool write_all(int descriptor, std::string_view text);
/// Whether somebody may read what is written: of a pipe or socket, that its other end is open. True
/// where the system does not tell.
bool has_reader(int descriptor);

/// A descriptor of what standard output was, which no child inherits; what anything else prints
/// goes to the standard errors from now on. Throws Error{io_failure} with the system's reason.
int claim_standard_output();

}  // namespace lapidary::app

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lapidary/error.h>

namespace lapidary {

/// The exception in flight as an Error that people can read; to be called inside `catch (...)` at the boundary of a
/// job. `doing` says what was being done: "running \"net.onnx\"". An Error comes back as it is. What the system refuses
/// (memory, threads, files) is limit_exceeded or io_failure with the system's reason; what is left is a bug: internal,
/// and no text of a library.
Error error_in_flight(const std::string& doing);

}  // namespace lapidary

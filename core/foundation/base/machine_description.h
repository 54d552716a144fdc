// SPDX-License-Identifier: Apache-2.0
// The names of the machine and of the operating system.
#pragma once

#include <cstdint>
#include <string>

namespace lapidary {

/// "AMD EPYC 9R14"; if the system does not name the processor, "x86_64", else "unknown".
std::string cpu_name();
/// With its version: "Linux 6.1.0-18-amd64"; empty if the system does not say.
std::string operating_system();
/// Bytes of installed memory.
std::uint64_t installed_memory();

}  // namespace lapidary

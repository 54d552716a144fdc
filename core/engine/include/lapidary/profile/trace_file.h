// SPDX-License-Identifier: Apache-2.0
// Recordings read from files, with who made them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include <lapidary/profile/profile.h>

namespace lapidary {

/// Which program wrote the events.
enum class TraceSource : std::uint8_t { lapidary, onnxruntime, other };
/// "Lapidary", "ONNX Runtime", "another program".
std::string_view name_of(TraceSource source);

/// A recording and who made it.
struct LoadedTrace {
    Profile profile;                          // peak_bytes and weight_bytes 0: not known
    TraceSource source = TraceSource::other;  // by what only it writes
};
/// load_chrome_trace(), with the program that the events are of. Throws what it throws.
LoadedTrace load_trace(const std::filesystem::path& path, const CancelToken& cancel = {});

}  // namespace lapidary

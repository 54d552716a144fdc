// SPDX-License-Identifier: Apache-2.0
// The memory of a process that runs a model, as text and JSON, the same in all
// commands.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include <lapidary/base/counted_memory.h>
#include <lapidary/cost/memory_report.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// Prints the parts of the memory, one per line, and the measured sizes if there are any.
/// `conditions`: "level all, threads: 2".
void print_process(std::ostream& out, const MemoryReport& report, const std::string& conditions,
                   const std::optional<MeasuredProcess>& measured = {});
Json process_json(const ProcessMemory& process);
/// The planned memory of a process that runs the model in such a session. Empty if devices take
/// part, whose memory is separate, or if the model's sizes are not known.
std::optional<ProcessMemory> process_of(const ModelPtr& model, const SessionOptions& options,
                                        const NamedValues& inputs, const Progress& progress);
Json measured_json(const MeasuredProcess& measured);

/// "+1.5 MB", "-" where it is the same.
std::string byte_difference_text(std::uint64_t before, std::uint64_t after);

}  // namespace lapidary::cli

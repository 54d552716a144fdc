// SPDX-License-Identifier: Apache-2.0
// A run as bytes: profile, plan, inputs and outputs. Models are not sent: the reader has the model
// that ran and makes the executed one from it, with the same ids (lapidary/exec/executed_model.h).
#pragma once

#include <lapidary/internal/shared_memory.h>

#include "worker/protocol/byte_stream.h"
#include "worker/protocol/executed_copies.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

/// Writes the record into a new block of shared memory. Throws limit_exceeded if there is no room.
SharedMemory run_record_block(const RunRecord& record);

/// A record as read, without its models and summary.
struct ReceivedRun {
    RunRecord record;
    std::vector<ExecutedCopy> copies;  // copying steps of the executed graph
    std::uint64_t graph = 0;           // fingerprint of the executed graph, with its copies
};
/// Throws io_failure for bytes that are not a record.
ReceivedRun read_run_record(ByteReader& in);
/// Adds what was not sent, from the model as its recipe makes it. Throws internal if the graph that
/// this process makes differs from the one that ran.
RunRecord complete_run_record(ReceivedRun run, const ModelSource& source,
                              const RunSettings& settings, const Progress& progress);

/// Options of the session that runs `settings` and records a profile, on the CPU.
SessionOptions session_options(const RunSettings& settings, const SessionPasses& passes);

}  // namespace lapidary::app

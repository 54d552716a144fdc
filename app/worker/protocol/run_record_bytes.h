// SPDX-License-Identifier: Apache-2.0
// A run in a block of memory: recording, plan, inputs and outputs. Models stay where they are: the
// reader has the one that ran and makes the executed one from it, which gives the same ids
// (lapidary/exec/executed_model.h).
#pragma once

#include <lapidary/internal/shared_memory.h>

#include "worker/protocol/byte_stream.h"
#include "worker/protocol/executed_copies.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

/// In a new block of shared memory. Throws limit_exceeded where there is no room.
SharedMemory run_record_block(const RunRecord& record);

/// A record as read, without the models and the summary.
struct ReceivedRun {
    RunRecord record;
    std::vector<ExecutedCopy> copies;  // steps of the graph that was executed
    std::uint64_t graph = 0;           // told of it, with them
};
/// Throws io_failure for bytes that are no record.
ReceivedRun read_run_record(ByteReader& in);
/// Puts in again what was not sent, of the model as its recipe has it run. Throws internal when
/// this process makes another graph of the model than the one that ran.
RunRecord complete_run_record(ReceivedRun run, const ModelSource& source,
                              const RunSettings& settings, const Progress& progress);

/// The session that runs `settings`, with what it records, on the CPU.
SessionOptions session_options(const RunSettings& settings, const SessionPasses& passes);

}  // namespace lapidary::app

// SPDX-License-Identifier: Apache-2.0
// A run as bytes: the graph that the session ran, profile, plan, inputs and outputs. The model that
// ran is not sent: the reader has it, and the session's graph is sent as what differs from it.
#pragma once

#include <lapidary/internal/shared_memory.h>

#include "worker/protocol/bytes/byte_stream.h"
#include <lapidary/base/progress.h>
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

/// Writes the record into a new block of shared memory. Throws limit_exceeded if there is no room.
SharedMemory run_record_block(const RunRecord& record);

/// Reads it; `model` is the reader's own of the model that ran. Constants of the session's graph
/// that the model does not have keep no values. Throws io_failure for bytes that are not a record,
/// cancelled.
RunRecord read_run_record(ByteReader& in, const ModelPtr& model, const Progress& progress);

/// Options of the session that runs `settings` and records a profile, on the CPU.
SessionOptions session_options(const RunSettings& settings, const SessionPasses& passes);

}  // namespace lapidary::app

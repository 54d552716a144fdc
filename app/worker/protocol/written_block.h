// SPDX-License-Identifier: Apache-2.0
// Results as blocks of shared memory.
#pragma once

#include <lapidary/internal/shared_memory.h>

#include "worker/protocol/byte_stream.h"

namespace lapidary::app {

/// A new block with what write(ByteWriter&) writes, which is called twice. Throws limit_exceeded if
/// there is no room.
template <typename Write>
SharedMemory written_block(const Write& write) {
    ByteWriter counted;
    write(counted);
    SharedMemory block = SharedMemory::create(counted.size());
    ByteWriter written(block.bytes());
    write(written);
    return block;
}

}  // namespace lapidary::app

// SPDX-License-Identifier: Apache-2.0
// Run-time values in a block of memory: tensors lie there as they are and are read without a copy.
#pragma once

#include <lapidary/tensor/runtime_value.h>

#include "worker/protocol/byte_stream.h"

namespace lapidary::app {

void write_values(ByteWriter& out, const NamedValues& values);
/// Tensors other than of strings point into the block and keep its owner.
NamedValues read_values(ByteReader& in);

}  // namespace lapidary::app

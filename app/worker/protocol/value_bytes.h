// SPDX-License-Identifier: Apache-2.0
// Run-time values as bytes. Tensors are stored unchanged and read without a copy.
#pragma once

#include <lapidary/tensor/runtime_value.h>

#include "worker/protocol/byte_stream.h"

namespace lapidary::app {

void write_values(ByteWriter& out, const NamedValues& values);
/// Tensors point into the block and keep its owner alive; tensors of strings are copied.
NamedValues read_values(ByteReader& in);

}  // namespace lapidary::app

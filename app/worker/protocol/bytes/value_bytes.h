// SPDX-License-Identifier: Apache-2.0
// Run-time values and types as bytes. Tensors are stored unchanged and read without a copy.
#pragma once

#include <lapidary/graph/type.h>
#include <lapidary/tensor/runtime_value.h>

#include "worker/protocol/bytes/byte_stream.h"

namespace lapidary::app {

void write_type(ByteWriter& out, const Type& type);
/// Throws io_failure for bytes that are no type.
Type read_type(ByteReader& in, int depth = 0);

void write_values(ByteWriter& out, const NamedValues& values);
/// Tensors point into the block and keep its owner alive; tensors of strings are copied.
NamedValues read_values(ByteReader& in);

}  // namespace lapidary::app

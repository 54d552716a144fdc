// SPDX-License-Identifier: Apache-2.0
// Parts of a file that the IR cannot represent, kept as the protobuf message that remains when
// everything else is removed.
#pragma once

#include <string>

#include <lapidary/graph/graph.h>

#include "onnx_io/onnx.pb.h"

namespace lapidary::onnx_io {

StringPairs pairs_of(
    const google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>& entries);
void set_pairs(const StringPairs& pairs,
               google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>& out);

/// The preserved parts of a ValueInfoProto, serialized: unknown fields, dimension denotations and
/// opaque types.
std::string preserved_of(const onnx::ValueInfoProto& proto);

}  // namespace lapidary::onnx_io

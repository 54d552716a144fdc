// SPDX-License-Identifier: Apache-2.0
// What the IR has no place for, kept as the protobuf message that remains when everything else is
// taken out.
#pragma once

#include <string>

#include <lapidary/graph/graph.h>

#include "onnx_io/onnx.pb.h"

namespace lapidary::onnx_io {

StringPairs pairs_of(
    const google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>& entries);
void set_pairs(const StringPairs& pairs,
               google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>& out);

/// Of a ValueInfoProto: unknown fields, dimension denotations and opaque types, serialized.
std::string preserved_of(const onnx::ValueInfoProto& proto);

}  // namespace lapidary::onnx_io

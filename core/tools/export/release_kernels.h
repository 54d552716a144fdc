// SPDX-License-Identifier: Apache-2.0
// Which kernels of the CPU releases of ONNX Runtime have. release_kernels.inc has one line per
// version of an operator:
//   LAPIDARY_RELEASE_KERNEL("", "Add", 14, "16 T=f32,f64,i32,i64; 23 T=i8,u8,i16,u16,u32,u64")
// Release 1.16 (or an older one) has kernels for the first list of types, release 1.23 for the
// second too. Type variables are those of the schema; one that is not named may be any type that it
// allows. "any": all types that the schema allows. An empty text: no release has a kernel. Versions
// that are not listed run in every release.
#pragma once

#include <optional>
#include <string>

#include <lapidary/graph/graph.h>
#include <lapidary/export/release.h>

namespace lapidary {

struct KernelNeed {
    // 1.minor is the first known release with a kernel for the node; 0: none has one
    int minor = 0;
    std::string reason;  // "no kernel of the CPU for T i8"; empty: every release known has one
    /// ONNX Runtime has kernels for these types, or for the operator, on other devices, which may
    /// run it.
    bool may_run_elsewhere = false;
};

/// By the types of inputs and outputs. Unknown types count as supported. float16 counts as float if
/// only that has a kernel, since ONNX Runtime inserts casts.
KernelNeed kernel_need(const Graph& graph, const Node& node);

}  // namespace lapidary

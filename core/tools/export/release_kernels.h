// SPDX-License-Identifier: Apache-2.0
// Which kernels of the CPU releases of ONNX Runtime have. release_kernels.inc has one line per
// version of an operator:
//   LAPIDARY_RELEASE_KERNEL("", "Add", 14, "16 T=f32,f64,i32,i64; 23 T=i8,u8,i16,u16,u32,u64")
// From release 1.16, or an older one, it has kernels for these types, from 1.23 on for those. Type
// variables are the schema's; one that is not named may be anything it allows; "any": all types
// that it allows. Nothing: no release has a kernel. A version that is not listed, every release
// runs.
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
    /// Only types or an operator that ONNX Runtime has kernels of for other devices: those may run
    /// it all the same.
    bool may_run_elsewhere = false;
};

/// By the types of inputs and outputs; those that are not known count as any. float16 counts as
/// float where only that has a kernel: ONNX Runtime inserts the casts.
KernelNeed kernel_need(const Graph& graph, const Node& node);

}  // namespace lapidary

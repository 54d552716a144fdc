// SPDX-License-Identifier: Apache-2.0
// Kernels of operators beyond kernel_list.inc, which plugins add. They stay until the process ends.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "kernels/kernel.h"

namespace lapidary {

struct AddedKernel {
    std::string domain, op_type;
    std::int64_t min_version = 1;
    std::string name;  // as profiles show it: "example_op.scale"
    /// As a KernelFactory.
    std::function<std::unique_ptr<Kernel>(const KernelRequest& request, std::string& reason)> make;
};

/// Callable from any thread. choose_kernel() and has_kernel() find the kernel from then on.
void add_kernel(AddedKernel added);
/// The added kernel with the newest min_version that is at most `version`. Null: none was added.
const AddedKernel* find_added_kernel(std::string_view domain, std::string_view op_type,
                                     std::int64_t version);

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "node_kernel.h"

namespace lapidary::cuda {

const Array& KernelRun::there(std::size_t i) const {
    if (!has(i))
        throw DeviceError(LP_INTERNAL, "a kernel reads input " + std::to_string(i) + ", which the node has not");
    return call_.inputs[i].array;
}

Dims KernelRun::host_integers(std::size_t i) const {
    const Array& array = there(i);
    return integers_of(array.type, array.data, array.count());
}

double KernelRun::host_number(std::size_t i) const {
    const Array& array = there(i);
    if (array.count() != 1) fail("input " + std::to_string(i) + " must be one number");
    return number_of(array.type, array.data);
}

const NodeCall::Grant* KernelRun::next_grant(std::int32_t output, std::uint64_t bytes) {
    if (next_ == call_.grants.size() && run_ != nullptr) return nullptr;
    const bool fits =
        next_ < call_.grants.size() && call_.grants[next_].output == output && call_.grants[next_].bytes == bytes;
    if (!fits) throw DeviceError(LP_INTERNAL, "a kernel asks for other memory than in an equal run");
    return &call_.grants[next_++];
}

void* KernelRun::output(std::size_t i, std::int32_t type, const Dims& dims) {
    const auto output = static_cast<std::int32_t>(i);
    const NodeCall::Grant* grant = next_grant(output, static_cast<std::uint64_t>(count_of(dims) * bytes_of(type)));
    if (!grant) {
        grant = &call_.grants.emplace_back(ask_output(*run_, output, type, dims, nullptr));
        next_ = call_.grants.size();
    }
    return count_of(dims) == 0 ? nullptr : grant->address;
}

void* KernelRun::scratch(std::int64_t bytes) {
    const NodeCall::Grant* grant = next_grant(-1, static_cast<std::uint64_t>(bytes));
    if (!grant) {
        grant = &call_.grants.emplace_back(ask_scratch(*run_, static_cast<std::uint64_t>(bytes), nullptr));
        next_ = call_.grants.size();
    }
    return grant->address;
}

void require_type(const NodeView& node, std::size_t input, bool holds) {
    if (holds) return;
    throw Refusal("input " + std::to_string(input) + " is of " + type_name(node.input_type(input)) +
                  ", which the kernel does not take");
}

HostIntegers::HostIntegers(const NodeView& node, std::size_t input, Making& making)
    : input_(input), is_given_(node.has_input(input)) {
    if (!is_given_) return;
    const std::int32_t type = node.input_type(input);
    require_type(node, input, type == i64 || type == i32);
    constant_ = node.constant_ints(input);
    if (constant_) making.leave_unread(input);
    else making.read_on_host(input);
}

}  // namespace lapidary::cuda

// SPDX-License-Identifier: Apache-2.0
#include "node_kernel.h"

#include <algorithm>

namespace lapidary::cuda {

const Array& KernelRun::there(std::size_t i) const {
    if (!has(i))
        throw DeviceError(LP_INTERNAL,
                          "a kernel reads input " + std::to_string(i) + ", which the node has not");
    return call_.inputs[i].array;
}

Dims KernelRun::host_integers(std::size_t i) const {
    const Array& array = there(i);
    if (array.dims.size() > 1)
        fail("input " + std::to_string(i) + " must be a list, found " + text_of(array.dims));
    return integers_of(array.type, array.data, array.count());
}

std::int64_t KernelRun::host_integer(std::size_t i) const {
    const Array& array = there(i);
    if (array.count() != 1)
        fail("input " + std::to_string(i) + " must be one number, found " + text_of(array.dims));
    return integers_of(array.type, array.data, 1)[0];
}

void KernelRun::require_dims(std::size_t i, const Dims& expected) const {
    if (!has(i)) return;
    const Dims& found = call_.inputs[i].array.dims;
    const bool fits = std::ranges::equal(
        found, expected, [](std::int64_t f, std::int64_t e) { return e < 0 || f == e; });
    if (!fits)
        fail("input " + std::to_string(i) + ": expected " + text_of(expected) + ", found " +
             text_of(found));
}

double KernelRun::host_number(std::size_t i) const {
    const Array& array = there(i);
    if (array.count() != 1) fail("input " + std::to_string(i) + " must be one number");
    return number_of(array.type, array.data);
}

const NodeCall::Grant* KernelRun::next_grant(std::int32_t output, std::uint64_t bytes) {
    if (next_ == call_.grants.size() && run_ != nullptr) return nullptr;
    const bool fits = next_ < call_.grants.size() && call_.grants[next_].output == output &&
                      call_.grants[next_].bytes == bytes;
    if (!fits)
        throw DeviceError(LP_INTERNAL, "a kernel asks for other memory than in an equal run");
    return &call_.grants[next_++];
}

void* KernelRun::output(std::size_t i, std::int32_t type, const Dims& dims) {
    const auto output = static_cast<std::int32_t>(i);
    const std::int64_t bytes = product_of(count_of(dims), bytes_of(type));
    const NodeCall::Grant* grant = next_grant(output, static_cast<std::uint64_t>(bytes));
    if (!grant) {
        grant = &call_.grants.emplace_back(request_output(*run_, output, type, dims, nullptr));
        next_ = call_.grants.size();
    }
    return count_of(dims) == 0 ? nullptr : grant->address;
}

void* KernelRun::scratch(std::int64_t bytes) {
    const NodeCall::Grant* grant = next_grant(-1, static_cast<std::uint64_t>(bytes));
    if (!grant) {
        grant = &call_.grants.emplace_back(
            request_scratch(*run_, static_cast<std::uint64_t>(bytes), nullptr));
        next_ = call_.grants.size();
    }
    return grant->address;
}

void require_type(const NodeView& node, std::size_t input, bool holds) {
    if (holds) return;
    throw Refusal("input " + std::to_string(input) + " is of " + type_name(node.input_type(input)) +
                  ", which the kernel does not take");
}

void require_both(const NodeView& node, std::size_t a, std::size_t b) {
    if (node.has_input(a) == node.has_input(b)) return;
    throw Refusal("of inputs " + std::to_string(a) + " and " + std::to_string(b) +
                  " one is given alone");
}

HostIntegers::HostIntegers(const NodeView& node, std::size_t input, Making& making)
    : input_(input), is_given_(node.has_input(input)) {
    if (!is_given_) return;
    const std::int32_t type = node.input_type(input);
    require_type(node, input, type == i64 || type == i32);
    if (node.rank(input) > 1) throw Refusal("input " + std::to_string(input) + " is no list");
    constant_ = node.constant_ints(input);
    if (constant_) making.leave_unread(input);
    else making.read_on_host(input);
}

std::int64_t HostIntegers::one_at(const KernelRun& run) const {
    if (!constant_) return run.host_integer(input_);
    if (constant_->size() != 1)
        KernelRun::fail("input " + std::to_string(input_) + " must be one number, found " +
                        std::to_string(constant_->size()));
    return constant_->front();
}

}  // namespace lapidary::cuda

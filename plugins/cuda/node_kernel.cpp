// SPDX-License-Identifier: Apache-2.0
#include "node_kernel.h"

#include "device_block.h"

namespace lapidary::cuda {
namespace {

std::uint32_t index_of(std::size_t i) { return static_cast<std::uint32_t>(i); }

const LpDeviceTensor& tensor(const LpDeviceRun& run, std::size_t i) {
    if (i >= run.input_count || lp_device_input(&run, index_of(i))->rank < 0)
        throw DeviceError(LP_INTERNAL, "a kernel reads input " + std::to_string(i) + ", which the node has not");
    return *lp_device_input(&run, index_of(i));
}

char* address(const LpPlace& place) { return place.block ? place.block->data + place.offset : nullptr; }

void require_ok(std::int32_t code) {
    if (code != LP_OK) throw DeviceError(code, "the program has no memory for a kernel");
}

}  // namespace

bool KernelRun::has(std::size_t i) const {
    return i < run_.input_count && lp_device_input(&run_, index_of(i))->rank >= 0;
}

Array KernelRun::input(std::size_t i) const {
    if (!has(i)) return {};
    const LpDeviceTensor& t = tensor(run_, i);
    return {t.type, Dims(t.dims, t.dims + t.rank), t.host ? t.host : address(t.place)};
}

Dims KernelRun::host_integers(std::size_t i) const {
    const LpDeviceTensor& t = tensor(run_, i);
    return integers_of(t.type, t.host, count_of(Dims(t.dims, t.dims + t.rank)));
}

double KernelRun::host_number(std::size_t i) const {
    const LpDeviceTensor& t = tensor(run_, i);
    if (count_of(Dims(t.dims, t.dims + t.rank)) != 1) fail("input " + std::to_string(i) + " must be one number");
    return number_of(t.type, t.host);
}

void* KernelRun::output(std::size_t i, std::int32_t type, const Dims& dims) {
    LpPlace place{};
    require_ok(run_.output(&run_, index_of(i), type, static_cast<std::int32_t>(dims.size()), dims.data(), &place));
    return count_of(dims) == 0 ? nullptr : address(place);
}

void* KernelRun::scratch(std::int64_t bytes) {
    LpPlace place{};
    require_ok(run_.scratch(&run_, static_cast<std::uint64_t>(bytes), &place));
    return address(place);
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

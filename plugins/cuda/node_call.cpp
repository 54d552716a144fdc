// SPDX-License-Identifier: Apache-2.0
#include "node_call.h"

#include <algorithm>
#include <cstring>

#include "device_block.h"
#include "device_error.h"

namespace lapidary::cuda {
namespace {

char* address(const LpPlace& place) {
    return place.block ? place.block->data + place.offset : nullptr;
}

bool overlaps(const char* a, std::uint64_t a_bytes, const char* b, std::uint64_t b_bytes) {
    return a != nullptr && a < b + b_bytes && b < a + a_bytes;
}

void require_ok(std::int32_t code) {
    if (code != LP_OK) throw DeviceError(code, "the program has no memory for a kernel");
}

bool is_same_input(const NodeCall::Input& kept, const LpDeviceTensor& now) {
    if (kept.is_there != (now.rank >= 0)) return false;
    if (!kept.is_there) return true;
    const Array& array = kept.array;
    if (array.type != now.type || array.dims.size() != static_cast<std::size_t>(now.rank) ||
        !std::equal(array.dims.begin(), array.dims.end(), now.dims))
        return false;
    if (now.host != nullptr)
        return kept.host.size() == now.bytes &&
               std::memcmp(kept.host.data(), now.host, now.bytes) == 0;
    return kept.host.empty() && array.data == address(now.place);
}

}  // namespace

void HeldMemory::add(const LpPlace& place) {
    if (place.block == nullptr || (!held_.empty() && held_.back() == place.block->memory)) return;
    held_.push_back(place.block->memory);
}

NodeCall NodeCall::of(std::shared_ptr<const KernelOfNode> kernel, LpDeviceRun& run) {
    NodeCall call;
    call.kernel = std::move(kernel);
    call.inputs.resize(run.input_count);
    for (std::uint32_t i = 0; i < run.input_count; ++i) {
        const LpDeviceTensor& t = *lp_device_input(&run, i);
        Input& input = call.inputs[i];
        input.is_there = t.rank >= 0;
        if (!input.is_there) continue;
        input.array = {t.type, Dims(t.dims, t.dims + t.rank), address(t.place)};
        if (t.host == nullptr) continue;
        const auto* from = static_cast<const unsigned char*>(t.host);
        input.host.assign(from, from + t.bytes);
        input.array.data = input.host.data();
    }
    for (std::uint32_t i = 0; i < run.output_count; ++i)
        call.wanted.push_back(run.wants_output(&run, i) != 0);
    return call;
}

bool NodeCall::is_of(const KernelOfNode& of, LpDeviceRun& run) const {
    if (kernel.get() != &of || inputs.size() != run.input_count ||
        wanted.size() != run.output_count)
        return false;
    for (std::uint32_t i = 0; i < run.input_count; ++i)
        if (!is_same_input(inputs[i], *lp_device_input(&run, i))) return false;
    for (std::uint32_t i = 0; i < run.output_count; ++i)
        if ((wanted[i] != 0) != (run.wants_output(&run, i) != 0)) return false;
    return true;
}

std::vector<NodeCall::Grant> NodeCall::request_again(LpDeviceRun& run, HeldMemory& held) const {
    std::vector<Grant> granted;
    for (std::uint32_t i = 0; i < run.input_count; ++i)
        if (inputs[i].is_there) held.add(lp_device_input(&run, i)->place);
    for (const Grant& g : grants)
        granted.push_back(g.output < 0 ? request_scratch(run, g.bytes, &held)
                                       : request_output(run, g.output, g.type, g.dims, &held));
    return granted;
}

bool NodeCall::has_grants(const std::vector<Grant>& other) const {
    return std::ranges::equal(grants, other, {}, &Grant::address, &Grant::address);
}

bool NodeCall::differs_by_addresses(const NodeCall& other) const {
    return kernel == other.kernel && wanted == other.wanted &&
           std::ranges::equal(inputs, other.inputs, [](const Input& a, const Input& b) {
               return a.is_there == b.is_there && a.host == b.host &&
                      a.array.type == b.array.type && a.array.dims == b.array.dims;
           });
}

bool NodeCall::touches(const char* begin, std::uint64_t bytes) const {
    const auto reads = [&](const Input& i) {
        return i.is_there && i.host.empty() &&
               overlaps(static_cast<const char*>(i.array.data),
                        static_cast<std::uint64_t>(i.array.bytes()), begin, bytes);
    };
    return std::ranges::any_of(inputs, reads) || std::ranges::any_of(grants, [&](const Grant& g) {
               return overlaps(g.address, g.bytes, begin, bytes);
           });
}

NodeCall::Grant request_output(LpDeviceRun& run, std::int32_t output, std::int32_t type,
                               const Dims& dims, HeldMemory* held) {
    LpPlace place{};
    require_ok(run.output(&run, static_cast<std::uint32_t>(output), type,
                          static_cast<std::int32_t>(dims.size()), dims.data(), &place));
    if (held) held->add(place);
    return {output, address(place),
            static_cast<std::uint64_t>(product_of(count_of(dims), bytes_of(type))), type, dims};
}

NodeCall::Grant request_scratch(LpDeviceRun& run, std::uint64_t bytes, HeldMemory* held) {
    LpPlace place{};
    require_ok(run.scratch(&run, bytes, &place));
    if (held) held->add(place);
    return {-1, address(place), bytes, no_type, {}};
}

}  // namespace lapidary::cuda

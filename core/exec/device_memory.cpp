// SPDX-License-Identifier: Apache-2.0
#include "exec/device_memory.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <lapidary/error.h>

#include "exec/memory_planner.h"

namespace lapidary {
namespace {

/// Its result has the elements of input 0 in their order.
bool is_view(const Node& node) {
    static constexpr std::string_view views[] = {"Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze"};
    return node.domain.empty() && std::ranges::find(views, std::string_view(node.op_type)) != std::end(views);
}

}  // namespace

DeviceMemory::DeviceMemory(const Plan& plan, bool plans_memory)
    : plan_(plan), plans_memory_(plans_memory), homes_(plan.graph->value_slots()), scratch_(plan.steps.size()),
      next_scratch_(plan.steps.size(), 0), planned_bytes_(plan.devices->devices.size(), 0),
      blocks_(plan.devices->devices.size()) {
    for (const DevicePlan::Device& device : plan.devices->devices) queues_.push_back(device.provider->make_queue());
}

Tensor DeviceMemory::take(ValueId id, DType dtype, Shape shape) {
    const std::uint64_t bytes = storage_bytes(dtype, element_count(shape));
    Home& home = homes_[id.index];
    if (home.place != nullptr && bytes <= home.bytes)
        return Tensor::borrow(dtype, std::move(shape), nullptr, home.place);
    const DeviceProvider& device = *plan_.devices->memory[id.index];
    auto place =
        std::make_shared<const DevicePlace>(DevicePlace{device.allocate(std::max<std::uint64_t>(bytes, 1)), 0});
    if (plans_memory_ && !is_placed_) home.bytes = bytes;
    return Tensor::borrow(dtype, std::move(shape), nullptr, std::move(place));
}

DevicePlace DeviceMemory::scratch(std::size_t step, std::uint64_t bytes, const Limits& limits) {
    if (bytes > limits.tensor_bytes)
        fail_limit("working memory of " + std::to_string(bytes) + " bytes is asked for, the limit for one tensor is " +
                   std::to_string(limits.tensor_bytes));
    const std::size_t order = next_scratch_[step]++;
    std::vector<Home>& list = scratch_[step];
    if (order < list.size() && list[order].place != nullptr && bytes <= list[order].bytes) return *list[order].place;
    if (plans_memory_ && !is_placed_) {
        list.resize(std::max(list.size(), order + 1));
        list[order].bytes = bytes;
    }
    return {plan_.steps[step].provider->device()->allocate(std::max<std::uint64_t>(bytes, 1)), 0};
}

DeviceTensor DeviceMemory::in(const Tensor& slot) {
    if (slot.raw() != nullptr || slot.owner() == nullptr) fail(ErrorCode::internal, "a value is not on its device");
    return {slot.dtype(), slot.shape(), *static_cast<const DevicePlace*>(slot.owner().get())};
}

const DeviceTensor* DeviceMemory::constant(const DeviceProvider& device, ValueId id) const {
    const auto& constants = plan_.devices->devices[plan_.devices->index_of(device)].constants;
    const auto it = constants.find(id.index);
    return it == constants.end() ? nullptr : &it->second;
}

std::string DeviceMemory::notes() {
    std::string text;
    for (std::size_t d = 0; d < queues_.size(); ++d)
        if (const std::string note = queues_[d]->note(); !note.empty())
            text += (text.empty() ? "" : ". ") + plan_.devices->devices[d].provider->name() + ": " + note;
    return text;
}

Tensor DeviceMemory::fetch(ValueId id, const Tensor& slot) {
    Tensor out(slot.dtype(), slot.shape());
    const DeviceTensor from = in(slot);
    if (out.byte_size() != 0)
        queue(*plan_.devices->memory[id.index]).copy_to_host(out.mutable_raw(), from.place, out.byte_size());
    return out;
}

void DeviceMemory::drain() noexcept {
    for (const auto& queue : queues_) {
        try {
            queue->finish();
        } catch (...) {}
    }
}

void DeviceMemory::place(const CancelToken& cancel) {
    for (std::size_t d = 0; d < queues_.size(); ++d) {
        const DeviceProvider* device = plan_.devices->devices[d].provider;
        std::vector<Lifetime> lifetimes;
        std::vector<std::pair<Home*, std::size_t>> homes;        // and which lifetime is theirs
        std::vector<std::size_t> lifetime_of(homes_.size(), 0);  // by value; from 1 on
        const auto add = [&](Home& home, Lifetime lifetime) {
            homes.emplace_back(&home, lifetimes.size());
            lifetimes.push_back(lifetime);
        };
        for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
            const Step& step = plan_.steps[s];
            const Node& node = plan_.graph->node(step.node);
            for (ValueId v : node.outputs) {
                if (!v || plan_.devices->memory[v.index] != device) continue;
                Home& home = homes_[v.index];
                const ValueId from = step.provider == device && is_view(node) ? node.inputs[0] : ValueId();
                if (from && lifetime_of[from.index] != 0 && homes_[from.index].bytes == home.bytes) {
                    const std::size_t shared = lifetime_of[from.index] - 1;
                    lifetimes[shared].last = std::max(lifetimes[shared].last, plan_.last_use[v.index]);
                    homes.emplace_back(&home, shared);
                } else {
                    add(home, {s, plan_.last_use[v.index], home.bytes});
                }
                lifetime_of[v.index] = homes.back().second + 1;
            }
            if (step.provider != device) continue;
            for (Home& home : scratch_[s]) add(home, {s, s, home.bytes});
        }
        const MemoryPlan placed = plan_memory(lifetimes, device->alignment(), cancel);
        for (const auto& [home, lifetime] : homes) home->offset = placed.offsets[lifetime];
        planned_bytes_[d] = placed.total_bytes;
    }
    is_placed_ = true;
}

void DeviceMemory::bind(std::size_t d, const std::shared_ptr<DeviceBlock>& block) {
    if (blocks_[d] == block) return;
    blocks_[d] = block;
    const DeviceProvider* device = plan_.devices->devices[d].provider;
    const auto bind_one = [&](Home& home) {
        home.place = std::make_shared<const DevicePlace>(DevicePlace{block, home.offset});
    };
    for (std::size_t v = 0; v < homes_.size(); ++v)
        if (plan_.devices->memory[v] == device) bind_one(homes_[v]);
    for (std::size_t s = 0; s < scratch_.size(); ++s)
        if (plan_.steps[s].provider == device) std::ranges::for_each(scratch_[s], bind_one);
}

void DeviceMemory::unbind() {
    for (Home& home : homes_) home.place = nullptr;
    for (auto& list : scratch_)
        for (Home& home : list) home.place = nullptr;
    std::ranges::fill(blocks_, nullptr);
}

}  // namespace lapidary

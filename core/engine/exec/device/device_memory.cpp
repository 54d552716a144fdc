// SPDX-License-Identifier: Apache-2.0
#include "exec/device/device_memory.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <lapidary/base/error.h>

#include "base/assert.h"
#include "base/at.h"
#include "exec/memory/memory_planner.h"

namespace lapidary {
namespace {

/// True if the permutation only moves axes of one element.
bool keeps_order(const Type& type, const Shape& permutation) {
    if (!type.is_static() || permutation.size() != type.static_shape().size()) return false;
    const auto shape = type.static_shape();
    const auto rank = static_cast<std::int64_t>(shape.size());
    std::int64_t before = -1;
    for (std::int64_t axis : permutation) {
        if (axis < 0) axis += rank;
        if (axis < 0 || axis >= rank) return false;
        if (at(shape, axis) == 1) continue;
        if (axis < before) return false;
        before = axis;
    }
    return true;
}

/// Its result has the elements of input 0 in their order.
bool is_view(const Graph& graph, const Node& node) {
    static constexpr std::string_view views[] = {"Flatten", "Identity", "Reshape", "Squeeze",
                                                 "Unsqueeze"};
    if (!node.domain.empty()) return false;
    if (node.op_type == "Transpose")
        return keeps_order(graph.value(node.inputs[0]).type, node.ints_attribute("perm"));
    return std::ranges::find(views, std::string_view(node.op_type)) != std::end(views);
}

/// Of a tensor whose axes before `axis` have one element each; 0 where the others are not known.
std::uint64_t bytes_from(const Type& type, std::size_t axis) {
    if (!type.shape || axis >= type.shape->size()) return 0;
    std::int64_t count = 1;
    for (std::size_t i = axis; i < type.shape->size(); ++i) {
        if (!(*type.shape)[i].is_known()) return 0;
        count *= (*type.shape)[i].value();
    }
    return storage_bytes(type.dtype, count);
}

}  // namespace

SlotDevices make_slot_devices(const DevicePlan& plan, ResidentMemories residents) {
    SlotDevices made{std::move(residents), {}, {}};
    for (const DevicePlan::Device& device : plan.devices) {
        made.blocks.push_back(std::make_shared<DeviceBlocks>(*device.provider));
        made.queues.push_back(device.provider->make_queue());
    }
    return made;
}

DeviceMemory::DeviceMemory(const Plan& plan, bool plans_memory, SlotDevices& shared,
                           ResidentFlags flags)
    : plan_(plan), plans_memory_(plans_memory), shared_(shared), flags_(std::move(flags)),
      value_areas_(plan.graph->value_slots()), scratch_areas_(plan.steps.size()),
      next_scratch_(plan.steps.size(), 0), planned_bytes_(plan.devices->devices.size(), 0),
      blocks_(plan.devices->devices.size()) {}

void DeviceMemory::begin_run() {
    for (auto& bytes : copied_) bytes = 0;
    if (has_run_ && queues_.empty()) {
        std::vector<std::unique_ptr<DeviceQueue>> own;
        for (const DevicePlan::Device& device : plan_.devices->devices)
            own.push_back(device.provider->make_queue());
        queues_ = std::move(own);
    }
    has_run_ = true;
}

Tensor DeviceMemory::take(ValueId id, DType dtype, Shape shape) {
    const std::size_t number = plan_.devices->index_of(*plan_.devices->memory[id.index]);
    if (has(id, stays_on_device)) {
        auto block = shared_.residents[number]->allocate(dtype, shape, id.index);
        Tensor slot = ResidentMemory::slot_of(dtype, std::move(shape), block);
        const std::lock_guard lock(mutex_);
        residents_.emplace_back(id.index, ResidentMemory::value_of(slot, std::move(block)));
        return slot;
    }
    const std::uint64_t bytes = storage_bytes(dtype, element_count(shape));
    PlannedArea& area = value_areas_[id.index];
    if (area.place != nullptr && bytes <= area.bytes)
        return Tensor::borrow(dtype, std::move(shape), nullptr, area.place);
    ++unplanned_;
    auto place =
        std::make_shared<const DevicePlace>(DevicePlace{shared_.blocks[number]->take(bytes), 0});
    if (plans_memory_ && !is_placed_) area.bytes = bytes;
    return Tensor::borrow(dtype, std::move(shape), nullptr, std::move(place));
}

DevicePlace DeviceMemory::scratch(std::size_t step, std::uint64_t bytes, const Limits& limits) {
    if (bytes > limits.tensor_bytes)
        fail_limit("working memory of " + std::to_string(bytes) +
                   " bytes is asked for, the limit for one tensor is " +
                   std::to_string(limits.tensor_bytes));
    const std::size_t order = next_scratch_[step]++;
    std::vector<PlannedArea>& list = scratch_areas_[step];
    if (order < list.size() && list[order].place != nullptr && bytes <= list[order].bytes)
        return *list[order].place;
    ++unplanned_;
    if (plans_memory_ && !is_placed_) {
        list.resize(std::max(list.size(), order + 1));
        list[order].bytes = bytes;
    }
    return {
        shared_.blocks[plan_.devices->index_of(*plan_.steps[step].provider->device())]->take(bytes),
        0};
}

DeviceTensor DeviceMemory::in(const Tensor& slot) {
    if (slot.raw() != nullptr || slot.owner() == nullptr)
        fail(ErrorCode::internal, "a value is not on its device");
    return {slot.dtype(), slot.shape(), *static_cast<const DevicePlace*>(slot.owner().get())};
}

const DeviceTensor* DeviceMemory::constant(const DeviceProvider& device, ValueId id) const {
    const auto& constants = plan_.devices->devices[plan_.devices->index_of(device)].constants;
    const auto it = constants.find(id.index);
    return it == constants.end() ? nullptr : &it->second;
}

std::string DeviceMemory::notes() {
    std::string text;
    for (std::size_t d = 0; d < plan_.devices->devices.size(); ++d)
        if (const std::string note = queue(d).note(); !note.empty())
            text += (text.empty() ? "" : ". ") + plan_.devices->devices[d].provider->name() + ": " +
                    note;
    return text;
}

void DeviceMemory::upload(const DeviceProvider& device, const DevicePlace& to, const Tensor& from) {
    if (from.byte_size() == 0) return;
    queue(device).copy_to_device(to, from.raw(), from.byte_size());
    count(CopyDirection::to_device, from.byte_size());
}

void DeviceMemory::download(const DeviceProvider& device, Tensor& to, const DevicePlace& from) {
    if (to.byte_size() == 0) return;
    queue(device).copy_to_host(to.mutable_raw(), from, to.byte_size());
    count(CopyDirection::to_host, to.byte_size());
}

Tensor DeviceMemory::fetch(ValueId id, const Tensor& slot) {
    Tensor out(slot.dtype(), slot.shape());
    download(*plan_.devices->memory[id.index], out, in(slot).place);
    return out;
}

void DeviceMemory::finish() {
    for (std::size_t d = 0; d < plan_.devices->devices.size(); ++d) queue(d).finish();
}

void DeviceMemory::drain() noexcept {
    for (std::size_t d = 0; d < plan_.devices->devices.size(); ++d) {
        try {
            queue(d).finish();
        } catch (...) {}
    }
}

DeviceValue DeviceMemory::resident(ValueId id) const {
    const std::lock_guard lock(mutex_);
    const auto at =
        std::ranges::find(residents_, id.index, &std::pair<std::uint32_t, DeviceValue>::first);
    return at == residents_.end() ? DeviceValue() : at->second;
}

std::size_t DeviceMemory::resident_count() const {
    const std::lock_guard lock(mutex_);
    return residents_.size();
}

void DeviceMemory::drop_residents_from(std::size_t count) {
    const std::lock_guard lock(mutex_);
    residents_.resize(std::min(count, residents_.size()));
}

std::vector<std::uint64_t> DeviceMemory::parts_of(const Node& node,
                                                  const DeviceProvider& device) const {
    if (!node.domain.empty()) return {};
    if (is_view(*plan_.graph, node)) return {0};
    if (node.op_type != "Split") return {};
    const Type& type = plan_.graph->value(node.inputs[0]).type;
    const std::int64_t axis = node.int_attribute("axis", 0);
    const std::int64_t rank = type.shape ? static_cast<std::int64_t>(type.shape->size()) : 0;
    const auto along = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    // if all axes before have one element, the parts lie one after the other; else no part would
    // fit into its area
    std::vector<std::uint64_t> offsets;
    std::uint64_t at = 0;
    for (ValueId v : node.outputs) {
        if (!v || plan_.devices->memory[v.index] != &device || at % device.alignment() != 0)
            return {};
        const std::uint64_t bytes = bytes_from(plan_.graph->value(v).type, along);
        if (bytes == 0 || bytes != value_areas_[v.index].bytes) return {};
        offsets.push_back(at);
        at += bytes;
    }
    if (bytes_from(type, along) != at || value_areas_[node.inputs[0].index].bytes != at) return {};
    return offsets;
}

void DeviceMemory::start_over(ResidentFlags flags) {
    flags_ = std::move(flags);
    for (PlannedArea& area : value_areas_) area.bytes = 0;
    for (auto& list : scratch_areas_) list.clear();
    has_run_ = false;
    queues_.clear();
}

void DeviceMemory::place(const CancelToken& cancel) {
    for (std::size_t d = 0; d < plan_.devices->devices.size(); ++d) {
        const DeviceProvider* device = plan_.devices->devices[d].provider;
        struct Placed {
            PlannedArea* area;
            std::size_t lifetime;
            std::uint64_t offset;  // in the memory of the lifetime
        };
        std::vector<Lifetime> lifetimes;
        std::vector<Placed> areas;
        std::vector<std::size_t> placed_of(value_areas_.size(), 0);  // by value; from 1 on
        const auto add = [&](PlannedArea& area, Lifetime lifetime) {
            areas.push_back({&area, lifetimes.size(), 0});
            lifetimes.push_back(lifetime);
        };
        for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
            const Step& step = plan_.steps[s];
            const Node& node = plan_.graph->node(step.node);
            std::vector<std::uint64_t> parts;  // of input 0, which the outputs are
            if (step.provider == device && !node.inputs.empty() && node.inputs[0] &&
                placed_of[node.inputs[0].index] != 0)
                parts = parts_of(node, *device);
            for (std::size_t i = 0; i < node.outputs.size(); ++i) {
                const ValueId v = node.outputs[i];
                if (!v || plan_.devices->memory[v.index] != device) continue;
                PlannedArea& area = value_areas_[v.index];
                const bool is_part =
                    i < parts.size() &&
                    parts[i] + area.bytes <= value_areas_[node.inputs[0].index].bytes;
                if (is_part &&
                    (parts.size() > 1 || area.bytes == value_areas_[node.inputs[0].index].bytes)) {
                    const Placed& from = areas[placed_of[node.inputs[0].index] - 1];
                    Lifetime& shared = lifetimes[from.lifetime];
                    shared.last = std::max(shared.last, plan_.last_use[v.index]);
                    areas.push_back({&area, from.lifetime, from.offset + parts[i]});
                } else {
                    add(area, {s, plan_.last_use[v.index], area.bytes});
                }
                placed_of[v.index] = areas.size();
            }
            if (step.provider != device) continue;
            for (PlannedArea& area : scratch_areas_[s]) add(area, {s, s, area.bytes});
        }
        const MemoryPlan placed = plan_memory(lifetimes, device->alignment(), cancel);
        for (const Placed& of : areas) of.area->offset = placed.offsets[of.lifetime] + of.offset;
        planned_bytes_[d] = placed.total_bytes;
    }
    is_placed_ = true;
    ++layout_;
}

void DeviceMemory::bind(std::size_t d, const std::shared_ptr<DeviceBlock>& block) {
    LAPIDARY_ASSERT(is_placed_ && block != nullptr);
    if (blocks_[d] == block) return;
    blocks_[d] = block;
    ++layout_;
    const DeviceProvider* device = plan_.devices->devices[d].provider;
    const auto bind_one = [&](PlannedArea& area) {
        area.place = std::make_shared<const DevicePlace>(DevicePlace{block, area.offset});
    };
    for (std::size_t v = 0; v < value_areas_.size(); ++v)
        if (plan_.devices->memory[v] == device) bind_one(value_areas_[v]);
    for (std::size_t s = 0; s < scratch_areas_.size(); ++s)
        if (plan_.steps[s].provider == device) std::ranges::for_each(scratch_areas_[s], bind_one);
}

void DeviceMemory::unbind() {
    ++layout_;
    for (PlannedArea& area : value_areas_) area.place = nullptr;
    for (auto& list : scratch_areas_)
        for (PlannedArea& area : list) area.place = nullptr;
    std::ranges::fill(blocks_, nullptr);
}

}  // namespace lapidary

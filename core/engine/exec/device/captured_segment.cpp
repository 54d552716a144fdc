// SPDX-License-Identifier: Apache-2.0
#include "exec/device/captured_segment.h"

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

#include "base/assert.h"
#include "exec/device/device_step.h"

namespace lapidary {
namespace {

bool is_on_device(const Tensor& slot) { return slot.raw() == nullptr && slot.owner() != nullptr; }

const DevicePlace& place_of(const Tensor& slot) {
    LAPIDARY_ASSERT(is_on_device(slot));
    return *static_cast<const DevicePlace*>(slot.owner().get());
}

}  // namespace

bool CapturedSegment::DeviceAddress::is(const DevicePlace& place) const {
    // compares owners, since a new block may get the address of an old one
    return offset == place.offset && !block.owner_before(place.block) &&
           !place.block.owner_before(block);
}

bool CapturedSegment::is_seen(const Recording& recording,
                              const std::vector<RuntimeValue>& slots) const {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const RuntimeValue& value = slots[inputs_[i].value];
        const Seen& seen = recording.inputs[i];
        if (!value.is_tensor()) return false;
        const Tensor& now = value.tensor();
        if (now.dtype() != seen.dtype || now.shape() != seen.shape) return false;
        const bool is_same = inputs_[i].on_host
                                 ? std::ranges::equal(now.bytes(), seen.host)
                                 : is_on_device(now) && seen.address.is(place_of(now));
        if (!is_same) return false;
    }
    return true;
}

/// Takes memory for the outputs. False: it is not at the recorded addresses; then it is released.
bool CapturedSegment::restore_outputs(const Recording& recording, std::vector<RuntimeValue>& slots,
                                      DeviceMemory& memory) const {
    const std::size_t kept = memory.resident_count();
    bool is_same = true;
    try {
        for (std::size_t i = 0; i < outputs_.size() && is_same; ++i) {
            const Seen& seen = recording.outputs[i];
            Tensor slot = memory.take(outputs_[i].value, seen.dtype, seen.shape);
            is_same = seen.address.is(place_of(slot));
            if (outputs_[i].is_read_later) slots[outputs_[i].value.index] = std::move(slot);
        }
    } catch (const Error&) { is_same = false; }  // the walk throws it, with the node
    if (is_same) return true;
    for (const Output& output : outputs_) slots[output.value.index] = RuntimeValue{};
    memory.drop_residents_from(kept);
    return false;
}

bool CapturedSegment::repeat(std::vector<RuntimeValue>& slots, DeviceMemory& memory) {
    walked_.reset();
    for (Recording& recording : recordings_) {
        if (recording.layout != memory.layout() || !is_seen(recording, slots) ||
            !restore_outputs(recording, slots, memory))
            continue;
        recording.used = ++clock_;
        memory.queue(*device_).repeat(*recording.calls);
        for (std::uint32_t v : released_inputs_) slots[v] = RuntimeValue{};
        return true;
    }
    walked_ = recording_of(slots, memory);
    unplanned_ = memory.unplanned();
    return false;
}

std::optional<CapturedSegment::Recording> CapturedSegment::recording_of(
    const std::vector<RuntimeValue>& slots, const DeviceMemory& memory) const {
    Recording recording;
    recording.layout = memory.layout();
    std::size_t host_bytes = 0;
    for (const Input& input : inputs_) {
        const RuntimeValue& value = slots[input.value];
        if (!value.is_tensor() || value.tensor().dtype() == DType::string) return std::nullopt;
        const Tensor& now = value.tensor();
        Seen& seen = recording.inputs.emplace_back(Seen{now.dtype(), now.shape(), {}, {}});
        if (!input.on_host) {
            if (!is_on_device(now)) return std::nullopt;
            seen.address = DeviceAddress::of(place_of(now));
            continue;
        }
        host_bytes += now.byte_size();
        if (host_bytes > most_host_bytes) return std::nullopt;
        seen.host.assign(now.bytes().begin(), now.bytes().end());
    }
    return recording;
}

void CapturedSegment::note_walked(const std::vector<RuntimeValue>& slots, DeviceMemory& memory) {
    if (!walked_) return;
    Recording recording = *std::exchange(walked_, std::nullopt);
    // memory that was taken for this run only has another address in the next
    if (memory.unplanned() != unplanned_) return;
    for (const Output& output : outputs_) {
        const RuntimeValue& slot = slots[output.value.index];
        const DeviceValue stays =
            output.is_read_later ? DeviceValue() : memory.resident(output.value);
        if (output.is_read_later ? !slot.is_tensor() : !stays) return;
        const Tensor& made = output.is_read_later ? slot.tensor() : ResidentMemory::slot_of(stays);
        recording.outputs.push_back(
            {made.dtype(), made.shape(), DeviceAddress::of(place_of(made)), {}});
    }
    recording.calls = memory.queue(*device_).newest_calls(kernels_);
    if (!recording.calls) return;
    recording.used = ++clock_;
    place_for_another() = std::move(recording);
}

CapturedSegment::Recording& CapturedSegment::place_for_another() {
    if (recordings_.size() < most_recordings) return recordings_.emplace_back();
    return *std::ranges::min_element(recordings_, {}, &Recording::used);
}

/// Finds the segments in the steps of a plan.
class SegmentSearch {
public:
    SegmentSearch(const Plan& plan, const DeviceMemory& memory, const MemoryPattern& pattern)
        : plan_(plan), graph_(*plan.graph), memory_(memory), pattern_(pattern),
          made_by_(graph_.value_slots(), 0) {
        for (std::size_t s = 0; s < plan.steps.size(); ++s)
            for (ValueId v : node_of(s).outputs)
                if (v) made_by_[v.index] = s + 1;
    }

    /// The longest segment that begins at this step; it may be empty.
    CapturedSegment segment_at(std::size_t begin) const {
        CapturedSegment segment;
        segment.device_ = plan_.steps[begin].provider->device();
        segment.begin_ = segment.end_ = begin;
        if (segment.device_ == nullptr) return segment;
        while (segment.end_ < plan_.steps.size() && add(segment, segment.end_)) ++segment.end_;
        for (std::size_t s = begin; s < segment.end_; ++s) add_ends(segment, s);
        return segment;
    }

private:
    const Node& node_of(std::size_t step) const { return graph_.node(plan_.steps[step].node); }

    bool add(CapturedSegment& segment, std::size_t s) const {
        const Step& step = plan_.steps[s];
        const Node& node = node_of(s);
        if (step.provider->device() != segment.device_) return false;
        const std::vector<std::size_t>* const host_inputs = host_inputs_of(step.kernel);
        if (host_inputs == nullptr)
            return is_copy(node) && memory_.has(node.outputs[0], is_not_copied);
        ++segment.kernels_;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const ValueId v = node.inputs[i];
            if (!v || graph_.value(v).is_constant() || made_by_[v.index] > segment.begin_) continue;
            const CapturedSegment::Input input{
                v.index, std::ranges::find(*host_inputs, i) != host_inputs->end()};
            if (std::ranges::find(segment.inputs_, input) == segment.inputs_.end())
                segment.inputs_.push_back(input);
        }
        return true;
    }

    /// Adds values that the step makes for later ones, and inputs of which it is the last reader.
    void add_ends(CapturedSegment& segment, std::size_t s) const {
        for (ValueId v : plan_.steps[s].released_after)
            if (made_by_[v.index] <= segment.begin_ && !pattern_.in_arena(v.index))
                segment.released_inputs_.push_back(v.index);
        if (is_copy(node_of(s))) return;
        for (ValueId v : node_of(s).outputs) {
            if (!v) continue;
            const bool is_read_later = plan_.last_use[v.index] >= segment.end_;
            if (is_read_later || memory_.has(v, stays_on_device))
                segment.outputs_.push_back({v, is_read_later});
        }
    }

    const Plan& plan_;
    const Graph& graph_;
    const DeviceMemory& memory_;
    const MemoryPattern& pattern_;
    std::vector<std::size_t> made_by_;  // by ValueId::index: 1 + the step; 0: none
};

std::vector<CapturedSegment> find_segments(const Plan& plan, const DeviceMemory& memory,
                                           const MemoryPattern& pattern) {
    const SegmentSearch search(plan, memory, pattern);
    std::vector<CapturedSegment> found;
    for (std::size_t step = 0; step < plan.steps.size();) {
        CapturedSegment segment = search.segment_at(step);
        step = std::max(step + 1, segment.end_);
        if (segment.kernels_ >= CapturedSegment::least_kernels) found.push_back(std::move(segment));
    }
    return found;
}

}  // namespace lapidary

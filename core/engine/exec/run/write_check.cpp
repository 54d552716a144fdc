// SPDX-License-Identifier: Apache-2.0
#include "exec/run/write_check.h"

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

#include "exec/run/step_context.h"

namespace lapidary {
namespace {

const std::byte* begin_of(const Tensor& tensor) {
    return tensor.is_deferred() ? nullptr : static_cast<const std::byte*>(tensor.raw());
}

/// Every tensor of a value, items of sequences too.
template <typename Look>
void for_each_tensor(const RuntimeValue& value, const Look& look) {
    if (value.is_tensor()) look(value.tensor());
    if (value.is_sequence())
        for (const RuntimeValue& item : value.sequence().items) for_each_tensor(item, look);
    if (value.is_map()) look(value.map().values);
}

}  // namespace

std::vector<WriteCheck::Bytes> WriteCheck::written() const {
    const StepContext& step = frame_.steps_[step_];
    const StorageSharing::Kind kind = step.sharing_.kind;
    const auto input = [&](std::size_t i) {
        return i < step.inputs_.size() && step.inputs_[i] && step.inputs_[i]->is_tensor()
                   ? &step.inputs_[i]->tensor()
                   : nullptr;
    };
    std::vector<Bytes> out;
    const auto add = [&](std::uint32_t v, const std::byte* begin, std::size_t count) {
        if (count != 0)
            out.push_back({begin, begin + count, &frame_.plan_.graph->value(ValueId(v)).name, v});
    };
    std::size_t split_at = 0;
    for (std::size_t o = 0; o < step.outputs_.size(); ++o) {
        const std::uint32_t v = step.outputs_[o];
        if (v == StepContext::none || !frame_.slots_[v].is_tensor()) continue;
        const Tensor& tensor = frame_.slots_[v].tensor();
        const std::byte* begin = begin_of(tensor);
        const Tensor* source = input(0);
        const std::size_t at = std::exchange(split_at, split_at + tensor.byte_size());
        if (!tensor.is_unowned()) continue;  // counted bytes: fresh, or shared and not written
        if (kind == StorageSharing::view && o == 0 && source && begin_of(*source) == begin)
            continue;
        if (kind == StorageSharing::split && source && begin_of(*source) != nullptr &&
            begin_of(*source) + at == begin)
            continue;
        if (kind != StorageSharing::join || o != 0) {
            add(v, begin, tensor.byte_size());
            continue;
        }
        const std::byte* place = begin;
        for (std::size_t i = 0; i < step.inputs_.size() && input(i); ++i) {
            if (begin_of(*input(i)) != place) add(v, place, input(i)->byte_size());
            place += input(i)->byte_size();
        }
    }
    return out;
}

bool WriteCheck::may_overwrite(std::uint32_t value) const {
    const StepContext& step = frame_.steps_[step_];
    if (step.sharing_.kind != StorageSharing::overwrite || frame_.plan_.last_use[value] != step_)
        return false;
    for (std::size_t i = 0; i < std::min<std::size_t>(step.node_.inputs.size(), 32); ++i)
        if ((step.sharing_.inputs >> i & 1) != 0 && step.node_.inputs[i].index == value)
            return true;
    return false;
}

void WriteCheck::require_apart(const std::vector<Bytes>& written, const Frame& frame) const {
    const bool is_own = &frame == &frame_;
    for (std::uint32_t v : frame.live_) {
        if (is_own && may_overwrite(v)) continue;
        for_each_tensor(frame.slots_[v], [&](const Tensor& t) {
            const std::byte* begin = begin_of(t);
            for (const Bytes& w : written) {
                if (begin == nullptr || begin >= w.end || w.begin >= begin + t.byte_size() ||
                    (is_own && w.index == v))
                    continue;
                fail(ErrorCode::internal, "value " + quote(*w.value) +
                                              " was written into bytes of value " +
                                              quote(frame.plan_.graph->value(ValueId(v)).name) +
                                              ", which is still needed");
            }
        });
    }
}

void WriteCheck::require_own_bytes() const {
    const std::vector<Bytes> bytes = written();
    if (bytes.empty()) return;
    for (const Frame* f = &frame_; f; f = f->outer_) require_apart(bytes, *f);
}

}  // namespace lapidary

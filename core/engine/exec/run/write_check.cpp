// SPDX-License-Identifier: Apache-2.0
#include "exec/run/write_check.h"

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

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

void WriteCheck::begin_run() {
    live_.clear();
    for (ValueId id : values_.plan().graph->inputs()) live_.push_back(id.index);
}

std::vector<WriteCheck::Bytes> WriteCheck::written(const StepContext& step) const {
    const StorageSharing::Kind kind = step.sharing().kind;
    const auto input = [&](std::size_t i) {
        const RuntimeValue* const value = step.input_value(i);
        return value && value->is_tensor() ? &value->tensor() : nullptr;
    };
    std::vector<Bytes> out;
    const auto add = [&](std::uint32_t v, const std::byte* begin, std::size_t count) {
        if (count != 0)
            out.push_back({begin, begin + count, &values_.plan().graph->value(ValueId(v)).name, v});
    };
    std::size_t split_at = 0;
    for (std::size_t o = 0; o < step.outputs().size(); ++o) {
        const std::uint32_t v = step.outputs()[o];
        if (v == StepContext::none || !values_.slots()[v].is_tensor()) continue;
        const Tensor& tensor = values_.slots()[v].tensor();
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
        for (std::size_t i = 0; i < step.input_count() && input(i); ++i) {
            if (begin_of(*input(i)) != place) add(v, place, input(i)->byte_size());
            place += input(i)->byte_size();
        }
    }
    return out;
}

bool WriteCheck::may_overwrite(const StepContext& step, std::uint32_t value) const {
    if (step.sharing().kind != StorageSharing::overwrite ||
        values_.plan().last_use[value] != step.index())
        return false;
    const std::vector<ValueId>& inputs = step.node().inputs;
    for (std::size_t i = 0; i < std::min<std::size_t>(inputs.size(), 32); ++i)
        if ((step.sharing().inputs >> i & 1) != 0 && inputs[i].index == value) return true;
    return false;
}

void WriteCheck::require_apart(const StepContext& step, const std::vector<Bytes>& written,
                               const WriteCheck& frame) const {
    const bool is_own = &frame == this;
    for (std::uint32_t v : frame.live_) {
        if (is_own && may_overwrite(step, v)) continue;
        for_each_tensor(frame.values_.slots()[v], [&](const Tensor& t) {
            const std::byte* begin = begin_of(t);
            for (const Bytes& w : written) {
                if (begin == nullptr || begin >= w.end || w.begin >= begin + t.byte_size() ||
                    (is_own && w.index == v))
                    continue;
                const Value& needed = frame.values_.plan().graph->value(ValueId(v));
                fail(ErrorCode::internal, "value " + quote(*w.value) +
                                              " was written into bytes of value " +
                                              quote(needed.name) + ", which is still needed");
            }
        });
    }
}

void WriteCheck::check(const StepContext& step) {
    for (std::uint32_t v : step.outputs())
        if (v != StepContext::none) live_.push_back(v);
    if (const std::vector<Bytes> bytes = written(step); !bytes.empty())
        for (const WriteCheck* frame = this; frame; frame = frame->outer_)
            require_apart(step, bytes, *frame);
    std::erase_if(live_,
                  [&](std::uint32_t v) { return values_.plan().last_use[v] <= step.index(); });
}

}  // namespace lapidary

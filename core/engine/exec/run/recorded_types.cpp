// SPDX-License-Identifier: Apache-2.0
#include "exec/run/recorded_types.h"

#include <algorithm>

#include "base/at.h"

namespace lapidary {
namespace {

constexpr std::size_t usual_rank = 4;

}  // namespace

RecordedTypes::RecordedTypes(const std::vector<const Plan*>& plans, int lanes)
    : plans_(plans), lanes_(static_cast<std::size_t>(std::max(lanes, 1))), current_(lanes_.size()) {
    std::size_t values = 0;
    for (const Plan* plan : plans) {
        noted_.emplace_back(plan->steps.size());
        values += 4 * plan->steps.size();
    }
    for (Lane& lane : lanes_) {
        lane.seen.reserve(values);
        lane.dimensions.reserve(usual_rank * values);
    }
}

bool RecordedTypes::begin(int lane, int plan, std::size_t step) {
    Noted& noted = at(noted_, plan)[step];
    if (noted.lane != nowhere) return false;
    noted.lane = static_cast<std::uint32_t>(lane);
    noted.first = static_cast<std::uint32_t>(lanes_[noted.lane].seen.size());
    current_[noted.lane] = &noted;
    return true;
}

RecordedTypes::Seen& RecordedTypes::add(int lane, Kind kind, std::size_t first) {
    Seen& seen = at(lanes_, lane).seen.emplace_back();
    seen.kind = kind;
    seen.first = static_cast<std::uint32_t>(first);
    ++at(current_, lane)->count;
    return seen;
}

void RecordedTypes::note(int lane, const RuntimeValue& value, bool is_output) {
    Lane& to = at(lanes_, lane);
    if (!value.is_tensor()) {
        add(lane, Kind::other, to.described.size()).is_output = is_output;
        to.described.push_back(value.describe());
        return;
    }
    const Tensor& tensor = value.tensor();
    Seen& seen = add(lane, Kind::tensor, to.dimensions.size());
    seen.is_output = is_output;
    seen.dtype = tensor.dtype();
    seen.rank = static_cast<std::uint16_t>(tensor.shape().size());
    to.dimensions.insert(to.dimensions.end(), tensor.shape().begin(), tensor.shape().end());
}

void RecordedTypes::note_constant(int lane, ValueId value) {
    add(lane, Kind::constant, value.index);
}

std::string RecordedTypes::type_of(const Lane& lane, const Seen& seen, const Plan& plan) const {
    const auto words = [](DType dtype, const Shape& shape) {
        return std::string(name_of(dtype)) + to_string(shape);
    };
    switch (seen.kind) {
    case Kind::other: return lane.described[seen.first];
    case Kind::tensor: {
        const auto begin = lane.dimensions.begin() + seen.first;
        return words(seen.dtype, Shape(begin, begin + seen.rank));
    }
    case Kind::constant:
        if (const Value& value = plan.graph->value(ValueId{seen.first}); value.is_constant())
            return words(value.constant->dtype(), value.constant->shape());
    }
    return RuntimeValue{}.describe();
}

std::string RecordedTypes::text(int plan, std::size_t step) const {
    const Noted& noted = at(noted_, plan)[step];
    if (noted.count == 0) return {};
    const Lane& lane = lanes_[noted.lane];
    std::string inputs, outputs;
    for (std::uint32_t i = noted.first; i < noted.first + noted.count; ++i) {
        const std::string type = type_of(lane, lane.seen[i], *at(plans_, plan));
        if (lane.seen[i].is_output) outputs += " " + type;
        else inputs += (inputs.empty() ? "" : " x ") + type;
    }
    return inputs + " ->" + outputs;
}

}  // namespace lapidary

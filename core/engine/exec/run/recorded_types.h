// SPDX-License-Identifier: Apache-2.0
// The types of values that steps read and wrote in a profiled run: noted during the run, turned
// into text after it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/tensor/runtime_value.h>

#include "exec/plan/plan.h"

namespace lapidary {

/// Each thread that walks the plan appends its notes to one array, so that noting costs the
/// profiled run little. A step is noted at its first run only.
class RecordedTypes {
public:
    /// `plans`: by number; they must outlive this object. `lanes`: number of threads that walk
    /// them.
    RecordedTypes(const std::vector<const Plan*>& plans, int lanes);
    /// False if the step was noted before. Otherwise notes of `lane` belong to this step until the
    /// next call.
    bool begin(int lane, int plan, std::size_t step);
    void note(int lane, const RuntimeValue& value, bool is_output);
    /// Notes an input whose value was released after its kernel packed it. Its type comes from the
    /// constant in the graph.
    void note_constant(int lane, ValueId value);
    /// "f32[1,3,224,224] x f32[64,3,7,7] -> f32[1,64,112,112]"; empty if nothing was noted.
    std::string text(int plan, std::size_t step) const;

private:
    enum class Kind : std::uint8_t { tensor, constant, other };
    struct Seen {
        Kind kind = Kind::tensor;
        bool is_output = false;
        DType dtype = DType::undefined;
        std::uint16_t rank = 0;
        // index of the first dimension (tensor), of the value (constant) or of the description
        // (other)
        std::uint32_t first = 0;
    };
    struct Lane {
        std::vector<Seen> seen;
        std::vector<std::int64_t> dimensions;
        std::vector<std::string> described;
    };
    static constexpr std::uint32_t nowhere = 0xffffffff;
    struct Noted {
        std::uint32_t lane = nowhere, first = 0, count = 0;
    };
    Seen& add(int lane, Kind kind, std::size_t first);
    std::string type_of(const Lane& lane, const Seen& seen, const Plan& plan) const;

    const std::vector<const Plan*>& plans_;
    std::vector<Lane> lanes_;
    std::vector<std::vector<Noted>> noted_;  // by plan and step
    std::vector<Noted*> current_;            // by lane
};

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// Types that a step's values had in a profiled run: noted while it runs, put into words after it.
#pragma once

#include <string>
#include <vector>

#include <lapidary/runtime_value.h>

namespace lapidary {

class SeenTypes {
public:
    bool is_empty() const { return seen_.empty(); }
    /// Room for so many, so that noting them allocates nothing.
    void reserve(std::size_t values) { seen_.reserve(values); }
    void note(const RuntimeValue& value, bool is_output);
    /// "f32[1,3,224,224] x f32[64,3,7,7] -> f32[1,64,112,112]"; empty when nothing was noted.
    std::string text() const;

private:
    struct Seen {
        DType dtype = DType::undefined;
        bool is_output = false;
        Shape shape;
        std::string described;  // of what is no tensor
    };
    std::vector<Seen> seen_;
};

}  // namespace lapidary

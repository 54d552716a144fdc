// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include <lapidary/base/error.h>

namespace lapidary {

/// The outputs that a plugin's kernel requested in one run. One that it did not request was not
/// written: this check makes such a run fail.
class MadeOutputs {
public:
    void add(std::uint32_t output) { made_.insert(output); }
    /// Throws process_ended naming the first of `count` outputs that `context` wants and that was
    /// not made.
    template <typename Context>
    void require(const Context& context, std::size_t count, const std::string& place) const {
        for (std::uint32_t i = 0; i < count; ++i)
            if (context.wants_output(i) && !made_.contains(i))
                fail(ErrorCode::process_ended, place + " gave no output " + std::to_string(i));
    }

private:
    std::set<std::uint32_t> made_;
};

}  // namespace lapidary

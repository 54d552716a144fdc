// SPDX-License-Identifier: Apache-2.0
// Plans, results and trials that machines of a farm hand on.
#include "worker/farm/farm_plan.h"
#include "worker/farm/farm_result.h"
#include "worker/farm/known_trials_text.h"

#include <lapidary/base/error.h>

#include "fuzz/fuzz_target.h"

namespace {

template <typename Read>
void may_refuse(const Read& read) {
    try {
        read();
    } catch (const lapidary::Error& error) {
        lapidary::fuzz::require(error.code() != lapidary::ErrorCode::internal, error.what());
    }
}

}  // namespace

LAPIDARY_FUZZ_TARGET(farm_files) {
    using namespace lapidary;
    const std::string_view text = fuzz::text_of(input);
    may_refuse([&] { app::parse_farm_plan(text); });
    may_refuse([&] { app::parse_farm_result(text); });
    may_refuse([&] { app::parse_known_trials(text); });
}

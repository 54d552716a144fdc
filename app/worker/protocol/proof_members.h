// SPDX-License-Identifier: Apache-2.0
// Options and reports of proofs by running, described member by member
// (lapidary/internal/members.h).
#pragma once

#include <lapidary/proof/guard.h>

#include "worker/protocol/job_members.h"
#include "worker/protocol/run_record_members.h"

namespace lapidary {

template <>
struct Members<Tolerance> {
    using T = Tolerance;
    static constexpr auto list =
        members<T>(member<&T::rtol>("rtol"), member<&T::atol>("atol"),
                   member<&T::by_magnitude>("by_magnitude"), member<&T::scales_atol>("scales_atol"),
                   member<&T::further>("further"));
};
template <>
struct Members<GuardOptions> {
    using T = GuardOptions;
    static constexpr auto list = members<T>(
        unsent<&T::inputs>(), member<&T::seeds>("seeds"), member<&T::dimensions>("dimensions"),
        member<&T::tolerance>("tolerance"), member<&T::threads>("threads"),
        unsent<&T::session_passes>(), unsent<&T::providers>(), unsent<&T::fallback>());
};
template <>
struct Members<GuardOutput> {
    using T = GuardOutput;
    static constexpr auto list =
        members<T>(member<&T::name>("output"), member<&T::type>("type"),
                   member<&T::seed>("seed").as_text(), member<&T::comparison>("comparison"),
                   member<&T::rounding>("rounding"), member<&T::moves>("moves").if_changed());
};
template <>
struct Members<GuardReport> {
    using T = GuardReport;
    static constexpr auto list = members<T>(
        member<&T::matches>("matches"), member<&T::outputs>("outputs"),
        member<&T::dropped>("dropped"), member<&T::failure>("failure"),
        member<&T::tolerance>("tolerance"), member<&T::excess_precision>("excess_precision"),
        member<&T::runs>("runs"), member<&T::original_ms>("original_ms"),
        member<&T::result_ms>("result_ms"), member<&T::lowered>("lowered").if_changed());
};

}  // namespace lapidary

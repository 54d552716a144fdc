// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/proof/bisect_job.h"

#include <algorithm>
#include <utility>

#include "worker/jobs/job_kind.h"
#include "worker/protocol/proof_members.h"

namespace lapidary {

template <>
struct Members<app::BisectJob> {
    using T = app::BisectJob;
    static constexpr auto list = members<T>(
        member<&T::original>("original").required(), member<&T::recipe>("recipe").required(),
        member<&T::options>("options"), member<&T::given>("inputs"));
};
template <>
struct Members<app::BisectFinding> {
    using T = app::BisectFinding;
    static constexpr auto list = members<T>(
        member<&T::number>("number"), member<&T::rewrites>("rewrites"),
        member<&T::trials>("trials"), member<&T::differs>("differs"), member<&T::pass>("pass"),
        member<&T::remark>("remark"), member<&T::output>("output"), member<&T::largest>("largest"),
        member<&T::failure>("failure"));
};

}  // namespace lapidary

namespace lapidary::app {

BisectFinding BisectJob::run(const JobContext& context) const {
    BisectOptions all;
    all.optimize = recipe.options();
    all.optimize.session_passes = recipe.sessionPasses().set;
    all.guard = options;
    all.guard.session_passes = recipe.sessionPasses();
    all.guard.inputs =
        given_values(*original.model, given, options.dimensions, context.progress.cancel);
    const BisectResult result = bisect(*original.model, all, context.progress);
    BisectFinding finding;
    finding.number = result.number;
    finding.rewrites = result.rewrites;
    finding.trials = result.trials;
    finding.differs = !result.whole.matches;
    if (result.number == 0) return finding;
    finding.pass = result.rewrite.rewrite.pass;
    finding.remark = result.rewrite.rewrite.remark;
    finding.failure = result.at.failure;
    const auto worst = std::ranges::max_element(result.at.outputs, {}, [](const GuardOutput& o) {
        return std::pair(!o.comparison.matches, o.comparison.max_abs);
    });
    if (worst == result.at.outputs.end()) return finding;
    finding.output = worst->name;
    finding.largest = worst->comparison.max_abs;
    return finding;
}

template <>
const JobKind& kind_of<BisectJob>() {
    static const KindOf<BisectJob> kind;
    return kind;
}

}  // namespace lapidary::app

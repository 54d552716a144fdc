// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "worker/jobs/job_kind.h"

namespace lapidary::app {

#define LAPIDARY_JOB(Job) \
    struct Job;           \
    template <>           \
    const JobKind& kind_of<Job>();
#include "worker/jobs/jobs.inc"
#undef LAPIDARY_JOB

namespace {

const auto& all_jobs() {
    static const std::vector<const JobKind*> all{
#define LAPIDARY_JOB(Job) &kind_of<Job>(),
#include "worker/jobs/jobs.inc"
#undef LAPIDARY_JOB
    };
    return all;
}

}  // namespace

const JobKind* find_job(std::string_view name) {
    const auto& all = all_jobs();
    const auto found = std::ranges::find(all, name, &JobKind::name);
    return found == all.end() ? nullptr : *found;
}

std::string known_jobs() {
    std::string list;
    for (const JobKind* kind : all_jobs()) (list += list.empty() ? "" : ", ") += kind->name();
    return list;
}

void LocalEngine::run(const JobKind& kind, const void* job, void* result, const Progress& progress,
                      const CallHooks& hooks) {
    kind.run(job, result, {progress, hooks.control, limits_, cache_}, hooks.on_state);
}

}  // namespace lapidary::app

// SPDX-License-Identifier: Apache-2.0
// What a worker process writes to the window: partial results of each job, blocks and errors.
#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

#include "worker/jobs/job_kind.h"
#include "worker/protocol/error_json.h"

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(service_answer) {
    using namespace lapidary;
    const app::Json answer = parse_json(fuzz::text_of(input), "the answer of the worker");
    if (!answer.is_object()) return;
    if (const auto job = answer.find("job"); job != answer.end() && job->is_string())
        if (const auto* kind = app::find_job(job->get_ref<const std::string&>()))
            if (const auto state = answer.find("state"); state != answer.end())
                kind->read_state(*state, [](const void*) {});
    if (const auto result = answer.find("result"); result != answer.end())
        app::read_json<app::BlockResult>(*result, "the result");
    if (const auto error = answer.find("error"); error != answer.end())
        app::read_json<app::SentError>(*error, "the error").error();
}

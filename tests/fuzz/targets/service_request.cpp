// SPDX-License-Identifier: Apache-2.0
// What another program writes to the worker process: a line of JSON. It is read by the server, with
// the name of a job that there is not, so that nothing runs, and by the readers of the members that
// jobs have.
#include <fcntl.h>
#include <unistd.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/measurement_members.h>
#include <lapidary/internal/parse_json.h>

#include "worker/process/serve.h"
#include "worker/protocol/described_json.h"
#include "worker/protocol/job_members.h"
#include "worker/protocol/recipe_members.h"

#include "fuzz/fuzz_target.h"

namespace {

template <typename T>
void read_member(const lapidary::app::Json& request, const char* name) try {
    if (request.is_object() && request.contains(name))
        lapidary::app::read_json<T>(request.at(name), name);
} catch (const lapidary::Error& error) {
    lapidary::fuzz::require(error.code() != lapidary::ErrorCode::internal, error.what());
}

void serve_line(const std::string& line) {
    const lapidary::fuzz::InputFile file(std::as_bytes(std::span(line)), ".jsonl");
    lapidary::app::ServeOptions options;
    options.in = ::open(file.path().c_str(), O_RDONLY | O_CLOEXEC);
    options.out = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    lapidary::fuzz::require(options.in >= 0 && options.out >= 0, "the descriptors are open");
    lapidary::app::serve(options);
    ::close(options.in);
    ::close(options.out);
}

}  // namespace

LAPIDARY_FUZZ_TARGET(service_request) {
    using namespace lapidary;
    app::Json request = parse_json(fuzz::text_of(input), "a request");
    read_member<app::ModelSource>(request, "model");
    read_member<app::RunSettings>(request, "settings");
    read_member<app::GivenInputs>(request, "inputs");
    read_member<app::Recipe>(request, "recipe");
    read_member<SweepSpace>(request, "space");
    read_member<MeasureOptions>(request, "options");
    if (request.is_object() && request.contains("job")) request["job"] = "none";
    serve_line(app::line_of(request) + '\n');
}

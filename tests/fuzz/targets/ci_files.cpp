// SPDX-License-Identifier: Apache-2.0
// The file that `ci` reads, and a baseline of a model.
#include "cli/ci/ci_baseline.h"
#include "cli/ci/ci_file.h"

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(ci_files) {
    using namespace lapidary;
    const fuzz::InputFile file(input, ".json");
    if (fuzz::text_of(input).find("\"models\"") != std::string_view::npos)
        cli::load_ci_file(file.path());
    else cli::CiBaseline(file.path(), cli::CiModel{});
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "worker/jobs/engine.h"
#include "worker/remote/file_store.h"

namespace lapidary::app {

/// Puts files together on the machine of the worker, as far as their parts are there
/// (FileStore::place()). Throws what that throws, and invalid_input on a worker of this machine.
struct PlaceFilesJob {
    using Result = PlacedFiles;
    static constexpr std::string_view name = "place_files";

    std::vector<FileInParts> files;

    std::string title() const {
        return "placing " + (files.empty() ? "nothing" : files.front().name);
    }
    PlacedFiles run(const JobContext& context) const;
};
template <>
const JobKind& kind_of<PlaceFilesJob>();

}  // namespace lapidary::app

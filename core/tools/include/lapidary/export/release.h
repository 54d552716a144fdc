// SPDX-License-Identifier: Apache-2.0
// IR versions, opsets, operators of com.microsoft and their attributes that each release of ONNX
// Runtime reads, as found out with its Python packages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// The newest versions that a release of ONNX Runtime reads.
struct RuntimeRelease {
    int minor = 0;                // 1.minor
    std::int64_t ir_version = 0;  // of the file format
    std::int64_t opset = 0;       // of ai.onnx
    std::int64_t ml_opset = 0;    // of ai.onnx.ml
};
/// The known releases, oldest first.
std::span<const RuntimeRelease> runtime_releases();
/// Release 1.`minor`. For a release newer than the known ones, the newest known. Throws
/// not_supported for an older one.
const RuntimeRelease& runtime_release(int minor);
/// The minor number of "1.20" or "1.20.1". Throws not_supported where it is no such version.
int release_minor(const std::string& version);

/// A property of a model that not every release reads.
struct ReleaseNeed {
    int minor = 0;       // 1.minor is the first known release that reads it; 0: none does
    std::string reason;  // "IR version 13", "node "a" (com.microsoft::MoE): ..."
};
/// Properties of the model, functions and bodies of control flow included, that some known release
/// does not read. Empty: all of them read it, but may lack kernels.
std::vector<ReleaseNeed> release_needs(const Model& model);
/// Minor number of the first release that reads all of them. 0: none does. Nothing: all known
/// releases do.
std::optional<int> first_release(std::span<const ReleaseNeed> needs);

/// Changes the model so that ONNX Runtime 1.`minor` reads it: converts opsets downward, expands
/// operators of com.microsoft that the release does not know into ones of ONNX, and sets the IR
/// version. Returns what it did, in sentences. Throws not_supported naming nodes and reasons where
/// that is not possible.
std::vector<std::string> fit_release(Model& model, int minor, const Progress& progress = {});

}  // namespace lapidary

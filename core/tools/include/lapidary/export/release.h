// SPDX-License-Identifier: Apache-2.0
// What releases of ONNX Runtime read: IR versions, opsets, operators of com.microsoft and their
// attributes, by what their packages for Python were seen to take.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// The newest that release 1.`minor` takes.
struct RuntimeRelease {
    int minor = 0;                // 1.minor
    std::int64_t ir_version = 0;  // of the file format
    std::int64_t opset = 0;       // of ai.onnx
    std::int64_t ml_opset = 0;    // of ai.onnx.ml
};
/// Those known here, oldest first.
std::span<const RuntimeRelease> runtime_releases();
/// Of that release; one that is newer than those known is taken as the newest of them. Throws
/// not_supported for an older one.
const RuntimeRelease& runtime_release(int minor);
/// The minor number of "1.20" or "1.20.1". Throws not_supported where it is no such version.
int release_minor(const std::string& version);

/// Something of a model that not every release takes.
struct ReleaseNeed {
    int minor = 0;       // 1.minor is the first known release that takes it; 0: none does
    std::string reason;  // "IR version 13", "node "a" (com.microsoft::MoE): ..."
};
/// What keeps older releases from reading the model, functions and bodies of control flow included.
/// Empty: every release known here reads it, as far as its kernels go.
std::vector<ReleaseNeed> release_needs(const Model& model);
/// The first minor release that takes all of them; 0 where none does; nothing where every release
/// known does.
std::optional<int> first_release(std::span<const ReleaseNeed> needs);

/// Makes the model one that ONNX Runtime 1.`minor` reads: lowers opsets where no node says anything
/// that only the newer one has, writes out operators of com.microsoft that the release does not
/// know in ones of ONNX, and writes the IR version that is needed. Returns what it did, in
/// sentences. Throws not_supported naming nodes and reasons where that is not possible.
std::vector<std::string> fit_release(Model& model, int minor, const Progress& progress = {});

}  // namespace lapidary

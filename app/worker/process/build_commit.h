// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary::app {

/// The commit that was built: what `git describe --always --dirty` printed when the build was
/// configured ("5657af6f0d1e", "v0.1.0-3-g5657af6f0d1e-dirty"), or the value of LAPIDARY_COMMIT.
/// "unknown" in a source tree without git.
const char* build_commit();

}  // namespace lapidary::app

// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary::app {

/// What `git describe --always --dirty` said of the source when the build was configured
/// ("5657af6f0d1e", "v0.1.0-3-g5657af6f0d1e-dirty"), or what LAPIDARY_COMMIT gave; "unknown" in a
/// source tree without git.
const char* build_commit();

}  // namespace lapidary::app

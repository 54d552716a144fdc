// SPDX-License-Identifier: Apache-2.0
#include <lapidary/base/progress.h>

#include <lapidary/base/error.h>

namespace lapidary {

void CancelToken::throw_if_cancelled() const {
    if (is_cancelled()) fail(ErrorCode::cancelled, "cancelled");
}

}  // namespace lapidary

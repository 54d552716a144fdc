// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/decoders_record.h"

#include <algorithm>

namespace lapidary::app {

const DecoderPoint* DecoderSide::at(std::int64_t context) const {
    const auto found = std::ranges::find(points, context, &DecoderPoint::context);
    return found == points.end() ? nullptr : &*found;
}

}  // namespace lapidary::app

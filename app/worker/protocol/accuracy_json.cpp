// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/accuracy_json.h"

#include <lapidary/internal/parse_json.h>

#include "worker/protocol/accuracy_members.h"
#include "worker/protocol/described_json.h"

namespace lapidary::app {

std::string accuracy_text(const AccuracyCounts& counts) {
    return MembersWriter<Json>()(counts).dump(1, ' ', false, Json::error_handler_t::replace);
}

AccuracyCounts parse_accuracy(std::string_view text) {
    return read_json<AccuracyCounts>(parse_json(text, "counts of accuracy"), "counts of accuracy");
}

}  // namespace lapidary::app

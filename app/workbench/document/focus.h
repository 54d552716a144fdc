// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>

#include <cstdint>

#include <lapidary/graph/attribute.h>
#include <lapidary/graph/ids.h>

namespace lapidary::app {

/// The selection, shared by all views.
struct Focus {
    NodeId node;
    ValueId value;
    std::int64_t beginNs = -1;  // selected time range of the profile; -1: none
    std::int64_t endNs = -1;
    // the subgraph that the ids belong to; null: the main graph of the open model
    GraphPtr body;
    friend bool operator==(const Focus&, const Focus&) = default;
};

}  // namespace lapidary::app

Q_DECLARE_METATYPE(lapidary::app::Focus)

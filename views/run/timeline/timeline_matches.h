// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernels of a recording a text names.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <QString>

#include <lapidary/profile/profile.h>

namespace lapidary::views {

struct TimelineMatches {
    std::vector<bool> labels;            // by LabelId: whether spans of the label match
    std::vector<std::uint32_t> kernels;  // into Profile::kernels, in time order
    std::size_t names = 0;               // how many different nodes the kernels are of

    bool has(LabelId label) const { return labels[static_cast<std::size_t>(label)]; }
};
using TimelineMatchesPtr = std::shared_ptr<const TimelineMatches>;

/// Kernels whose name or operator contains the text, in small letters or capitals. Throws
/// cancelled.
TimelineMatches findKernels(const Profile& profile, const QString& text,
                            const CancelToken& cancel = {});

}  // namespace lapidary::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/proof/bisect.h>

namespace lapidary {

/// Extracts the nodes that a rewrite replaced and made from the models right before and right after
/// it. `inputs`: of the whole model. Throws not_supported if they cannot be extracted.
RewriteRegion cut_region(const Model& before, const Model& after, const AppliedRewrite& rewrite,
                         const NamedValues& inputs, const GuardOptions& guarding,
                         const Progress& progress);

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/proof/bisect.h>

namespace lapidary {

/// Cuts the place of one rewrite out of the models right before and right after it. `inputs` are
/// those of the whole model. Throws not_supported when that cannot be done.
RewriteRegion cut_region(const Model& before, const Model& after, const AppliedRewrite& rewrite,
                         const NamedValues& inputs, const GuardOptions& guarding,
                         const Progress& progress);

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// Fuses a residual sum and the normalization of it.
#pragma once

#include <string>
#include <vector>

#include "rewrite/pass.h"

namespace lapidary::passes {

/// Rules that fuse one of `norms` ("LayerNormalization|...", with a beta when `has_beta`) and the
/// Add before it into com.microsoft::`fused`, with a bias added on either side or after the sum. A
/// sum that is read elsewhere becomes output 3.
std::vector<Rule> skip_norm_rules(const std::string& norms, bool has_beta,
                                  const std::string& fused);

}  // namespace lapidary::passes

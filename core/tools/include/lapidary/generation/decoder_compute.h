// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <lapidary/generation/generator.h>
#include <lapidary/proof/choose_compute.h>

namespace lapidary {

/// A decoder behind a prompt, for choose_compute(): its runs are a few tokens one after the other,
/// and its outputs their logits.
std::unique_ptr<ComputeSubject> decoder_subject(ModelPtr model, GeneratorOptions options,
                                                TokenRows prompt);

}  // namespace lapidary

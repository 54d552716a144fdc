// SPDX-License-Identifier: Apache-2.0
//   before:  logits [sequences, tokens, vocabulary] = head(x [sequences, tokens, width])
//   after:   logits [sequences, 1, vocabulary] = head(Gather(x, [-1])), the last token
// The product with the vocabulary is a large part of a prompt's time and memory, and the token that
// follows needs one row of it.
#pragma once

#include <string>

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// Why the logits of the last token cannot be computed alone: a phrase; empty: they can. The head
/// must be a product with a constant matrix whose other operand is read by nothing else.
std::string reason_against_last_logits(const Model& model, const std::string& logits);

/// A copy of the model whose logits are those of the last token. There must be no reason against
/// it. Throws cancelled.
Model with_last_logits(const Model& model, const std::string& logits, const CancelToken& cancel);

}  // namespace lapidary

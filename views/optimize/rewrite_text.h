// SPDX-License-Identifier: GPL-3.0-or-later
// One rewrite in words: where it was, and what it did.
#pragma once

#include <QString>

#include "workbench/document/variant.h"

namespace lapidary::views {

/// The place in the original model: the scope that its nodes share ("encoder/layer.0"), else the
/// name of one node; empty if they have none.
QString placeOf(const app::Variant& variant, const AppliedRewrite& applied);
/// What was done: the pass's own remark, else "5 nodes became 1".
QString remarkOf(const AppliedRewrite& applied);
/// Place and remark: "encoder/layer.0: 5 nodes became Gelu".
QString rewriteLine(const app::Variant& variant, const AppliedRewrite& applied);
/// Describes a rewrite in one line: "fuse_gelu: 5 nodes became Gelu".
QString describeRewrite(const app::Variant& variant, std::size_t step);

}  // namespace lapidary::views

// SPDX-License-Identifier: Apache-2.0
// Which parts of a node the kernels of an operator read. Each operator with a kernel has a line in
// reads_*.inc:
//   LAPIDARY_READS("domain", "Op", newest, "inputs", "outputs", "attributes", "without effect")
// newest: the newest version of the operator's schema that its kernels implement. The others are
// names of schemas_*.inc, of any version, one space apart: inputs read, outputs computed,
// attributes read, and inputs or attributes that need not be read, as they change no result;
// `name=number` there means: at that value only. A node that uses what stands in none of them is
// refused.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <lapidary/graph/graph.h>

namespace lapidary {

struct ReadsLine {
    std::string_view domain, op_type;
    std::int64_t newest;
    std::string_view inputs, outputs, attributes, without_effect;
};

/// Why the operator cannot run whatever kernels exist: a later opset of the domain introduced it.
/// Empty for operators whose definition is not known, and for deprecated ones, which run if a
/// kernel takes that version.
std::optional<std::string> why_undefined(std::string_view domain, std::string_view op_type,
                                         std::int64_t version);

/// All lines.
std::span<const ReadsLine> reads_lines();
/// Why no kernel may run the node though there are kernels for its operator: an input, output or
/// attribute of it that they do not know, or a newer version of the operator. Empty when everything
/// is known, and for operators without a line. An attribute with the schema's default counts as
/// absent.
std::optional<std::string> unread_part(const Node& node);

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// Results as JSON that is always valid: NaN and infinities become strings, text that is not UTF-8
// is repaired.
#pragma once

#include <iosfwd>
#include <string>

#include <lapidary/base/error.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>
#include <lapidary/graph/type.h>

#include "cli/output/json_value.h"

namespace lapidary::cli {

/// A number, or "nan", "inf", "-inf".
Json json_number(double value);
/// {"kind", "type", "element_type", "shape"}: unknown dimensions are null, symbolic ones strings.
Json json_type(const Type& type);
/// Type, shape, the first values and statistics of a value; sequences and maps with their elements.
Json json_value(const RuntimeValue& value, const CancelToken& cancel = {});
/// {"error": {"code", "message", "where"}}
Json json_error(const Error& error);
/// Indented, with a newline at the end.
void write_json(std::ostream& out, const Json& json);

}  // namespace lapidary::cli

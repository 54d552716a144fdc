// SPDX-License-Identifier: Apache-2.0
// Combines two statements about the type of one value.
#pragma once

#include <functional>
#include <map>
#include <string>

#include <lapidary/graph/type.h>

namespace lapidary {

/// The type that holds for both: equal dimensions stay, others become unknown; another rank drops
/// the shape, another kind gives Kind::unknown, another element type DType::undefined.
Type generalize(const Type& a, const Type& b);

/// A declared type with its dimension names in canonical form and numbers in place of the names in
/// `values`.
Type canonical_type(const Type& declared, const std::map<std::string, std::int64_t>& values);

/// The inferred type, completed by the kinds and element types that the file declares. Declared
/// shapes are not used, because nothing guarantees that they are right. A contradiction is reported
/// in `conflict` and what was inferred stays.
Type complete(const Type& inferred, const Type& declared, std::string& conflict);

/// Calls `change` on every dimension in the type, nested types included.
Type map_dims(const Type& type, const std::function<Dim(const Dim&)>& change);

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
// The weights files that save_model() writes beside a model, "NAME.data". When a model is replaced,
// its old weights are removed only if this program wrote them and no other model in the folder
// names them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary::onnx_io {

/// The end of each weights file that this program writes, after the last tensor, by which it
/// recognizes its own files.
inline constexpr std::string_view weights_mark = "\n-- weights written by Lapidary\n";

/// "net.onnx.data", or with a number above 0 "net.onnx.2.data".
std::string weights_name(const std::filesystem::path& model, int number);
/// The first weights_name() that nothing in the folder carries, so that until the new model stands
/// the old one keeps its weights. Throws io_failure where none of a thousand is free.
std::string free_weights_name(const std::filesystem::path& model);

/// The files of external data that a model names, as paths below its folder. Reads lengths and
/// names only, so that it is quick on models of any size. Throws invalid_model where the bytes are
/// none.
std::set<std::filesystem::path> external_locations(std::span<const std::byte> model);
/// Those of a file; none where it cannot be read or is no model.
std::set<std::filesystem::path> external_locations_of(const std::filesystem::path& model);

/// Removes `weights` (names in `folder`) under the conditions above. Returns a sentence for each
/// that stays, with the reason. Throws nothing for files: what the system refuses to remove stays
/// too.
std::vector<std::string> remove_unused_weights(const std::filesystem::path& folder,
                                               const std::set<std::filesystem::path>& weights);

}  // namespace lapidary::onnx_io

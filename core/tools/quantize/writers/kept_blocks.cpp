// SPDX-License-Identifier: Apache-2.0
#include "quantize/writers/kept_blocks.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/quantize/resumed_quantization.h>
#include <lapidary/tensor/tensor_file.h>

#include "base/files/checksum.h"

namespace lapidary {
namespace {

constexpr std::string_view kept_ending = ".npz", values_name = "values", scales_name = "scales",
                           zero_points_name = "zero_points";
constexpr std::string_view way_of_rounding =
    "blocks 1";  // another one if blocks come out otherwise
constexpr std::size_t hash_digits = 40;
// The folder's list: this line, then one with the name and the checksum of each weight.
constexpr const char* list_name = "kept-weights.txt";
constexpr std::string_view list_title = "Lapidary: weights of a quantization that goes on, 1";
constexpr std::uint64_t most_list_bytes = std::uint64_t{1} << 24;

using Checksums = std::map<std::string, std::string>;  // by name

bool is_hexadecimal(std::string_view text) {
    return text.size() == hash_digits &&
           std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

bool is_own_file(const std::filesystem::path& file) {  // no link to one
    std::error_code ignored;
    return std::filesystem::symlink_status(file, ignored).type() ==
           std::filesystem::file_type::regular;
}

/// The list of a folder that an earlier run made; empty for anything else.
std::optional<Checksums> listed_in(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (std::filesystem::symlink_status(folder, ignored).type() !=
            std::filesystem::file_type::directory ||
        !is_own_file(folder / list_name))
        return std::nullopt;
    try {
        const std::vector<std::string> lines = load_lines(folder / list_name, most_list_bytes);
        if (lines.empty() || lines.front() != list_title) return std::nullopt;
        Checksums checksums;
        for (const std::string& line : lines) {
            const std::string name = line.substr(0, hash_digits);
            if (line.size() != 2 * hash_digits + 1 || line[hash_digits] != ' ' ||
                !is_hexadecimal(name) ||
                !is_hexadecimal(std::string_view(line).substr(hash_digits + 1)))
                continue;
            checksums[name] = line.substr(hash_digits + 1);
        }
        return checksums;
    } catch (const Error&) { return std::nullopt; }
}

void save_list(const std::filesystem::path& folder, const Checksums& checksums) {
    std::string text = std::string(list_title) + '\n';
    for (const auto& [name, checksum] : checksums) text += name + ' ' + checksum + '\n';
    save_text(folder / list_name, text);
}

std::filesystem::path kept_file(const std::filesystem::path& folder, const std::string& name) {
    return folder / (name + std::string(kept_ending));
}

std::string checksum_of(const BlockWeight& blocks) {
    std::string all = sha1_hex(blocks.values.bytes()) + sha1_hex(blocks.scales.bytes());
    if (blocks.zero_points) all += sha1_hex(blocks.zero_points.bytes());
    return sha1_hex(std::as_bytes(std::span(all)));
}

Tensor tensor_of(const NamedValues& values, std::string_view name) {
    const auto at = std::ranges::find(
        values, name, [](const auto& value) { return std::string_view(value.first); });
    return at == values.end() || !at->second.is_tensor() ? Tensor() : at->second.tensor();
}

bool is_alike(const Tensor& a, const Tensor& b) {
    return a.dtype() == b.dtype() && a.shape() == b.shape();
}

}  // namespace

KeptBlocks::KeptBlocks(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::error_code ignored;
    if (folder_.empty() || std::filesystem::symlink_status(folder_, ignored).type() ==
                               std::filesystem::file_type::not_found)
        return;
    auto listed = listed_in(folder_);
    is_blocked_ = !listed;
    if (listed) checksums_ = std::move(*listed);
    else folder_.clear();
}

std::string KeptBlocks::name_of(const Tensor& weight, const InputMoments& moments,
                                const BlockKind& kind, bool is_fitted) {
    const std::string all = std::string(way_of_rounding) + ' ' + sha1_hex(weight.bytes()) + ' ' +
                            to_string(weight.shape()) + ' ' +
                            sha1_hex(std::as_bytes(std::span(moments.sums))) + ' ' +
                            std::to_string(moments.groups) + ' ' + std::to_string(moments.rows) +
                            ' ' + std::to_string(kind.bits) + ' ' + std::to_string(kind.block) +
                            (kind.symmetric ? " symmetric" : "") +
                            (kind.signed_scales ? " signed" : "") + (is_fitted ? " fitted" : "");
    return sha1_hex(std::as_bytes(std::span(all)));
}

std::optional<BlockWeight> KeptBlocks::find(const std::string& name, const Tensor& weight,
                                            const BlockKind& kind) {
    const auto listed = checksums_.find(name);
    if (!is_used() || listed == checksums_.end()) return std::nullopt;
    const std::filesystem::path file = kept_file(folder_, name);
    if (!is_own_file(file)) return std::nullopt;
    try {
        const NamedValues values = load_npz(file);
        BlockWeight blocks{tensor_of(values, values_name), tensor_of(values, scales_name),
                           tensor_of(values, zero_points_name)};
        const BlockWeight expected = empty_blocks(weight, kind.bits, kind.block);
        if (!is_alike(blocks.values, expected.values) || !is_alike(blocks.scales, expected.scales))
            return std::nullopt;
        if (kind.symmetric ? static_cast<bool>(blocks.zero_points)
                           : !is_alike(blocks.zero_points, expected.zero_points))
            return std::nullopt;
        if (checksum_of(blocks) != listed->second) return std::nullopt;
        ++found_;
        return blocks;
    } catch (const Error&) { return std::nullopt; }  // a damaged file: the weight is made again
}

void KeptBlocks::add(const std::string& name, const BlockWeight& blocks) {
    if (!is_used()) return;
    NamedValues values{{std::string(values_name), blocks.values},
                       {std::string(scales_name), blocks.scales}};
    if (blocks.zero_points) values.emplace_back(std::string(zero_points_name), blocks.zero_points);
    try {
        std::error_code error;
        std::filesystem::create_directory(folder_, error);
        const std::filesystem::path file = kept_file(folder_, name);
        const bool is_ours = checksums_.contains(name);
        if (!is_ours && std::filesystem::exists(std::filesystem::symlink_status(file, error)))
            return;
        checksums_[name] = checksum_of(blocks);
        save_list(folder_, checksums_);  // before the file, so that no file is in no list
        save_npz(file, values);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::io_failure) throw;
        folder_.clear();
    }
}

std::filesystem::path kept_weights_folder(const std::filesystem::path& model) {
    std::filesystem::path folder = model;
    folder += ".lapidary-partial";
    return folder;
}

void remove_kept_weights(const std::filesystem::path& folder) {
    const auto listed = listed_in(folder);
    if (!listed) return;
    std::error_code error;
    for (const auto& [name, checksum] : *listed)
        if (const auto file = kept_file(folder, name); is_own_file(file))
            std::filesystem::remove(file, error);
    std::filesystem::remove(folder / list_name, error);
    std::filesystem::remove(folder, error);  // unless there are other files in it
}

}  // namespace lapidary

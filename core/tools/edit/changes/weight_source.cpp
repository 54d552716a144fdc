// SPDX-License-Identifier: Apache-2.0
#include "edit/changes/weight_source.h"

#include <algorithm>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>

#include "edit/changes/number_words.h"

namespace lapidary {
namespace {

constexpr std::size_t named_arrays = 10;  // of an archive, in an error

/// Which array of an archive is meant.
std::string wanted_array(const std::filesystem::path& file, const std::string& name,
                         const ArrayReading& reading) {
    const std::vector<ArrayHeader> headers = npz_headers(file, reading);
    if (std::ranges::count(headers, name, &ArrayHeader::name) > 0) return name;
    if (headers.size() == 1) return headers.front().name;
    std::string list;
    for (std::size_t i = 0; i < std::min(headers.size(), named_arrays); ++i)
        list += (i == 0 ? "" : ", ") + quote(headers[i].name);
    if (headers.size() > named_arrays) list += " and more";
    fail_input(quote(file.filename().string()) + " has no array " + quote(name) + "; it has " +
               (list.empty() ? "none" : list));
}

}  // namespace

Tensor read_weight_file(const std::filesystem::path& file, const std::string& name,
                        const Limits& limits) {
    if (file.extension() != ".npz") return read_tensor_file(file, limits);
    ArrayReading reading;
    reading.limits = limits;
    const std::string wanted = wanted_array(file, name, reading);
    reading.wants = [&](const ArrayHeader& header) { return header.name == wanted; };
    const NamedValues values = load_npz(file, reading);
    const RuntimeValue* value = find(values, wanted);
    if (value == nullptr)
        fail_input(quote(file.filename().string()) + " has no array " + quote(wanted));
    return value->tensor();
}

}  // namespace lapidary

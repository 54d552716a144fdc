// SPDX-License-Identifier: Apache-2.0
// The files that a job names, for those that send them to another machine.
#pragma once

#include <concepts>
#include <filesystem>
#include <functional>
#include <string>
#include <type_traits>

#include <lapidary/internal/members.h>

#include "worker/inputs/given_inputs.h"
#include "worker/protocol/job_members.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

/// Takes the name of a file here and returns the one it has where the job runs.
/// `is_model`: files of external data belong to it.
using MapFile =
    std::function<std::filesystem::path(const std::filesystem::path& file, bool is_model)>;

/// Replaces the files that a described value names, at any depth.
class NamedFiles {
public:
    explicit NamedFiles(const MapFile& map) : map_(map) {}

    void replace_in(ModelSource& source) const {
        if (!source.file.empty()) source.file = map_(source.file, true);
        if (!source.quantized.empty()) source.quantized = map_(source.quantized, true);
        source.file_bytes = 0;  // the copy has another time stamp
        source.file_modified = 0;
        if (!source.recipe) return;
        if (auto& other = source.recipe->other_model) {
            replace_in(other->file, true);
            other->bytes = 0;
            other->modified = 0;
        }
        replace_in(source.recipe->quantization);
    }
    void replace_in(GivenInputs& given) const {
        for (auto& [input, file] : given.files) replace_in(file, false);
        replace_in(given.vocabulary, false);
        replace_in(given.expected, false);
    }
    template <typename T>
    void replace_in(T& value) const {
        if constexpr (std::same_as<T, std::filesystem::path>) {
            if (!value.empty()) value = map_(value, false);
        } else if constexpr (Described<T> && !HasForm<T>) {
            each_member<T>([&](const auto& described) {
                using D = std::remove_cvref_t<decltype(described)>;
                if constexpr (!is_unsent<D>) replace_in(value.*D::pointer);
            });
        } else if constexpr (requires { value.has_value(); }) {
            if (value) replace_in(*value);
        } else if constexpr (requires {
                                 value.begin();
                                 requires !std::is_const_v<
                                     std::remove_reference_t<decltype(*value.begin())>>;
                                 requires Described<typename T::value_type>;
                             }) {
            for (auto& item : value) replace_in(item);
        }
    }

private:
    void replace_in(std::string& file, bool is_model) const {  // in UTF-8
        if (file.empty()) return;
        const std::u8string mapped = map_(path_of_utf8(file), is_model).u8string();
        file.assign(mapped.begin(), mapped.end());
    }

    const MapFile& map_;
};

}  // namespace lapidary::app

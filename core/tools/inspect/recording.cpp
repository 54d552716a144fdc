// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inspect/recording.h>

#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/tensor/tensor_file.h>

#include "inspect/value_dump.h"

namespace lapidary {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t newest_version = 1;
constexpr std::int64_t most_index_bytes = 256 << 20;
constexpr const char* index_array = "index";

[[noreturn]] void fail_index(const std::string& message) {
    fail_input("the index of the recording is damaged: " + message);
}

/// The member, or an empty text where it is missing.
std::string text_of(const Json& json, const char* name) {
    const auto at = json.find(name);
    if (at == json.end()) return {};
    if (!at->is_string()) fail_index(quote(name) + " is no text");
    return at->get<std::string>();
}

std::int64_t integer_of(const Json& json, const char* name, std::int64_t fallback) {
    const auto at = json.find(name);
    if (at == json.end()) return fallback;
    if (!at->is_number_integer()) fail_index(quote(name) + " is no whole number");
    return at->get<std::int64_t>();
}

const Json& list_of(const Json& json, const char* name) {
    static const Json none = Json::array();
    const auto at = json.find(name);
    if (at == json.end()) return none;
    if (!at->is_array()) fail_index(quote(name) + " is no list");
    for (const Json& item : *at)
        if (!item.is_object()) fail_index(quote(name) + " holds what is no object");
    return *at;
}

/// Reads the index, and which array each value has.
class IndexReader {
public:
    struct Wanted {
        RecordedValue* value;
        std::string array;
    };

    /// Nothing where the archive has no index.
    static Json parse(const std::filesystem::path& path, const CancelToken& cancel) {
        ArrayReading reading;
        reading.cancel = cancel;
        reading.wants = [](const ArrayHeader& header) {
            if (header.name != index_array) return false;
            if (header.dtype != DType::u8 || header.shape.size() != 1 ||
                header.shape[0] > most_index_bytes)
                fail_index("it is no list of bytes, or too long");
            return true;
        };
        const NamedValues found = load_npz(path, reading);
        if (found.empty()) return {};
        const auto bytes = found[0].second.tensor().bytes();
        Json json = parse_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                               "index of the recording");
        if (!json.is_object() || text_of(json, "format") != "lapidary recording")
            fail_input("the archive is no recording: its index does not say so");
        if (const std::int64_t version = integer_of(json, "version", 0); version > newest_version)
            fail(ErrorCode::not_supported, "the recording has version " + std::to_string(version) +
                                               ", this program reads up to " +
                                               std::to_string(newest_version));
        return json;
    }

    Recording read(const Json& json) {
        Recording recording;
        recording.framework = text_of(json, "framework");
        recording.model = text_of(json, "model");
        read_values(list_of(json, "inputs"), recording.inputs);
        read_values(list_of(json, "outputs"), recording.outputs);
        const Json& modules = list_of(json, "modules");
        recording.modules.resize(modules.size());
        for (std::size_t i = 0; i < modules.size(); ++i) {
            RecordedModule& module = recording.modules[i];
            module.path = text_of(modules[i], "path");
            module.class_name = text_of(modules[i], "class");
            module.line = text_of(modules[i], "line");
            module.call = integer_of(modules[i], "call", 0);
            read_values(list_of(modules[i], "outputs"), module.outputs);
        }
        return recording;
    }

    const std::vector<Wanted>& wanted() const { return wanted_; }

private:
    void read_values(const Json& list, std::vector<RecordedValue>& values) {
        values.resize(list.size());
        for (std::size_t i = 0; i < list.size(); ++i) {
            RecordedValue& value = values[i];
            value.name = text_of(list[i], "name");
            value.left_out = text_of(list[i], "left_out");
            value.stride = integer_of(list[i], "stride", 1);
            if (value.stride < 1) fail_index("\"stride\" is " + std::to_string(value.stride));
            if (const auto shape = list[i].find("shape"); shape != list[i].end()) {
                if (!shape->is_array()) fail_index("\"shape\" is no list");
                for (const Json& size : *shape) {
                    if (!size.is_number_integer() || size.get<std::int64_t>() < 0)
                        fail_index("\"shape\" holds what is no size");
                    value.shape.push_back(size.get<std::int64_t>());
                }
            }
            if (value.left_out.empty()) wanted_.push_back({&value, text_of(list[i], "array")});
        }
    }

    std::vector<Wanted> wanted_;
};

std::uint64_t bytes_of(const ArrayHeader& header) {
    if (header.dtype == DType::undefined) return 0;  // reading it says what is wrong
    return storage_bytes(header.dtype, element_count(header.shape));
}

/// Gives each value its array, or the reason why it has none.
void settle(const std::vector<IndexReader::Wanted>& wanted,
            const std::map<std::string, Tensor>& arrays,
            const std::map<std::string, std::string>& refused) {
    for (const auto& [value, name] : wanted) {
        if (const auto why = refused.find(name); why != refused.end()) {
            value->left_out = why->second;
            continue;
        }
        const auto found = arrays.find(name);
        if (found == arrays.end()) {
            value->left_out = "the archive lacks its array " + quote(name);
            continue;
        }
        const Tensor& tensor = found->second;
        const bool is_whole = value->stride == 1;
        const std::int64_t whole = element_count(value->shape);
        const std::int64_t kept = whole / value->stride + (whole % value->stride > 0 ? 1 : 0);
        if (tensor.size() != kept || (is_whole && tensor.shape() != value->shape)) {
            value->left_out = "the index announces " + to_string(value->shape) +
                              (is_whole ? "" : ", each element " + std::to_string(value->stride)) +
                              "; the array has " + to_string(tensor.shape());
            continue;
        }
        value->elements = is_whole ? tensor : tensor.reshaped({tensor.size()});
    }
}

}  // namespace

Recording load_recording(const std::filesystem::path& path, std::uint64_t most_bytes,
                         const CancelToken& cancel) try {
    if (is_value_dump(path)) return load_value_dump(path, most_bytes, cancel);
    IndexReader index;
    const Json json = IndexReader::parse(path, cancel);
    if (json.is_null()) return load_value_dump(path, most_bytes, cancel);
    Recording recording = index.read(json);
    std::set<std::string> named;
    for (const auto& wanted : index.wanted()) named.insert(wanted.array);
    std::map<std::string, std::string> refused;
    std::uint64_t total = 0;
    ArrayReading reading;
    reading.cancel = cancel;
    reading.wants = [&](const ArrayHeader& header) {
        if (!named.contains(header.name)) return false;
        const std::uint64_t bytes = bytes_of(header);
        if (bytes > most_bytes || total > most_bytes - bytes) {
            refused[header.name] = "the recording is larger than the " +
                                   std::to_string(most_bytes) + " bytes that are read of it";
            return false;
        }
        total += bytes;
        return true;
    };
    std::map<std::string, Tensor> arrays;
    for (auto& [name, value] : load_npz(path, reading)) arrays.emplace(name, value.tensor());
    settle(index.wanted(), arrays, refused);
    return recording;
} catch (Error& error) { throw error.at(path.string()); }

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "inspect/value_dump.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/base64.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

namespace lapidary {
namespace {

using Json = nlohmann::json;
using Path = std::filesystem::path;

/// The values that were found so far.
class Dump {
public:
    Dump(std::uint64_t most_bytes, const CancelToken& cancel)
        : most_bytes_(most_bytes), cancel_(cancel) {}

    void read(const Path& path) {
        reading_ = path.filename().string();
        const std::string extension = extension_of(path);
        if (extension == ".json") return read_json(path);
        if (extension == ".npz") return read_npz(path);
        read_tensor(path, extension);
    }

    void read_folder(const Path& folder) {
        std::vector<Path> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.is_regular_file() && is_read(extension_of(entry.path())))
                files.push_back(entry.path());
        std::ranges::sort(files);
        for (const Path& file : files) {
            if (cancel_.is_cancelled()) fail(ErrorCode::cancelled, "cancelled");
            try {
                read(file);
            } catch (const Error& error) {
                if (error.code() == ErrorCode::cancelled) throw;
                notes_.push_back(file.filename().string() + " is not read: " + error.message());
            }
        }
        if (files.empty())
            fail_input(
                "the folder has no file with values: .tensorproto, .pb, .npy, .npz or .json");
    }

    Recording take(std::string framework) {
        if (values_.empty())
            fail_input(notes_.empty() ? "there is no tensor in it"
                                      : "there is no tensor in it: " + notes_[0]);
        note_repeated();
        Recording recording;
        recording.is_by_value = true;
        recording.framework = std::move(framework);
        recording.notes = std::move(notes_);
        recording.inputs = recording.outputs = values_;
        for (RecordedValue& value : values_) {
            RecordedModule& module = recording.modules.emplace_back();
            module.path = value.name;
            module.outputs.push_back(std::move(value));
        }
        return recording;
    }

private:
    static std::string extension_of(const Path& path) {
        std::string text = path.extension().string();
        std::ranges::transform(text, text.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
        return text;
    }
    static bool is_read(const std::string& extension) {
        constexpr const char* known[] = {".tensorproto", ".pb", ".npy", ".npz", ".json"};
        return std::ranges::any_of(known, [&](const char* one) { return extension == one; });
    }

    /// Room for as many bytes; else the value is left out.
    bool has_room(std::uint64_t bytes) {
        if (bytes > most_bytes_ || total_ > most_bytes_ - bytes) return false;
        total_ += bytes;
        return true;
    }
    std::string too_large() const {
        return "the recording is larger than the " + std::to_string(most_bytes_) +
               " bytes that are read of it";
    }
    /// The first one of a name counts.
    RecordedValue* added(const std::string& name) {
        if (!files_.emplace(name, reading_).second) {
            if (repeated_.empty())
                first_repeated_ = quote(name) + " is in " + files_[name] + " and in " + reading_;
            repeated_.insert(name);
            return nullptr;
        }
        values_.push_back({name, {}, 1, {}, {}});
        return &values_.back();
    }
    void add(const std::string& name, const Tensor& tensor) {
        if (RecordedValue* const value = added(name)) {
            value->shape = tensor.shape();
            value->elements = tensor;
        }
    }
    void leave_out(const std::string& name, const std::string& why) {
        if (RecordedValue* const value = added(name)) value->left_out = why;
    }

    void note_repeated() {
        if (repeated_.empty()) return;
        std::string note = first_repeated_;
        if (const std::size_t more = repeated_.size() - 1; more > 0)
            note += ", and " + std::to_string(more) + " more are in several files";
        notes_.push_back(note + ": the first file in the order of names counts");
    }

    void read_npz(const Path& path) {
        ArrayReading reading;
        reading.cancel = cancel_;
        std::vector<std::pair<std::string, std::string>> refused;  // name, why
        reading.wants = [&](const ArrayHeader& header) {
            const bool fits = header.dtype != DType::undefined &&
                              has_room(storage_bytes(header.dtype, element_count(header.shape)));
            if (!fits)
                refused.emplace_back(header.name,
                                     header.dtype == DType::undefined
                                         ? "its elements are of a type that is not read"
                                         : too_large());
            return fits;
        };
        for (const auto& [name, value] : load_npz(path, reading)) add(name, value.tensor());
        for (const auto& [name, why] : refused) leave_out(name, why);
    }

    /// A file of one tensor. One that cannot be read is left out.
    void read_tensor(const Path& path, const std::string& extension) {
        const std::string stem = path.stem().string();
        if (!has_room(std::filesystem::file_size(path))) return leave_out(stem, too_large());
        try {
            if (extension == ".npy") return add(stem, load_npy(path));
            const auto [name, value] = load_value_proto(path, Type());
            const std::string& known = name.empty() ? stem : name;
            if (value.is_tensor()) add(known, value.tensor());
            else leave_out(known, "it is no tensor");
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            leave_out(stem, error.message());
        }
    }

    void read_json(const Path& path) {
        const std::string text = load_text(path, most_dump_json_bytes);
        try {
            read_results(parse_json(text, "recording"));
        } catch (Error& error) { throw error.at(path.string()); }
    }

    /// Results of several runners, of which the first one is read; or inputs of several runs.
    void read_results(const Json& json) {
        const Json* runs = &json;
        if (const auto results = json.is_object() ? json.find("lst") : json.end();
            results != json.end()) {
            if (!results->is_array() || results->empty() || !(*results)[0].is_array() ||
                (*results)[0].size() != 2)
                fail_input("\"lst\" is not a list of runners with their results");
            if (results->size() > 1)
                notes_.push_back("the file has results of " + std::to_string(results->size()) +
                                 " runners; those of the first are read");
            runs = &(*results)[0][1];
        }
        if (runs->is_array()) {
            if (runs->empty()) fail_input("the file holds no run");
            if (runs->size() > 1)
                notes_.push_back("the file has " + std::to_string(runs->size()) +
                                 " runs; the first is read");
            runs = &(*runs)[0];
        }
        if (!runs->is_object()) fail_input("the run is no list of values by name");
        const auto outputs = runs->find("outputs");
        const Json& values = outputs == runs->end() ? *runs : *outputs;
        if (!values.is_object()) fail_input("\"outputs\" is no list of values by name");
        for (const auto& [name, value] : values.items())
            if (value.is_object()) read_value(name, value);
    }

    void read_value(const std::string& name, const Json& value) {
        const auto inner = value.find("values");
        const Json& array = inner == value.end() ? value : *inner;
        const auto bytes = array.is_object() ? array.find("array") : array.end();
        if (!array.is_object() || bytes == array.end() || !bytes->is_string())
            return leave_out(name, array.is_object() && array.contains("tensor")
                                       ? "it is written in PyTorch's own format"
                                       : "it is no array of NumPy");
        const auto& text = bytes->get_ref<const std::string&>();
        if (!has_room(text.size() / 4 * 3)) return leave_out(name, too_large());
        try {
            add(name, parse_npy(from_base64(text)));
        } catch (const Error& error) { leave_out(name, error.message()); }
    }

    const std::uint64_t most_bytes_;
    const CancelToken& cancel_;
    std::uint64_t total_ = 0;
    std::string reading_;                       // name of the file that is being read
    std::map<std::string, std::string> files_;  // by value: the file that it was read from
    std::set<std::string> repeated_;            // values that further files have
    std::string first_repeated_;                // the first of them with two of its files
    std::vector<RecordedValue> values_;
    std::vector<std::string> notes_;
};

}  // namespace

bool is_value_dump(const Path& path) {
    return path.extension() == ".json" || std::filesystem::is_directory(path);
}

Recording load_value_dump(const Path& path, std::uint64_t most_bytes, const CancelToken& cancel) {
    Dump dump(most_bytes, cancel);
    const bool is_folder = std::filesystem::is_directory(path);
    if (is_folder) dump.read_folder(path);
    else dump.read(path);
    return dump.take(is_folder                     ? "dump of a run"
                     : path.extension() == ".json" ? "Polygraphy"
                                                   : "values by name");
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/weights/weights_files.h"

#include <fstream>
#include <map>

#include <lapidary/base/error.h>

#include "base/files/mapped_file.h"
#include "onnx_io/wire/wire_reader.h"

namespace lapidary::onnx_io {
namespace {

namespace fs = std::filesystem;

constexpr int most_weights_names = 1000;
constexpr int deepest_graph = 200;  // subgraphs within subgraphs; the loader takes fewer

/// Walks the messages of a model that tensors lie in, past their data.
class LocationWalk {
public:
    explicit LocationWalk(std::set<fs::path>& found) : found_(found) {}

    void model(WireReader reader) {
        for (WireField field; reader.next(field);) {
            if (field.number == 7) graph({field, "GraphProto"}, 0);
            else if (field.number == 20) training({field, "TrainingInfoProto"});
            else if (field.number == 25) nodes({field, "FunctionProto"}, 7, 0);
        }
    }

private:
    void training(WireReader reader) {
        for (WireField field; reader.next(field);)
            if (field.number == 1 || field.number == 2) graph({field, "GraphProto"}, 0);
    }
    void graph(WireReader reader, int depth) {
        if (depth > deepest_graph)
            fail_model("graphs nest deeper than " + std::to_string(deepest_graph));
        for (WireField field; reader.next(field);) {
            if (field.number == 1) node({field, "NodeProto"}, depth);
            else if (field.number == 5) tensor({field, "TensorProto"});
            else if (field.number == 15) sparse({field, "SparseTensorProto"});
        }
    }
    void nodes(WireReader reader, std::uint32_t number, int depth) {
        for (WireField field; reader.next(field);)
            if (field.number == number) node({field, "NodeProto"}, depth);
    }
    void node(WireReader reader, int depth) {
        for (WireField field; reader.next(field);)
            if (field.number == 5) attribute({field, "AttributeProto"}, depth);
    }
    void attribute(WireReader reader, int depth) {
        for (WireField field; reader.next(field);) {
            if (field.number == 5 || field.number == 10) tensor({field, "TensorProto"});
            else if (field.number == 6 || field.number == 11)
                graph({field, "GraphProto"}, depth + 1);
            else if (field.number == 22 || field.number == 23) sparse({field, "SparseTensorProto"});
        }
    }
    void sparse(WireReader reader) {
        for (WireField field; reader.next(field);)
            if (field.number == 1 || field.number == 2) tensor({field, "TensorProto"});
    }
    void tensor(WireReader reader) {
        for (WireField field; reader.next(field);)
            if (field.number == 13) entry({field, "StringStringEntryProto"});
    }
    void entry(WireReader reader) {
        std::string_view key, value;
        for (WireField field; reader.next(field);) {
            if (field.number == 1) key = field.text();
            else if (field.number == 2) value = field.text();
        }
        if (key == "location" && !value.empty()) found_.insert(fs::path(value).lexically_normal());
    }

    std::set<fs::path>& found_;
};

bool ends_with_mark(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string end(weights_mark.size(), '\0');
    in.seekg(-static_cast<std::streamoff>(end.size()), std::ios::end);
    return in.read(end.data(), static_cast<std::streamsize>(end.size())) && end == weights_mark;
}

/// For each of `weights` that a model in the folder names: the first such model.
std::map<fs::path, fs::path> users_of(const std::set<fs::path>& weights, const fs::path& folder) {
    std::map<fs::path, fs::path> users;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        std::error_code ignored;
        const fs::path name = at->path().filename();
        if (weights.contains(name) || !at->is_regular_file(ignored)) continue;
        for (const fs::path& location : external_locations_of(at->path()))
            if (weights.contains(location)) users.emplace(location, name);
    }
    return users;
}

}  // namespace

std::string weights_name(const fs::path& model, int number) {
    return model.filename().string() + (number == 0 ? "" : "." + std::to_string(number)) + ".data";
}

std::string free_weights_name(const fs::path& model) {
    for (int number = 0; number < most_weights_names; ++number) {
        std::string name = weights_name(model, number);
        std::error_code failed;
        if (fs::symlink_status(model.parent_path() / name, failed).type() ==
            fs::file_type::not_found)
            return name;
    }
    fail(ErrorCode::io_failure,
         "no name is free for the weights of " + quote(model.string(), 4096));
}

std::set<fs::path> external_locations(std::span<const std::byte> model) {
    std::set<fs::path> found;
    LocationWalk(found).model(WireReader(model, 0, "ModelProto"));
    return found;
}

std::set<fs::path> external_locations_of(const fs::path& model) try {
    std::error_code failed;
    if (!fs::is_regular_file(model, failed)) return {};
    return external_locations(MappedFile::open(model, MappedFile::Reading::in_passing)->bytes());
} catch (const Error&) { return {}; }

std::vector<std::string> remove_unused_weights(const fs::path& folder,
                                               const std::set<fs::path>& weights) {
    std::vector<std::string> kept;
    if (weights.empty()) return kept;
    const std::map<fs::path, fs::path> users = users_of(weights, folder);
    for (const fs::path& name : weights) {
        const fs::path file = folder / name;
        std::error_code failed;
        // gone, or a link to somewhere else
        if (!fs::is_regular_file(fs::symlink_status(file, failed))) continue;
        const std::string stays = quote(name.string(), 4096) + " stays: ";
        if (const auto user = users.find(name); user != users.end())
            kept.push_back(stays + quote(user->second.string(), 4096) +
                           " keeps weights in it, too");
        else if (name.has_parent_path() || !ends_with_mark(file))
            kept.push_back(
                stays +
                "no model in the folder names it any more, but it was not written by this program");
        else if (!fs::remove(file, failed))
            kept.push_back(stays + "it cannot be removed: " + failed.message());
    }
    return kept;
}

}  // namespace lapidary::onnx_io

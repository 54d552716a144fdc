// SPDX-License-Identifier: Apache-2.0
#include <lapidary/onnx_io/model_io.h>

#include <limits>

#include <lapidary/onnx_io/save_beside_weights.h>

#include "base/files/atomic_file.h"
#include "base/files/file_identity.h"
#include "base/files/input_protection.h"
#include "base/files/mapping_guard.h"
#include "graph/traversal.h"
#include "onnx_io/preserved.h"
#include "onnx_io/weights/weights_files.h"
#include "onnx_io/weights/weights_journal.h"
#include "onnx_io/write/write_graph.h"
#include "ops/inference/other_forms.h"

namespace lapidary {
namespace {

using namespace onnx_io;

// what protobuf readers accept
constexpr std::uint64_t largest_message = (std::uint64_t{1} << 31) - 1;
constexpr std::uint64_t usual_external_min_bytes = 1024;
constexpr std::size_t write_step = std::size_t{16} << 20;

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
    const auto x = FileIdentity::at(a), y = FileIdentity::at(b);
    return x && y && x->device == y->device && x->inode == y->inode;
}

void remove_file(const std::filesystem::path& path) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
}

bool belongs_to_source(const Model& model, const std::filesystem::path& path) {
    if (!model.path.empty() && is_same_file(model.path, path)) return true;
    for (const auto& file : model.external_files)
        if (is_same_file(file, path)) return true;
    return false;
}

void refuse_source(const Model& model, const std::filesystem::path& path) {
    if (!belongs_to_source(model, path)) return;
    const std::string from = model.path == path
                                 ? std::string()
                                 : " (loaded from " + quote(model.path.string(), 4096) + ")";
    fail(ErrorCode::io_failure, quote(path.string(), 4096) +
                                    " belongs to the model that is being saved" + from +
                                    ": choose another file, or allow overwriting the source");
}

/// A file with such a node would be refused by every reader, this one too.
void refuse_other_forms(const Model& model) {
    for_each_graph(model.graph, [&](const Graph& graph, const std::string& place) {
        const auto others = nodes_of_other_forms(graph, model.opset_imports);
        if (others.empty()) return;
        fail_unsupported(graph.node(others.front().node).describe() +
                         (&graph == &model.graph ? "" : " in " + place) +
                         " cannot be written: " + others.front().reason);
    });
}

WireWriter write_message(const Model& model, ExternalPlan* plan, const CancelToken& cancel) {
    WireWriter out;
    onnx::ModelProto head;
    head.set_ir_version(model.ir_version);
    if (!model.producer_name.empty()) head.set_producer_name(model.producer_name);
    if (!model.producer_version.empty()) head.set_producer_version(model.producer_version);
    if (!model.domain.empty()) head.set_domain(model.domain);
    if (model.model_version != 0) head.set_model_version(model.model_version);
    if (!model.doc.empty()) head.set_doc_string(model.doc);
    for (const auto& [domain, version] : imports_of(model.graph, model.opset_imports)) {
        auto* import = head.add_opset_import();
        import->set_domain(domain);
        import->set_version(version);
    }
    set_pairs(model.metadata, *head.mutable_metadata_props());
    *head.mutable_unknown_fields() = model.preserved;
    out.add_fields(head);
    out.add_message(7, GraphWriter(model.graph, model, nullptr, plan, cancel).write());
    for (const Function& f : model.functions) {
        cancel.throw_if_cancelled();
        out.add_message(25,
                        GraphWriter(*f.body, model, nullptr, nullptr, cancel).write_function(f));
    }
    return out;
}

/// Pages of a mapped file that were written are not kept in memory.
void write_bytes(AtomicFile& file, std::span<const std::byte> bytes, std::uint64_t total,
                 const Progress& progress) {
    for (std::size_t at = 0; at < bytes.size(); at += write_step) {
        const auto step = bytes.subspan(at, std::min(write_step, bytes.size() - at));
        file.write(step);
        MappingGuard::drop_pages(step.data(), step.size());
        progress.step(
            "writing",
            total == 0 ? -1.0 : static_cast<double>(file.size()) / static_cast<double>(total));
    }
}

/// A deferred tensor stays so: no more of it is in memory than a step.
void write_elements(AtomicFile& file, const Tensor& tensor, std::uint64_t total,
                    const Progress& progress) {
    if (!tensor.is_deferred()) return write_bytes(file, tensor.bytes(), total, progress);
    std::vector<std::byte> piece(std::min(write_step, tensor.byte_size()));
    for (std::size_t at = 0; at < tensor.byte_size(); at += piece.size()) {
        piece.resize(std::min(piece.size(), tensor.byte_size() - at));
        tensor.read(at, piece.size(), piece.data());
        write_bytes(file, piece, total, progress);
    }
}

void write_external(AtomicFile& file, const ExternalPlan& plan, const Progress& progress) {
    static constexpr std::byte zeros[4096] = {};
    for (const ExternalPlan::Entry& entry : plan.entries) {
        file.write(std::span(zeros, static_cast<std::size_t>(entry.offset - file.size())));
        write_elements(file, entry.tensor, plan.size, progress);
    }
}

/// Bytes of all initializers, which a file holds at least where they are written into it.
std::uint64_t initializer_bytes(const Model& model) {
    std::uint64_t bytes = 0;
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        for (const ValueId v : graph.initializers()) bytes += graph.value(v).constant->byte_size();
    });
    return bytes;
}

void require_whole_weights(const Model& model) {
    if (MappingGuard::damage_count() == 0) return;
    for_each_graph(model, [](const Graph& graph, const std::string&) {
        for (const ValueId v : graph.initializers())
            if (MappingGuard::is_damaged_at(graph.value(v).constant->identity()))
                fail(ErrorCode::io_failure,
                     "the file of " + quote(graph.value(v).name) +
                         " was truncated after the model was loaded; load it again");
    });
}

/// Weights are mapped: what another program writes to their files may be in what was just written.
/// Known where a command remembers what it read (InputProtection).
void require_same_weights(const Model& model) {
    require_whole_weights(model);
    std::vector<std::filesystem::path> files = model.external_files;
    files.push_back(model.path);
    for (const std::filesystem::path& file : files)
        if (!is_input_unchanged(file))
            fail(ErrorCode::io_failure,
                 quote(file.string(), 4096) +
                     " belongs to the model and changed after it was loaded; load it again");
}

/// The weights of the existing model at `path`, without those of the source model where that is to
/// be kept.
std::set<std::filesystem::path> replaced_weights(const Model& model,
                                                 const std::filesystem::path& path,
                                                 const SaveOptions& options) {
    std::set<std::filesystem::path> names = external_locations_of(path);
    if (!options.overwrite_source)
        std::erase_if(names, [&](const auto& name) {
            return belongs_to_source(model, path.parent_path() / name);
        });
    return names;
}

/// Written whole, with the mark by which the program knows it again.
void save_weights(const Model& model, const std::filesystem::path& file, const ExternalPlan& plan,
                  const Progress& progress) {
    AtomicFile data(file);
    write_external(data, plan, progress);
    data.write(weights_mark);
    require_same_weights(model);
    data.commit();
}

/// `keeps_weights`: tensors that lie in files of weights in the folder of `path` stay there.
std::vector<std::string> save(const Model& model, const std::filesystem::path& path,
                              const SaveOptions& options, bool keeps_weights,
                              const Progress& progress) {
    try {
        if (path.extension() == ".ort")
            fail_input(
                "a file ending in .ort would be taken for ONNX Runtime's own format, which only "
                "`optimize` writes, "
                "with your own ONNX Runtime: choose .onnx");
        if (!options.overwrite_source) refuse_source(model, path);
        refuse_other_forms(model);
        progress.step("writing", 0.0);
        AtomicFile file(path, belongs_to_source(model, path) ? AtomicFile::Replace::any
                                                             : AtomicFile::Replace::no_input);
        const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
        remove_left_weights(folder);
        std::optional<ExternalPlan> plan;
        const auto make_plan = [&](std::uint64_t min_bytes) {
            plan = ExternalPlan{free_weights_name(path), min_bytes, {}, 0};
            if (!keeps_weights) return;
            plan->kept_folder = folder;
            plan->kept_files = model.external_files;
        };
        constexpr std::uint64_t none_is_large = std::numeric_limits<std::uint64_t>::max();
        if (keeps_weights)
            make_plan(options.external_data_min_bytes.value_or(
                initializer_bytes(model) > largest_message ? usual_external_min_bytes
                                                           : none_is_large));
        else if (options.external_data_min_bytes) make_plan(*options.external_data_min_bytes);
        else if (initializer_bytes(model) > largest_message) make_plan(usual_external_min_bytes);
        WireWriter message = write_message(model, plan ? &*plan : nullptr, progress.cancel);
        if (message.size() > largest_message && !plan) {
            make_plan(usual_external_min_bytes);
            message = write_message(model, &*plan, progress.cancel);
        }
        if (message.size() > largest_message)
            fail_limit(
                "the model takes " + std::to_string(message.size()) + " bytes, more than the " +
                std::to_string(largest_message) +
                " of a protobuf file, besides the weights that can be kept in a file of their own");
        std::set<std::filesystem::path> replaced = replaced_weights(model, path, options);
        if (plan)
            for (const auto& location : plan->kept_locations) replaced.erase(location);
        if (plan && plan->entries.empty()) plan.reset();
        std::set<std::filesystem::path> left = replaced;
        if (plan) left.insert(plan->location);
        const WeightsJournal journal(folder / path.filename(), left);
        if (plan) save_weights(model, path.parent_path() / plan->location, *plan, progress);
        try {
            const std::uint64_t total = message.size() + (plan ? plan->size : 0);
            message.for_each_piece([&](std::span<const std::byte> piece) {
                write_bytes(file, piece, total, progress);
            });
            require_same_weights(model);
            file.commit();
        } catch (...) {
            if (plan && !file.is_in_place()) remove_file(path.parent_path() / plan->location);
            throw;
        }
        return remove_unused_weights(folder, replaced);
    } catch (Error& e) {
        if (e.where().empty()) e.at("saving " + path.string());
        throw;
    }
}

}  // namespace

std::vector<std::string> save_model(const Model& model, const std::filesystem::path& path,
                                    const SaveOptions& options, const Progress& progress) {
    return save(model, path, options, false, progress);
}

std::vector<std::string> save_beside_weights(const Model& model, const std::filesystem::path& path,
                                             const SaveOptions& options, const Progress& progress) {
    return save(model, path, options, !model.external_files.empty(), progress);
}

void save_tensor_proto(const std::filesystem::path& path, const std::string& name,
                       const Tensor& tensor) {
    onnx::TensorProto rest;
    rest.set_name(name);
    AtomicFile file(path);
    const WireWriter message = write_tensor(tensor, std::move(rest));
    message.for_each_piece([&](std::span<const std::byte> piece) { file.write(piece); });
    file.commit();
}

}  // namespace lapidary

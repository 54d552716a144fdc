// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/bench_models.h"

#include <set>

#include <fmt/format.h>

#include <lapidary/bench/bench.h>
#include <lapidary/cost/cost_rollback.h>
#include <lapidary/report/model_summary.h>
#include <lapidary/internal/text_file.h>

#include "cli/models/model_argument.h"

namespace lapidary::cli {
namespace {

namespace fs = std::filesystem;

/// Operations of LSTM, GRU and RNN: X [S,B,I] by W [D,G*H,I] and, S times, [B,H] by R [D,G*H,H].
std::optional<double> recurrent_work(const Graph& graph, const Node& node) {
    double weights = 0;
    for (const std::size_t input : {1u, 2u}) {
        const Type& type = graph.value(node.inputs.at(input)).type;
        if (!type.is_static()) return std::nullopt;
        weights += static_cast<double>(element_count(type.static_shape()));
    }
    const Type& x = graph.value(node.inputs.at(0)).type;
    if (!x.is_static() || x.shape->size() < 2) return std::nullopt;
    return 2 * weights * static_cast<double>(x.static_shape()[0] * x.static_shape()[1]);
}

}  // namespace

std::string model_name(const std::string& argument) {
    const std::string_view sample = sample_of(argument);
    return sample.empty() ? fs::path(argument).stem().string() : std::string(sample);
}

GatheredInputs inputs_of_size(const Model& model, InputOptions options,
                              std::optional<std::int64_t> batch, const CancelToken& cancel) {
    if (batch) {
        const std::vector<std::string> names = batch_dimensions(model);
        if (names.empty()) fail_input("--batch: no input has a first dimension that is free");
        for (const std::string& name : names) options.dimensions.emplace(name, *batch);
    }
    return gather_inputs(model, options, cancel);
}

std::int64_t first_dimension(const NamedValues& inputs) {
    return !inputs.empty() && inputs[0].second.is_tensor() && inputs[0].second.tensor().rank() > 0
               ? inputs[0].second.tensor().dim(0)
               : 0;
}

Work work_of(const Model& model, const NamedValues& inputs, const Progress& progress) {
    static const std::set<std::string_view> recurrent{"LSTM", "GRU", "RNN"};
    static const std::set<std::string_view> products{"Conv",
                                                     "ConvTranspose",
                                                     "ConvInteger",
                                                     "QLinearConv",
                                                     "FusedConv",
                                                     "MatMul",
                                                     "MatMulInteger",
                                                     "QLinearMatMul",
                                                     "Gemm",
                                                     "FusedMatMul",
                                                     "FusedGemm",
                                                     "QGemm",
                                                     "DynamicQuantizeMatMul",
                                                     "MatMulIntegerToFloat",
                                                     "Attention",
                                                     "MultiHeadAttention",
                                                     "Einsum"};
    Work work;
    work.weight_mb = static_cast<double>(summarize(model).weight_bytes) / 1e6;
    const Model sized = sized_for(model, inputs, progress);
    std::optional<double> operations = 0;
    for (const NodeId id : sized.graph.nodes()) {
        const Node& node = sized.graph.node(id);
        std::optional<double> part = 0;
        if (recurrent.contains(node.op_type)) part = recurrent_work(sized.graph, node);
        else if (products.contains(node.op_type)) part = estimated_work(sized.graph, id);
        operations = operations && part ? std::optional<double>(*operations + *part) : std::nullopt;
    }
    work.gflop = operations.value_or(0) / 1e9;
    return work;
}

std::unique_ptr<BenchPeer> peer_of(const BenchCommandOptions& options) {
    const auto info = find_peer(options.against);
    if (!info) return nullptr;
    return find_bench_peer(info->peer,
                           info->peer == Peer::onnxruntime ? options.onnxruntime : options.peer);
}

std::string peer_title(const std::string& name) {
    const auto info = find_peer(name);
    return info ? std::string(info->title) : name;
}

Json machine_json(const std::string& peer, const std::string& version) {
    const MachineInfo machine = machine_info();
    Json json = {{"cpu", machine.cpu},           {"isa", machine.isa},
                 {"cores", machine.cores},       {"memory_gb", machine.memory_gb},
                 {"system", machine.system},     {"date", machine.date},
                 {"lapidary", LAPIDARY_VERSION}, {"onnxruntime", nullptr}};
    if (!version.empty()) json[peer] = version;
    return json;
}

std::string machine_text() {
    const MachineInfo machine = machine_info();
    return fmt::format("machine  {}, {}, {} cores, {}, {}\n", machine.cpu, machine.isa,
                       machine.cores, machine.system, machine.date);
}

Json interval_json(const MedianEstimate& estimate) {
    return Json::array({json_number(estimate.low), json_number(estimate.high)});
}

std::string ms_text(double ms) { return fmt::format("{:.{}f}", ms, ms < 1 ? 4 : ms < 100 ? 3 : 1); }
std::string spread_text(const MedianEstimate& e) {
    const double down = 100 * (e.median - e.low) / e.median,
                 up = 100 * (e.high - e.median) / e.median;
    constexpr double most_uneven = 1.5;
    if (std::max(up, down) > most_uneven * std::min(up, down) && std::abs(up - down) > 0.1)
        return fmt::format("-{:.1f} +{:.1f} %", down, up);
    return fmt::format("{:.1f} %", std::max(up, down));
}

void save_json(const fs::path& path, const Json& json) {
    if (path.empty()) return;
    save_text(path, json.dump(2) + '\n');
}

}  // namespace lapidary::cli

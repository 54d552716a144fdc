// SPDX-License-Identifier: Apache-2.0
#include <lapidary/quantize/quantize_snippet.h>

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lapidary/base/error.h>
#include <lapidary/export/snippet.h>

#include "export/python_text.h"
#include "export/quantize_program.h"
#include "export/snippet_program.h"

namespace lapidary {
namespace {

constexpr int oldest_with_tools = 20;   // CalibPercentile, op_types_to_quantize of blocks
constexpr int first_with_8_bits = 22;   // of MatMulNBits in the Python tools
constexpr int first_with_onnx_ir = 24;  // that the tools for blocks import
constexpr int first_with_signed_convolution = 24;  // ConvInteger
// protobuf allows less than 2^31 bytes, of which the graph needs some
constexpr std::uint64_t most_in_one_file = 1'900'000'000;

std::string version_of(const QuantizeSnippetSettings& settings) {
    return settings.onnxruntime_version.empty() ? known_onnxruntime_versions().front()
                                                : settings.onnxruntime_version;
}

void check_file(const char* what, const std::string& file) {
    if (file.empty() || file.find('\0') != std::string::npos)
        fail_unsupported(
            fmt::format("the name of the {} file is empty or holds a zero byte", what));
}

void check_static(const QuantizeOptions& options) {
    const bool wide = options.activation == DType::u16 || options.activation == DType::i16;
    const bool operators = options.static_form == StaticForm::operators;
    if (options.activation == DType::i8 &&
        (options.weight == DType::u8 || options.weight == DType::u4))
        fail_unsupported(fmt::format(
            "quantize_static refuses activations of s8 with unsigned weights, here {}: choose "
            "activations of u8, or weights of s8 or s4",
            name_of(options.weight)));
    if (operators && wide)
        fail_unsupported(
            "quantize_static has activations of 16 bits in format QDQ alone: choose the format "
            "qdq");
    if (operators && is_packed(options.weight))
        fail_unsupported(
            "quantize_static has weights of 4 bits in format QDQ alone: choose the format qdq");
}

void check_weights(const QuantizeOptions& options, int minor) {
    if (options.storage == WeightStorage::float8)
        fail_unsupported(
            "ONNX Runtime's tools store weights as float8 only where activations are float8 too");
    if (options.storage == WeightStorage::bfloat16)
        fail_unsupported("ONNX Runtime's tools do not store weights alone as bfloat16");
    if (options.weight_bits != 8) return;
    if (options.block_form == BlockForm::dequantize)
        fail_unsupported(
            "MatMulNBitsQuantizer writes blocks of 8 bits as MatMulNBits alone, not as "
            "DequantizeLinear: "
            "choose the block form nbits");
    if (minor < first_with_8_bits)
        fail_unsupported(fmt::format(
            "blocks of 8 bits need ONNX Runtime 1.{}: before, its tools knew 4 bits alone",
            first_with_8_bits));
}

/// The operators that the tool for the mode can quantize.
std::set<std::string> known_operators(const QuantizeProgram& program) {
    const QuantizeOptions& options = program.options();
    if (options.mode == QuantizeMode::dynamic)
        return {"Attention", "Conv", "Gather", "Gemm", "LSTM", "MatMul"};
    if (options.mode != QuantizeMode::weights) return {};
    const bool tables = options.weight_bits == 4 && options.block_form == BlockForm::matmul_nbits;
    return tables ? std::set<std::string>{"Gather", "Gemm", "MatMul"}
                  : std::set<std::string>{"Gemm", "MatMul"};
}

/// Operators of quantized nodes, without those that the tool for the mode cannot quantize.
std::set<std::string> quantized_operators(const QuantizeProgram& program) {
    const std::set<std::string> known = known_operators(program);
    std::set<std::string> operators;
    for (const PlannedNode& node : program.plan.nodes)
        if (node.quantized && (known.empty() || known.contains(node.op_type)))
            operators.insert(node.op_type);
    if (operators.empty())
        fail_unsupported(
            fmt::format("none of the {} nodes of the model would be quantized, at least none that "
                        "ONNX Runtime's tools "
                        "quantize in this mode",
                        program.plan.nodes.size()));
    return operators;
}

/// True if the tool would quantize the node unless it is listed as excluded.
bool may_be_taken(const QuantizeProgram& program, const PlannedNode& node,
                  const std::set<std::string>& operators) {
    if (node.value.empty() || (node.inner && !program.inner)) return false;
    if (program.places_itself()) return node.asked_float;
    if (program.options().mode == QuantizeMode::half) return node.reads_float && !node.holds_graphs;
    return node.reads_float && operators.contains(node.op_type);
}

void choose_nodes(QuantizeProgram& program) {
    const QuantizeMode mode = program.options().mode;
    const bool makes_products = mode == QuantizeMode::dynamic || mode == QuantizeMode::weights;
    std::set<std::string> operators = quantized_operators(program), kept;
    program.splits_gemm = makes_products && operators.contains("Gemm");
    if (program.splits_gemm) operators.insert("MatMul");  // which it becomes
    program.inner = mode == QuantizeMode::weights &&
                    std::ranges::any_of(program.plan.nodes, &PlannedNode::inner);
    for (const PlannedNode& node : program.plan.nodes)
        if (!node.quantized && may_be_taken(program, node, operators)) kept.insert(node.value);
    program.kept.assign(kept.begin(), kept.end());
    if (program.places_itself() || mode == QuantizeMode::half) return;
    if (program.splits_gemm) operators.erase("Gemm");
    program.operators.assign(operators.begin(), operators.end());
}

std::int64_t needed_opset(const QuantizeProgram& program) {
    // A table of 4 bits makes the tool write opset 21 into the file, whatever its operators are.
    const bool packed_table =
        program.options().mode == QuantizeMode::weights && program.quantizes("Gather") &&
        std::ranges::find(program.operators, "Gather") != program.operators.end();
    const std::int64_t least = packed_table ? 21 : program.plan.least_opset;
    return program.model->opset() < least ? least : 0;
}

std::string prepared_text(const QuantizeProgram& program) {
    const char* nodes = program.inner ? "nodes_of(model.graph)" : "model.graph.node";
    std::string text;
    if (program.inner)
        text +=
            "def nodes_of(graph):\n"
            "    \"\"\"Those of subgraphs too.\"\"\"\n"
            "    for node in graph.node:\n"
            "        yield node\n"
            "        for attribute in node.attribute:\n"
            "            for inner in [attribute.g, *attribute.graphs]:\n"
            "                yield from nodes_of(inner)\n\n\n";
    text +=
        "def value_of(node):\n"
        "    \"\"\"What the node writes first, which preparing keeps where it fuses nodes.\"\"\"\n"
        "    return next((name for name in node.output if name), \"\")\n\n\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    path = os.path.join(folder, \"prepared.onnx\")\n";
    const std::string external =
        program.large ? ", save_as_external_data=True, all_tensors_to_one_file=True" : "";
    std::string source = "MODEL";
    if (program.opset > 0) {
        text += fmt::format(
            "    converted = os.path.join(folder, \"converted.onnx\")\n"
            "    model = onnx.version_converter.convert_version(onnx.load(MODEL), {})\n"
            "    onnx.save(model, converted{})\n",
            program.opset, external);
        source = "converted";
    }
    text += fmt::format(
        "    quant_pre_process({}, path, skip_symbolic_shape=True{})\n"
        "    model = onnx.load(path)\n"
        "    for node in {}:  # only what has a name can be excluded\n"
        "        node.name = node.name or value_of(node) + \"_node\"\n",
        source, external, nodes);
    const bool reads_file = program.is_static() || program.options().mode == QuantizeMode::dynamic;
    if (reads_file && program.large)
        text +=
            "    path = os.path.join(folder, \"named.onnx\")\n"
            "    onnx.save(model, path" +
            external + ")\n";
    else if (reads_file) text += "    onnx.save(model, path)\n";
    if (program.kept.empty()) return text;
    text += fmt::format(
        "    kept = [node.name for node in {0} if value_of(node) in KEPT_FLOAT]\n"
        "    for value in sorted(KEPT_FLOAT - {{value_of(node) for node in {0}}}):\n"
        "        print(\"not kept float, for no node of the prepared model writes it:\", value)\n",
        nodes);
    if (program.splits_gemm)
        text += "    kept += [name + \"_MatMul\" for name in kept]  # what Gemm becomes\n";
    return text;
}

std::string mode_text(const QuantizeOptions& options) {
    switch (options.mode) {
    case QuantizeMode::dynamic: return "weights of 8 bits, activations in each run (dynamic)";
    case QuantizeMode::static_qdq:
        return fmt::format("weights of {}, activations of {} (static)", name_of(options.weight),
                           name_of(options.activation));
    case QuantizeMode::half: return "float16";
    case QuantizeMode::weights: break;
    }
    return fmt::format("weights alone, {} bits in blocks of {}", options.weight_bits,
                       options.block);
}

std::string head_text(const QuantizeProgram& program, const std::vector<std::string>& packages) {
    std::string text = note_of_newer_version(program.minor, "#");
    text +=
        fmt::format("# Quantizes a model with ONNX Runtime's tools as Lapidary was asked to: {}.\n",
                    mode_text(program.options()));
    text += fmt::format("# pip install \"onnxruntime==1.{}.*\" onnx", program.minor);
    for (const std::string& package : packages) text += " " + package;
    const std::vector<std::string> limits = reported_limits(program);
    if (!limits.empty()) text += "\n# Otherwise than in Lapidary:";
    else if (program.is_static())
        text +=
            "\n# Weights, scales and zero points come out as Lapidary's, but for last digits of "
            "ranges, which\n"
            "# the two compute in another order.";
    else text += "\n# Weights, scales and zero points come out as Lapidary's.";
    for (const std::string& limit : limits) text += "\n# - " + limit;
    return text + "\n";
}

}  // namespace

bool QuantizeProgram::needs_unsigned() const {
    return options().mode == QuantizeMode::dynamic && minor < first_with_signed_convolution &&
           quantizes("Conv");
}

bool QuantizeProgram::quantizes(std::string_view op_type) const {
    return std::ranges::any_of(plan.nodes, [&](const PlannedNode& node) {
        return node.quantized && node.op_type == op_type;
    });
}

QuantizeProgram quantize_program(const Model& model, const QuantizeSnippetSettings& settings,
                                 const Progress& progress) {
    check_quantize_snippet(settings);
    QuantizeProgram program;
    program.model = &model;
    program.settings = &settings;
    program.minor = onnxruntime_minor(version_of(settings));
    program.plan = plan_quantization(model, settings.options, settings.nodes, progress);
    choose_nodes(program);
    program.opset = needed_opset(program);
    program.large = constant_bytes(model) > most_in_one_file;
    return program;
}

void check_quantize_snippet(const QuantizeSnippetSettings& settings) {
    check_file("model", settings.model_file);
    check_file("quantized", settings.quantized_file);
    if (std::filesystem::path(settings.quantized_file).lexically_normal() ==
        std::filesystem::path(settings.model_file).lexically_normal())
        fail_input("the quantized file is the model itself, " + quote(settings.model_file) +
                   ": choose another file");
    const std::string version = version_of(settings);
    const int minor = onnxruntime_minor(version);
    if (minor < oldest_with_tools)
        fail_unsupported(fmt::format(
            "programs that quantize are written for ONNX Runtime 1.{} and newer, not {}",
            oldest_with_tools, version));
    if (settings.options.mode == QuantizeMode::static_qdq) check_static(settings.options);
    if (settings.options.mode == QuantizeMode::weights) check_weights(settings.options, minor);
}

std::string quantize_snippet(const Model& model, const QuantizeSnippetSettings& settings,
                             const Progress& progress) {
    const QuantizeProgram program = quantize_program(model, settings, progress);
    ProgramPart reader = program.is_static() ? calibration_reader(program) : ProgramPart();
    if (settings.options.mode == QuantizeMode::weights && program.minor >= first_with_onnx_ir)
        for (const char* package : {"onnx_ir", "ml_dtypes"}) reader.packages.emplace_back(package);
    std::string text = head_text(program, reader.packages);
    std::vector<std::string> standard{"os", "tempfile"}, installed{"onnx", "onnxruntime as ort"};
    for (const std::string& module : reader.modules)
        (module == "pathlib" ? standard : installed).push_back(module);
    if (program.opset > 0) installed.emplace_back("onnx.version_converter");
    for (auto* modules : {&standard, &installed}) {
        std::ranges::sort(*modules);
        for (const std::string& module : *modules) text += "import " + module + "\n";
        if (modules == &standard) text += '\n';
    }
    text += quantizing_imports(program);
    text += fmt::format("\nMODEL = {}\nQUANTIZED = {}\n", python_literal(settings.model_file),
                        python_literal(settings.quantized_file));
    if (!program.kept.empty()) {
        text += "# What the nodes write that stay float.\nKEPT_FLOAT = {\n";
        for (const std::string& value : program.kept)
            text += fmt::format("    {},\n", python_literal(value));
        text += "}\n";
    }
    text += reader.text + "\n\n" + prepared_text(program) + quantizing_call(program);
    text +=
        "ort.InferenceSession(QUANTIZED, providers=[\"CPUExecutionProvider\"])  # fails where it "
        "does not load\n"
        "print(\"wrote\", QUANTIZED)\n";
    return text;
}

std::vector<std::string> quantize_snippet_versions() {
    std::vector<std::string> versions;
    for (std::string& version : known_onnxruntime_versions())
        if (onnxruntime_minor(version) >= oldest_with_tools) versions.push_back(std::move(version));
    return versions;
}

}  // namespace lapidary

// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/read/read_function.h"

#include <lapidary/base/error.h>

#include "onnx_io/read/place.h"
#include "onnx_io/preserved.h"
#include "onnx_io/read/read_attribute.h"

namespace lapidary::onnx_io {
namespace {

GraphPtr refuse_graph(const WireField&, const std::string&) {
    fail_unsupported("a graph as the default of a function attribute is not supported");
}

void declare_attributes(const onnx::FunctionProto& proto, const std::vector<WireField>& defaults,
                        LoadContext& context, Function& out, std::set<std::string>& names) {
    for (const std::string& name : proto.attribute()) {
        if (name.empty()) fail_model("a function attribute has no name");
        context.check_name(name, "attribute");
        if (!names.insert(name).second)
            fail_model("function attribute " + quote(name) + " is declared twice");
        out.attributes.push_back(name);
    }
    for (const WireField& field : defaults) {
        out.attribute_defaults.push_back(read_attribute(field, {context, refuse_graph, nullptr}));
        const std::string& name = out.attribute_defaults.back().name;
        if (!names.insert(name).second)
            fail_model("function attribute " + quote(name) + " is declared twice");
    }
}

}  // namespace

OpsetImports read_opset_imports(
    const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& entries,
    LoadContext& context) {
    OpsetImports out;
    for (const auto& entry : entries) {
        context.check_name(entry.domain(), "domain");
        const std::string domain = entry.domain() == "ai.onnx" ? std::string() : entry.domain();
        const std::string shown = domain.empty() ? "ai.onnx" : domain;
        if (entry.version() < 0 || (entry.version() == 0 && domain.empty()))
            fail_model("opset_import of domain " + quote(shown) + " has version " +
                       std::to_string(entry.version()) + ", expected 1 or higher");
        const auto [it, is_new] = out.emplace(domain, entry.version());
        if (is_new) continue;
        context.warnings.add("domains imported twice", "domain " + quote(shown),
                             it->second == entry.version()
                                 ? "is imported twice with the same version"
                                 : "is imported twice, with versions " +
                                       std::to_string(it->second) + " and " +
                                       std::to_string(entry.version()) +
                                       ": the last is taken, as ONNX Runtime does");
        it->second = entry.version();
    }
    return out;
}

Function read_function(const WireField& whole, LoadContext& context) {
    std::string light;
    std::vector<WireField> defaults;
    GraphReader::Body body;
    const auto keep = [](const WireField& field, const char* name, std::vector<WireField>& list) {
        require_bytes(field, "FunctionProto", name);
        list.push_back(field);
    };
    WireReader reader(whole, "FunctionProto");
    for (WireField field; reader.next(field);) {
        switch (field.number) {
        case 7: keep(field, "node", body.nodes); break;
        case 11: keep(field, "attribute_proto", defaults); break;
        case 12: keep(field, "value_info", body.value_infos); break;
        default:
            light.append(reinterpret_cast<const char*>(field.whole.data()), field.whole.size());
        }
    }
    onnx::FunctionProto proto;
    parse_message(proto, light, whole.offset, "FunctionProto");
    Function out;
    out.domain = proto.domain() == "ai.onnx" ? std::string() : proto.domain();
    out.name = proto.name();
    const std::string place = "function " + quote(out.domain + "::" + out.name);
    try {
        if (out.name.empty()) fail_model("the function has no name");
        context.check_name(out.name, "function");
        context.check_name(out.domain, "domain");
        out.overload = proto.overload();
        out.doc = proto.doc_string();
        out.metadata = pairs_of(proto.metadata_props());
        out.preserved = proto.unknown_fields();
        out.opset_imports = read_opset_imports(proto.opset_import(), context);
        std::set<std::string> attributes;
        declare_attributes(proto, defaults, context, out, attributes);
        body.inputs.assign(proto.input().begin(), proto.input().end());
        body.outputs.assign(proto.output().begin(), proto.output().end());
        GraphReader graph(context, out.opset_imports, &attributes, nullptr, place);
        out.body = std::make_shared<const Graph>(graph.read_body(body));
    } catch (Error& e) {
        add_place(e, place);
        throw;
    }
    return out;
}

}  // namespace lapidary::onnx_io

// SPDX-License-Identifier: Apache-2.0
#include <lapidary/graph/graph_text.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>

#include "graph/text_scanner.h"
#include "tensor/packed_elements.h"

namespace lapidary {
namespace {

constexpr int max_nesting = 32;
constexpr std::int64_t most_elements = std::int64_t{1} << 28;  // of all constants of a text

// Contents of constants written without values: small and repeatable, different for each name.
Tensor generated(DType dtype, const Shape& shape, std::string_view name) {
    Tensor t(dtype, shape);
    std::uint64_t state = 0xcbf29ce484222325ull;
    for (char c : name) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    const auto next = [&] {
        std::uint64_t z = state += 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    };
    const auto real = [&] { return static_cast<double>(next() >> 11) * 0x1p-52 - 1.0; };
    const auto fill = [&]<typename T>(auto make) {
        for (T& v : t.mutable_data<T>()) v = static_cast<T>(make());
    };
    const auto small = [&] { return static_cast<int>(next() % 4); };
    switch (dtype) {
    case DType::f32: fill.template operator()<float>(real); break;
    case DType::f64: fill.template operator()<double>(real); break;
    case DType::f16: fill.template operator()<Half>(real); break;
    case DType::bf16: fill.template operator()<BFloat16>(real); break;
    case DType::i8: fill.template operator()<std::int8_t>(small); break;
    case DType::i16: fill.template operator()<std::int16_t>(small); break;
    case DType::i32: fill.template operator()<std::int32_t>(small); break;
    case DType::i64: fill.template operator()<std::int64_t>(small); break;
    case DType::u8: fill.template operator()<std::uint8_t>(small); break;
    case DType::u16: fill.template operator()<std::uint16_t>(small); break;
    case DType::u32: fill.template operator()<std::uint32_t>(small); break;
    case DType::u64: fill.template operator()<std::uint64_t>(small); break;
    case DType::boolean: fill.template operator()<bool>([&] { return next() % 2 == 1; }); break;
    default:
        fail_unsupported("constants of type " + std::string(name_of(dtype)) +
                         " need their values written out");
    }
    return t;
}

class Parser {
public:
    Parser(std::string_view text, const GraphTextOptions& options) : in_(text), options_(options) {}

    Graph whole() {
        Graph g;
        graph(g, nullptr, false);
        if (!in_.at_end()) in_.fail("expected the end");
        return g;
    }

private:
    struct Scope {
        Graph& graph;
        GraphEdit edit;
        Scope* outer;
        Scope(Graph& g, Scope* o) : graph(g), edit(g), outer(o) {}
    };

    void graph(Graph& g, Scope* outer, bool braced) {
        if (++nesting_ > max_nesting)
            in_.fail("graphs nest deeper than " + std::to_string(max_nesting) + " levels");
        Scope scope(g, outer);
        scope.edit.set_default_version(options_.opset);
        in_.expect("(");
        while (!in_.accept(")")) {
            const std::string name = in_.name();
            in_.expect(":");
            Type t = type();
            const ValueId id = scope.edit.add_input(name, t);
            scope.edit.set_declared(id, true);
            if (in_.peek() == '{') scope.edit.set_constant(id, elements(t, name));
            if (in_.peek() != ')') in_.expect(",");
        }
        in_.expect("->");
        in_.expect("(");
        std::vector<std::string> outputs;
        while (!in_.accept(")")) {
            outputs.push_back(in_.name());
            if (in_.accept(":")) constant(scope, outputs.back());
            if (in_.peek() != ')') in_.expect(",");
        }
        while (braced ? !in_.accept("}") : !in_.at_end()) node(scope);
        for (const std::string& name : outputs) scope.edit.add_output(resolve(scope, name));
        scope.edit.finish();
        --nesting_;
    }

    ValueId constant(Scope& scope, const std::string& name) {
        const Type t = type();
        if (!t.is_static()) in_.fail("a constant needs a shape of numbers");
        return scope.edit.add_initializer(name, elements(t, name));
    }

    // Empty where the name is unknown in this and every enclosing graph.
    ValueId lookup(Scope& scope, const std::string& name) {
        if (const ValueId id = scope.graph.find_value(name)) return id;
        if (scope.outer == nullptr) return {};
        const ValueId outer = lookup(*scope.outer, name);
        return outer ? scope.edit.add_captured(name, outer, scope.outer->graph.value(outer).type)
                     : ValueId{};
    }

    ValueId resolve(Scope& scope, const std::string& name) {
        const ValueId id = lookup(scope, name);
        if (!id) in_.fail("value " + quote(name) + " is not defined before its use");
        return id;
    }

    void node(Scope& scope) {
        NodeSpec spec;
        std::vector<std::string> names{in_.name()};
        while (in_.accept(",")) names.push_back(in_.name());
        in_.expect("=");
        std::string op = in_.name();
        if (in_.accept("::")) {
            spec.domain = op;
            op = in_.name();
        }
        spec.op_type = op;
        spec.version = spec.domain.empty() ? options_.opset : 1;
        if (in_.accept("@")) spec.version = integer();
        in_.expect("(");
        while (!in_.accept(")")) {
            const std::string name = in_.name();
            if (in_.accept(":")) spec.inputs.push_back(constant(scope, name));
            else spec.inputs.push_back(name == "_" ? ValueId{} : resolve(scope, name));
            if (in_.peek() != ')') in_.expect(",");
        }
        if (in_.peek() == '{') {
            in_.expect("{");
            while (!in_.accept("}")) {
                Attribute a;
                a.name = in_.name();
                in_.expect(":");
                a.value = attribute_value(scope);
                spec.attributes.push_back(std::move(a));
                if (in_.peek() != '}') in_.expect(",");
            }
        }
        if (in_.accept("as")) spec.name = in_.quoted_string();
        for (const std::string& name : names) {
            if (name != "_" && scope.graph.find_value(name))
                in_.fail("value " + quote(name) + " is written twice");
            spec.outputs.push_back(name == "_" ? ValueId{} : scope.edit.add_value(name));
        }
        scope.edit.add_node(std::move(spec));
    }

    AttributeValue attribute_value(Scope& scope) {
        if (in_.accept("graph")) {
            in_.expect("{");
            auto g = std::make_shared<Graph>();
            graph(*g, &scope, true);
            return GraphPtr(std::move(g));
        }
        if (in_.accept("type")) {
            in_.expect("(");
            Type t = type();
            in_.expect(")");
            return t;
        }
        if (in_.accept("&")) return AttributeReference{in_.name(), 0};
        if (in_.peek() == '"') return in_.quoted_string();
        if (in_.accept("[")) return list();
        if (in_.at_name() && !in_.at_number_word()) {
            const Type t = type();
            return elements(t, "attribute");
        }
        return scalar(in_.number());
    }

    static bool is_float_text(const std::string& text) {
        return text.find_first_of(".en") != std::string::npos;
    }

    AttributeValue scalar(const std::string& text) {
        if (is_float_text(text)) return static_cast<float>(real(text));
        return integer(text);
    }

    AttributeValue list() {
        std::vector<std::string> strings, numbers;
        while (!in_.accept("]")) {
            if (in_.peek() == '"') strings.push_back(in_.quoted_string());
            else numbers.push_back(in_.number());
            if (in_.peek() != ']') in_.expect(",");
        }
        if (!strings.empty()) return strings;
        bool floats = false;
        for (const std::string& n : numbers) floats |= is_float_text(n);
        if (floats) {
            std::vector<float> out;
            for (const std::string& n : numbers) out.push_back(static_cast<float>(real(n)));
            return out;
        }
        std::vector<std::int64_t> out;
        for (const std::string& n : numbers) out.push_back(integer(n));
        return out;
    }

    double real(const std::string& text) {
        if (text == "nan") return std::nan("");
        if (text == "inf") return HUGE_VAL;
        if (text == "-inf") return -HUGE_VAL;
        double v = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
        if (error != std::errc{} || end != text.data() + text.size())
            in_.fail("not a number: " + quote(text));
        return v;
    }

    std::int64_t integer() { return integer(in_.number()); }
    std::int64_t integer(const std::string& text) { return whole_number<std::int64_t>(text); }
    template <typename T>
    T whole_number(const std::string& text) {
        T v = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
        if (error != std::errc{} || end != text.data() + text.size())
            in_.fail("not an integer: " + quote(text));
        return v;
    }

    Type type() {
        if (in_.accept("?")) return {};
        const std::string word = in_.name();
        if (word == "seq" || word == "optional") {
            if (++nesting_ > max_nesting)
                in_.fail("types nest deeper than " + std::to_string(max_nesting) + " levels");
            in_.expect("(");
            Type inner = type();
            in_.expect(")");
            --nesting_;
            return word == "seq" ? Type::sequence(std::move(inner))
                                 : Type::optional(std::move(inner));
        }
        const auto dtype = dtype_from_name(word);
        if (!dtype) in_.fail("unknown type " + quote(word));
        Type t = Type::tensor(*dtype);
        in_.expect("[");
        if (in_.accept("...")) {
            in_.expect("]");
            return t;
        }
        SymbolicShape shape;
        while (!in_.accept("]")) {
            const std::string text = in_.until_comma_or_close();
            if (text == "?") shape.push_back({});
            else if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos)
                shape.push_back(integer(text));
            else shape.push_back(Dim::symbolic(text));
            if (in_.peek() != ']') in_.expect(",");
        }
        t.shape = std::move(shape);
        return t;
    }

    // The braces after a constant's type, or generated contents where there are none.
    Tensor elements(const Type& t, const std::string& name) {
        if (!t.is_static()) in_.fail("a constant needs a shape of numbers");
        count_elements(t.static_shape());
        if (in_.peek() != '{') return generated(t.dtype, t.static_shape(), name);
        in_.expect("{");
        Tensor out(t.dtype, t.static_shape());
        if (bit_width(t.dtype) < 8)
            std::fill_n(static_cast<std::uint8_t*>(out.mutable_raw()), out.byte_size(),
                        std::uint8_t{0});
        for (std::int64_t i = 0; i < out.size(); ++i) {
            if (i) in_.expect(",");
            element(out, static_cast<std::size_t>(i));
        }
        in_.expect("}");
        return out;
    }

    /// Before memory is taken.
    void count_elements(const Shape& shape) {
        std::int64_t count = 1;
        for (const std::int64_t size : shape)
            if (size == 0) return;
        for (const std::int64_t size : shape) {
            if (size > most_elements / count)
                fail_limit("the constants of the text have more than " +
                           std::to_string(most_elements) + " elements");
            count *= size;
        }
        elements_ += count;
        if (elements_ > most_elements)
            fail_limit("the constants of the text have more than " + std::to_string(most_elements) +
                       " elements");
    }

    void element(Tensor& t, std::size_t i) {
        switch (t.dtype()) {
        case DType::string: t.mutable_data<std::string>()[i] = in_.quoted_string(); return;
        case DType::f32:
            t.mutable_data<float>()[i] = static_cast<float>(real(in_.number()));
            return;
        case DType::f64: t.mutable_data<double>()[i] = real(in_.number()); return;
        case DType::f16: t.mutable_data<Half>()[i] = static_cast<float>(real(in_.number())); return;
        case DType::bf16:
            t.mutable_data<BFloat16>()[i] = static_cast<float>(real(in_.number()));
            return;
        case DType::i8:
            t.mutable_data<std::int8_t>()[i] = static_cast<std::int8_t>(integer());
            return;
        case DType::i16:
            t.mutable_data<std::int16_t>()[i] = static_cast<std::int16_t>(integer());
            return;
        case DType::i32:
            t.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(integer());
            return;
        case DType::i64: t.mutable_data<std::int64_t>()[i] = integer(); return;
        case DType::u8:
            t.mutable_data<std::uint8_t>()[i] = static_cast<std::uint8_t>(integer());
            return;
        case DType::u16:
            t.mutable_data<std::uint16_t>()[i] = static_cast<std::uint16_t>(integer());
            return;
        case DType::u32:
            t.mutable_data<std::uint32_t>()[i] = static_cast<std::uint32_t>(integer());
            return;
        case DType::u64:
            t.mutable_data<std::uint64_t>()[i] = whole_number<std::uint64_t>(in_.number());
            return;
        case DType::boolean: t.mutable_data<bool>()[i] = integer() != 0; return;
        case DType::u2:
        case DType::i2:
        case DType::u4:
        case DType::i4:
            set_packed(t, static_cast<std::int64_t>(i), static_cast<std::uint8_t>(integer()));
            return;
        default:
            in_.fail("constants of type " + std::string(name_of(t.dtype())) + " have no text form");
        }
    }

    TextScanner in_;
    GraphTextOptions options_;
    int nesting_ = 0;
    std::int64_t elements_ = 0;  // of all constants that were read
};

}  // namespace

Graph parse_graph(std::string_view text, const GraphTextOptions& options) {
    return Parser(text, options).whole();
}

}  // namespace lapidary

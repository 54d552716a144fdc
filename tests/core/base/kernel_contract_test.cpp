// SPDX-License-Identifier: Apache-2.0
// Rules that all kernels follow: fast ones reach the reference kernel by one call, and inputs
// behind the third have names.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/kernel.h"
#include "ops/schemas/schema.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

struct SourceFile {
    std::string place;      // "core/operators/kernels/axis/top_k.cpp"
    std::string code;       // without comments
    bool is_plain = false;  // holds reference kernels
};

std::vector<SourceFile> kernel_sources() {
    std::vector<SourceFile> files;
    for (const auto& entry :
         fs::recursive_directory_iterator(source_folder() / "core/operators/kernels")) {
        const auto extension = entry.path().extension();
        if (extension != ".cpp" && extension != ".h") continue;
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        SourceFile file;
        file.place = fs::relative(entry.path(), source_folder()).generic_string();
        file.code = std::regex_replace(text.str(), std::regex("//[^\n]*"), "");
        file.is_plain = file.code.find("\nnamespace lapidary::reference {") != std::string::npos;
        files.push_back(std::move(file));
    }
    return files;
}

std::set<std::string> matches(const std::string& text, const std::regex& pattern) {
    std::set<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
        found.insert((*at)[1]);
    return found;
}

/// Names of the functions behind the lines LAPIDARY_KERNEL(...) of the lists.
std::set<std::string> reference_functions() {
    static const std::regex line(R"(LAPIDARY_KERNEL\((?:[^,()]+,\s*){5}(\w+)\))");
    std::set<std::string> names;
    for (const auto& entry :
         fs::recursive_directory_iterator(source_folder() / "core/operators/kernels")) {
        if (entry.path().extension() != ".inc") continue;
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        names.merge(matches(text.str(), line));
    }
    return names;
}

/// Calls of a reference kernel, by name or through a member that holds one, but for
/// run_on_reference().
std::vector<std::string> direct_calls(const std::string& code,
                                      const std::set<std::string>& functions) {
    static const std::regex by_name(R"(\breference::(\w+)\s*\()"),
        held(R"(\bKernelFunction\s+(\w+)\s*[;=,)])");
    std::vector<std::string> calls;
    for (const std::string& name : matches(code, by_name))
        if (functions.contains(name) || name == "attend_projected")
            calls.push_back("reference::" + name);
    for (const std::string& member : matches(code, held))
        if (std::regex_search(code,
                              std::regex("\\b" + member + R"(\s*\(\s*(context|outer|inner|c)\b)")))
            calls.push_back(member);
    return calls;
}

TEST(KernelContract, FastKernelsReachTheReferenceKernelByOneCall) {
    const std::set<std::string> functions = reference_functions();
    ASSERT_GT(functions.size(), 200u);
    std::size_t places = 0, files = 0;
    for (const SourceFile& file : kernel_sources()) {
        if (file.is_plain) continue;
        ++files;
        std::string code = file.code;
        if (file.place == "core/operators/kernels/kernel.h") continue;  // the call itself
        static const std::regex call(R"(\brun_on_reference\()");
        places += static_cast<std::size_t>(std::distance(
            std::sregex_iterator(code.begin(), code.end(), call), std::sregex_iterator()));
        // what the call is given where only a part of the reference kernel is wanted
        if (file.place == "core/operators/kernels/attention/fused_attention.cpp")
            code = std::regex_replace(code, std::regex(R"(const auto attend = [^;]+;\s*\};)"), "");
        for (const std::string& name : direct_calls(code, functions))
            ADD_FAILURE() << file.place << " calls " << name;
    }
    EXPECT_GT(files, 100u);
    EXPECT_GE(places, 80u);
}

TEST(KernelContract, TheSearchSeesOtherCalls) {
    const std::set<std::string> functions{"pad"};
    EXPECT_EQ(direct_calls("if (x) return reference::pad(context);", functions).size(), 1u);
    EXPECT_EQ(
        direct_calls("KernelFunction reference_;\n void f() { reference_(context); }", functions)
            .size(),
        1u);
    EXPECT_EQ(direct_calls("context.run_on_reference(reference::pad, why);", functions).size(), 0u);
    EXPECT_EQ(direct_calls("auto g = reference::read_pad(node);", functions).size(), 0u);
}

TEST(KernelContract, InputsBehindTheThirdHaveNames) {
    static const std::regex by_number(
        R"(\b(?:input|optional_input|has_input|input_value|input_type|constant)\(([3-9]|1\d)\)|\binputs\[([3-9]|1\d)\])"
        R"(|\b(?:floats_of|byte_scale_of)\(\w+, ([3-9]|1\d)\b)");
    for (const SourceFile& file : kernel_sources())
        for (std::sregex_iterator at(file.code.begin(), file.code.end(), by_number), end; at != end;
             ++at)
            ADD_FAILURE() << file.place << ": " << at->str() << " has no name in input_index.inc";
}

TEST(KernelContract, NamesOfInputsAreThoseOfTheSchemas) {
    struct Named {
        const char *space, *name;
        std::size_t index;
        const char *domain, *op, *schema_name;
    };
    const Named named[] = {
#define LAPIDARY_INPUT(space, name, index, domain, op, schema_name) \
    {#space, #name, index, domain, op, schema_name},
#include "kernels/input_index.inc"
#undef LAPIDARY_INPUT
    };
    std::size_t checked = 0;
    for (const Named& n : named) {
        if (*n.schema_name == 0) continue;
        const OpSchema* schema = find_schema(n.domain, n.op, newest_version(n.domain));
        ASSERT_NE(schema, nullptr) << n.op;
        const SchemaParameter* input = schema->input(n.index);
        ASSERT_NE(input, nullptr) << n.op << " " << n.index;
        EXPECT_EQ(input->name, n.schema_name) << n.space << "::" << n.name;
        ++checked;
    }
    EXPECT_GT(checked, 80u);
}

}  // namespace
}  // namespace lapidary

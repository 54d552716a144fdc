// SPDX-License-Identifier: Apache-2.0
// Which checks of exports raise an alarm about real models and samples: tests/fixtures/
// export_alarms.json holds those that were looked at and are true. A further one shows here.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/onnx_io/model_io.h>

#include "support/export_alarms.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const Json& recorded() {
    static const Json alarms = Json::parse(std::ifstream(fixtures_folder() / "export_alarms.json"));
    return alarms;
}

void expect_recorded(const char* part, const std::string& name, const Model& model) {
    std::vector<Advice> alarms = test::export_alarms_of(model, {}, SessionPasses::Set::all);
    std::vector<std::string> ids;
    for (const Advice& alarm : alarms) ids.push_back(alarm.id);
    std::ranges::sort(ids);
    const Json& known = recorded().at(part);
    const auto at = known.find(name);
    const auto expected =
        at == known.end() ? std::vector<std::string>() : at->get<std::vector<std::string>>();
    EXPECT_EQ(ids, expected) << name << "\n" << test::text_of(alarms);
}

TEST(ExportAlarms, OfSamplesAreThoseThatAreTrue) {
    for (const char* name : {"mlp", "lenet", "squeezenet", "resnet18", "mobilenetv2", "shufflenet",
                             "unet", "bert-tiny", "lstm"})
        expect_recorded("samples", name, build_sample(name));
}

TEST(ExportAlarms, OfRealModelsAreThoseThatAreTrue) {
    const fs::path folder = test_data() / "models" / "real";
    if (!fs::exists(folder))
        GTEST_SKIP() << "no models in " << test_data() << ": set LAPIDARY_TEST_DATA";
    int looked_at = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".onnx") continue;
        try {
            const Model model = load_model(entry.path());
            expect_recorded("models", entry.path().stem().string(), model);
            ++looked_at;
        } catch (const Error& error) {
            // one of them is no valid model
            std::cout << entry.path().stem().string() << ": " << error.what() << '\n';
        }
    }
    EXPECT_GT(looked_at, 40);
}

}  // namespace
}  // namespace lapidary

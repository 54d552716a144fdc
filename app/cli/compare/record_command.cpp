// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include <lapidary/internal/text_file.h>

#include "cli/record/record_script_file.h"  // made by CMake of resources/record/record.py

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/options/output_options.h"

namespace lapidary::cli {
namespace {

constexpr const char* record_notes = R"(
Prints record.py, one file to copy beside a program that has the original model, in PyTorch, TensorFlow, Keras or Flax:
  import record
  with record.Recorder(model, "run.npz"):
      model(x)
It writes the inputs, the outputs and what each module gave to run.npz, of large tensors inside a part; then
`diverge model.onnx --recorded run.npz` finds the first module that the export computes otherwise. It needs nothing but
NumPy and the framework. Functions of plain JAX or TensorFlow are wrapped by record.call(PATH, FUNCTION); of other
frameworks a program notes values itself; the file says how.)";

class RecordCommand : public Command {
public:
    CommandText text() const override {
        return {.summary = "Print record.py, which records a model in its framework",
                .notes = record_notes,
                .examples = {"lapidary-cli record > record.py",
                             "lapidary-cli record -o train/record.py"},
                .program_example = "lapidary-cli record > record.py"};
    }

    void declare(OptionList& options) override {
        add_output(options, "FILE", output_, {}, "File to write; standard output unless given");
    }

    bool opens_plugins() const override { return false; }

    int run(Terminal& terminal) override {
        if (output_.empty()) terminal.out << record_script_file;
        else save_text(output_, record_script_file);
        return exit_fine;
    }

private:
    std::filesystem::path output_;
};

}  // namespace

std::unique_ptr<Command> record_command() { return std::make_unique<RecordCommand>(); }

}  // namespace lapidary::cli

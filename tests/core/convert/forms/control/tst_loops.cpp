// Loops and scans that a form makes of C++ functions, in ONNX Runtime.

#include "tests/support/form_run.h"

#include "core/convert/emit.h"
#include "core/convert/forms/control/loop_state.h"
#include "core/convert/forms/control/loops.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::forms;
using test::FormRun;

namespace {

using Doubles = std::vector<double>;

Tensor floats(std::vector<std::int64_t> dims, const Doubles& values)
{
    return Tensor::of<double>(ElementType::Float64, std::move(dims), values).converted(ElementType::Float32);
}

} // namespace

class TestLoops : public QObject {
    Q_OBJECT
private slots:
    void loopsOverStates()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue turns = ctx.onnx.scalar(ElementType::Int64, 5);
        const OnnxValues states{run.input(floats({2}, {1, 2})), run.input(floats({2}, {0, 0}))};
        const OnnxValues last = loop(ctx, turns, states, [&](OnnxValue turn, const OnnxValues& now) {
            const OnnxValue added = ctx.emit("Add", {now[1], emit::cast(ctx, turn, ElementType::Float32)});
            return OnnxValues{ctx.emit("Mul", {now[0], emit::scalarLike(ctx, now[0], 2)}), added};
        });
        const auto got = run.run(last);
        QCOMPARE(got[0].toDoubles(), (Doubles{32, 64}));
        QCOMPARE(got[1].toDoubles(), (Doubles{10, 10}));
    }

    void scansWithStates()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(floats({3, 2}, {1, 2, 3, 4, 5, 6}));
        const OnnxValue zero = run.stored(floats({2}, {0, 0}));
        const Scanned sums = scan(ctx, {zero}, {x}, [&](const OnnxValues& states, const OnnxValues& elements) {
            const OnnxValue sum = ctx.emit("Add", {states[0], elements[0]});
            return ScanStep{{sum}, {ctx.emit("Neg", {sum})}};
        });
        const auto got = run.run({sums.states[0], sums.stacked[0]});
        QCOMPARE(got[0].toDoubles(), (Doubles{9, 12}));
        QCOMPARE(got[1].toDoubles(), (Doubles{-1, -2, -4, -6, -9, -12}));
    }

    void runsForEach()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(floats({2, 2}, {1, 2, 3, 4}), Shape(2));
        const OnnxValue y = run.input(floats({2, 2}, {5, 6, 7, 8}), Shape(2));
        const OnnxValues products = forEach(ctx, {x, y}, [&](const OnnxValues& rows) {
            return OnnxValues{ctx.emit("Mul", {rows[0], rows[1]})};
        });
        QCOMPARE(run.run(products)[0].toDoubles(), (Doubles{5, 12, 21, 32}));
    }

    /// An initial state of one row, which the step gives back with as many rows as the data has.
    void widensStates()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(floats({3, 2}, {1, 2, 3, 4, 5, 6}));
        LoopState state(ctx, {run.stored(floats({1, 2}, {10, 20}))});
        OnnxValue turns = ctx.onnx.scalar(ElementType::Int64, 2);
        const OnnxBody body = state.settle([&](const OnnxValues& initial) {
            ctx.onnx.bodyInput({ElementType::Int64, Shape{}});
            const OnnxValue goOn = ctx.onnx.bodyInput({ElementType::Bool, Shape{}});
            const OnnxValue now = ctx.onnx.bodyInput({ElementType::Float32, ctx.shape(initial[0])});
            return LoopState::Step{{ctx.emit("Add", {now, x})}, {}, goOn};
        });
        const OnnxValue last =
            ctx.onnx.add("Loop", {turns, OnnxValue{}, state.initial()[0]}, {{"body", body}}, 1).front();
        const Tensor got = run.run({last}).front();
        QCOMPARE(got.dims(), (std::vector<std::int64_t>{3, 2}));
        QCOMPARE(got.toDoubles(), (Doubles{12, 24, 16, 28, 20, 32}));
    }
};

QTEST_GUILESS_MAIN(TestLoops)
#include "tst_loops.moc"

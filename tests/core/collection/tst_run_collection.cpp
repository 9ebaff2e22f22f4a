// Runs over collections with programs that misbehave.

#include "core/base/diagnostic.h"
#include "core/base/shadow_memory.h"
#include "core/collection/run_collection.h"
#include "tests/support/temporary_files.h"

#include <chrono>
#include <thread>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

/// A program in place of crosswalk.
std::filesystem::path program(const TemporaryFiles& files, const std::string& text)
{
    const auto path = files.write("program", "#!/bin/sh\n" + text);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
}

ModelOutcome outcomeOf(const std::filesystem::path& program)
{
    const std::vector<CollectionModel> models{{.path = "model", .name = "model"}};
    return runCollection(models, {.program = program, .folder = {}}, {}).models.front();
}

} // namespace

class TestRunCollection : public QObject {
    Q_OBJECT

private slots:
    /// A worker that someone kills costs nothing but its time.
    void startsAKilledProcessOnceMore()
    {
        const TemporaryFiles files;
        const std::string mark = files.path("mark").string();
        const std::string once = "if [ ! -e '" + mark + "' ]; then touch '" + mark + "'; kill -9 $$; fi\n";
        const ModelOutcome outcome =
            outcomeOf(program(files, once + R"(echo '{"format": "odd", "summary": {"nodes": 3, "decomposed": 1}}')"));
        QCOMPARE(outcome.outcome, Outcome::Converted);
        QCOMPARE(outcome.format, std::string("odd"));
        QCOMPARE(outcome.verdict, std::string("decomposed"));
    }

    void reportsAProcessThatIsKilledAgain()
    {
        const TemporaryFiles files;
        const std::string count = files.path("count").string();
        const ModelOutcome outcome = outcomeOf(program(files, "echo >> '" + count + "'; kill -9 $$\n"));
        QCOMPARE(outcome.outcome, Outcome::Crashed);
        QCOMPARE(outcome.problems.front().message, std::string("the conversion was ended by signal 9"));
        QCOMPARE(std::filesystem::file_size(count), std::uintmax_t{2});
    }

    /// A run with another limit tries again.
    void reportsThatAModelNeedsMoreMemory()
    {
        const TemporaryFiles files;
        const std::string limit = R"sh([ "$(ulimit -d)" -gt 1000000 ] && exit 0
echo "error: $2: there is not enough memory" >&2; exit 4)sh";
        CollectionRun run{.program = program(files, limit), .folder = {}, .output = files.path("out")};
        run.resume = true;
        const std::vector<CollectionModel> models{{.path = "model", .name = "model"}};
        run.limits.memory = 1'000'000'000;
        QCOMPARE(runCollection(models, run, {}).models.front().outcome, Outcome::OutOfMemory);
        run.limits.memory = 2'000'000'000;
        if (hasShadowMemory) {
            QSKIP("a process with shadow memory has no limit");
        }
        QCOMPARE(runCollection(models, run, {}).models.front().outcome, Outcome::Converted);
    }

    /// The path of the model depends on the machine; its name is beside the message.
    void reportsAMessageWithoutThePath()
    {
        const TemporaryFiles files;
        const ModelOutcome outcome = outcomeOf(program(files, R"(echo "error: $2: is broken" >&2; exit 3)"));
        QCOMPARE(outcome.outcome, Outcome::BadInput);
        QCOMPARE(outcome.problems.front().message, std::string("is broken"));
    }

    /// It is not a gap of the model.
    void reportsNoProblemOfACancelledModel()
    {
        const TemporaryFiles files;
        const auto mark = files.path("mark");
        const auto path = program(files, "touch '" + mark.string() + "'; exec sleep 100\n");
        std::stop_source stop;
        const std::jthread user([&] {
            while (!std::filesystem::exists(mark)) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            stop.request_stop();
        });
        const std::vector<CollectionModel> models{{.path = "model", .name = "model"}};
        const CollectionReport report = runCollection(models, {.program = path, .folder = {}}, stop.get_token());
        QCOMPARE(report.models.front().outcome, Outcome::Cancelled);
        QVERIFY(report.models.front().problems.empty());
    }

    /// A crash is the model's: it would come again.
    void reportsACrashAtOnce()
    {
        const TemporaryFiles files;
        const std::string count = files.path("count").string();
        QCOMPARE(outcomeOf(program(files, "echo >> '" + count + "'; kill -SEGV $$\n")).outcome, Outcome::Crashed);
        QCOMPARE(std::filesystem::file_size(count), std::uintmax_t{1});
    }
};

QTEST_APPLESS_MAIN(TestRunCollection)
#include "tst_run_collection.moc"

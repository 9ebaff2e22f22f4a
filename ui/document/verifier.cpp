#include "ui/document/verifier.h"

#include "core/base/changed_files.h"
#include "core/formats/model_files.h"
#include "core/formats/onnx_graph.h"
#include "ui/document/colouring.h"
#include "ui/document/document.h"

#include <utility>

namespace crosswalk::ui {

Verifier::Verifier(Document& document)
    : QObject(&document)
    , m_document(document)
    , m_job(verifying(), this)
{
}

QString Verifier::verifying()
{
    return tr("Verifying with ONNX Runtime");
}

std::filesystem::path Verifier::recordedTensors() const
{
    if (m_document.path().empty() || m_document.options().part || !m_document.options().outputs.empty()) {
        return {}; // recorded of the whole
    }
    std::error_code ignored;
    auto folder = std::filesystem::absolute(m_document.path(), ignored).parent_path();
    std::error_code failed; // a range-based loop would throw
    for (auto entry = std::filesystem::directory_iterator(folder, failed);
         !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
        if (entry->path().filename().string().starts_with("test_data_set_") && entry->is_directory(ignored)) {
            return folder;
        }
    }
    return {};
}

void Verifier::verifyAgainst(const std::filesystem::path& data)
{
    if (!m_document.exporter().obstacle().isEmpty()) {
        return;
    }
    m_job.enqueue(
        verifying(), this,
        [loaded = *m_document.loaded(), model = m_document.converted(), data,
         settings = m_document.exporter().settings()](std::stop_token stop) {
            return verifyOn(loaded, model, data, settings, std::move(stop));
        },
        [this, model = m_document.converted()](const Result<NodeCheck>& check) {
            take(model, check);
            emit verified(check);
        });
}

void Verifier::verifyEquivalence()
{
    if (!m_document.exporter().obstacle().isEmpty() || !m_document.isOnnx()) {
        return;
    }
    m_job.enqueue(
        verifying(), this,
        [loaded = *m_document.loaded(), model = m_document.converted(),
         limits = m_document.exporter().settings().limits](std::stop_token stop) -> Result<NodeCheck> {
            try {
                checkModel(model->conversion.model.whole());
                const Graph& source = *model->source.side->graph;
                auto check =
                    checkAgainstOriginal(source, modelOf(source), model->conversion, {}, std::move(stop), limits);
                expectUnchanged(filesOf(loaded)); // both models were made from them
                return check;
            } catch (const ModelError& error) {
                return error.diagnostic;
            }
        },
        [this, model = m_document.converted()](const Result<NodeCheck>& check) {
            take(model, check);
            emit verified(check);
        });
}

void Verifier::take(const std::shared_ptr<const ConvertedModel>& of, const Result<NodeCheck>& check)
{
    if (check && of == m_document.converted()) {
        m_check = std::make_shared<const NodeCheck>(check.value());
        emit checked();
    }
}

void Verifier::forget()
{
    m_job.cancel();
    m_check.reset();
}

void Verifier::measureLatency()
{
    if (!m_document.exporter().isRunnable()) {
        return;
    }
    m_job.enqueue(
        tr("Measuring with ONNX Runtime"), this,
        [loaded = *m_document.loaded(), model = m_document.converted(), data = recordedTensors(),
         limits = m_document.exporter().settings().limits](std::stop_token stop) -> Result<LatencyReport> {
            try {
                auto report = crosswalk::measureLatency(model->conversion.model, data, std::move(stop), limits);
                expectUnchanged(filesOf(loaded));
                return report;
            } catch (const ModelError& error) {
                return error.diagnostic;
            }
        },
        [this, model = m_document.converted()](const Result<LatencyReport>& result) {
            if (result && model == m_document.converted()) {
                m_latencies = std::make_shared<const LatencyReport>(result.value());
                m_document.colours().setColouring(Colouring::Latency);
            }
            emit latencyMeasured(result);
        });
}

std::vector<std::optional<double>> Verifier::layerLatencies() const
{
    const auto& source = m_document.side(Side::Source);
    return m_latencies && source && m_document.converted()
               ? sourceLatencies(source->graph->nodeCount(), m_document.converted()->conversion, *m_latencies)
               : std::vector<std::optional<double>>();
}

} // namespace crosswalk::ui

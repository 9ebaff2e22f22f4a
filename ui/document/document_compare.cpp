// Comparison with another model.

#include "ui/document/document.h"

#include "ui/models/shape_text.h"

namespace crosswalk::ui {

void Document::compare(const std::filesystem::path& model, const std::filesystem::path& other,
                       const std::filesystem::path& weights, ConvertOptions options)
{
    read({model, weights, std::move(options), other});
}

void Document::compareWith(const std::filesystem::path& other)
{
    if (m_loaded) {
        m_next = OpenedFiles{.model = m_path,
                             .weights = m_loaded->weights,
                             .options = m_options,
                             .compared = other,
                             .signature = m_signature};
    }
    m_reading.setActivity(tr("Reading %1").arg(displayText(other.filename().string())));
    m_reading.run(
        this, [other](std::stop_token stop) { return readModel({.model = other, .weights = {}, .stop = stop}); },
        [this, other](Result<LoadedModel> loaded) {
            m_next.reset();
            if (!loaded) {
                emit openFailed(loaded.problem(), other);
                if (!m_converted) {
                    reconvert(); // the first model is open anyway
                }
                return;
            }
            m_compared = std::make_shared<const LoadedModel>(std::move(loaded.value()));
            reconvert();
        });
}

void Document::endComparison()
{
    if (m_compared) {
        m_compared.reset();
        reconvert();
    }
}

} // namespace crosswalk::ui

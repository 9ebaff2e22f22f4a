// Comparison with another model.

#include "ui/document/document.h"

#include "ui/models/shape_text.h"

#include <utility>

namespace crosswalk::ui {

void Document::compare(const std::filesystem::path& model, const std::filesystem::path& other,
                       const std::filesystem::path& weights, ConvertOptions options)
{
    read({model, weights, std::move(options), other});
}

void Document::compareWith(const std::filesystem::path& other)
{
    m_next = openedFiles();
    m_next->compared = other;
    m_next->isAgain = true;
    m_reading.setActivity(tr("Reading %1").arg(displayText(other.filename().string())));
    m_reading.run(
        this,
        [other, allowLarge = m_next->allowLarge](std::stop_token stop) {
            return readModel({.model = other, .weights = {}, .allowLarge = allowLarge, .stop = stop});
        },
        [this, other](Result<LoadedModel> loaded) {
            OpenedFiles files = *std::exchange(m_next, std::nullopt);
            if (!loaded) {
                m_refused = std::move(files);
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

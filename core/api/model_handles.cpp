#include "core/convert/conversion.h"
#include "core/formats/read_model.h"
#include "crosswalk/model.h"

namespace crosswalk {

Model::Model(LoadedModel loaded)
    : m_loaded(std::make_shared<const LoadedModel>(std::move(loaded)))
{
}

const std::filesystem::path& Model::path() const
{
    return m_loaded->path;
}

std::string Model::format() const
{
    return m_loaded->graph->format;
}

const std::vector<Diagnostic>& Model::problems() const
{
    return m_loaded->problems;
}

OnnxExport::OnnxExport(Model source, Conversion conversion)
    : m_source(std::move(source))
    , m_conversion(std::make_shared<Conversion>(std::move(conversion)))
{
}

const std::vector<Diagnostic>& OnnxExport::problems() const
{
    return m_conversion->problems;
}

bool OnnxExport::isComplete() const
{
    return !m_conversion->hasErrors();
}

int OnnxExport::opset() const
{
    return m_conversion->opset;
}

std::size_t OnnxExport::nodeCount() const
{
    return m_conversion->sources.size();
}

} // namespace crosswalk

#include "ui/main_window/session.h"

#include "ui/models/shape_text.h"

#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace crosswalk::ui {
namespace {

template <typename Map, typename Text>
QVariantMap toVariants(const Map& map, Text text)
{
    QVariantMap variants;
    for (const auto& [name, value] : map) {
        variants.insert(fromUtf8(name), text(value));
    }
    return variants;
}

template <typename Take>
void fromVariants(const QVariant& variants, Take take)
{
    const QVariantMap map = variants.toMap();
    for (auto entry = map.begin(); entry != map.end(); ++entry) {
        take(entry.key().toStdString(), entry.value().toString());
    }
}

QStringList toList(const std::vector<std::string>& names)
{
    QStringList list;
    std::transform(names.begin(), names.end(), std::back_inserter(list), fromUtf8);
    return list;
}

std::vector<std::string> fromList(const QVariant& list)
{
    std::vector<std::string> names;
    for (const QString& name : list.toStringList()) {
        names.push_back(name.toStdString());
    }
    return names;
}

/// Each path as the names and indices of its steps, alternating.
QVariantList toVariants(const std::vector<BodyPath>& paths)
{
    QVariantList variants;
    for (const auto& path : paths) {
        QStringList steps;
        for (const auto& step : path) {
            steps << step.node << QString::number(step.body);
        }
        variants.append(steps);
    }
    return variants;
}

std::vector<BodyPath> toPaths(const QVariantList& variants)
{
    std::vector<BodyPath> paths;
    for (const auto& variant : variants) {
        const QStringList steps = variant.toStringList();
        BodyPath path;
        for (qsizetype i = 0; i + 1 < steps.size(); i += 2) {
            path.push_back({steps[i], steps[i + 1].toUInt()});
        }
        paths.push_back(std::move(path));
    }
    return paths;
}

QVariantMap storedOptions(const ConvertOptions& options)
{
    QVariantMap stored;
    stored.insert(QStringLiteral("opset"), options.opset.value_or(0));
    stored.insert(QStringLiteral("recurrent"), fromUtf8(strategyName(options.recurrent)));
    stored.insert(QStringLiteral("shapes"), toVariants(options.shapes, shapeText));
    stored.insert(QStringLiteral("types"),
                  toVariants(options.types, [](ElementType type) { return fromUtf8(elementTypeName(type)); }));
    stored.insert(QStringLiteral("strategies"),
                  toVariants(options.strategies, [](Strategy strategy) { return fromUtf8(strategyName(strategy)); }));
    stored.insert(QStringLiteral("renames"), toVariants(options.renames, fromUtf8));
    stored.insert(QStringLiteral("customOperators"),
                  toVariants(options.customOperators, [](const CustomOperator& custom) {
                      return fromUtf8(custom.domain) + u':' + fromUtf8(custom.name);
                  }));
    const ModelPart part = options.part.value_or(ModelPart{});
    stored.insert(QStringLiteral("partFrom"), toList(part.from));
    stored.insert(QStringLiteral("partTo"), toList(part.to));
    stored.insert(QStringLiteral("outputs"), toList(options.outputs));
    stored.insert(QStringLiteral("eachSample"), fromUtf8(options.scanOverBatch));
    stored.insert(QStringLiteral("reroll"), options.reroll);
    stored.insert(QStringLiteral("optimize"), options.optimize);
    stored.insert(QStringLiteral("fuseAttention"), options.fuseAttention);
    return stored;
}

ConvertOptions readOptions(const QSettings& settings)
{
    const auto value = [&settings](const QString& name) { return settings.value(name); };
    ConvertOptions options;
    if (const int opset = value(QStringLiteral("opset")).toInt(); opset >= oldestOpset && opset <= newestOpset) {
        options.opset = opset;
    }
    options.recurrent =
        strategyFromName(value(QStringLiteral("recurrent")).toString().toStdString()).value_or(Strategy::Exact);
    fromVariants(value(QStringLiteral("shapes")), [&](const std::string& name, const QString& shape) {
        if (auto parsed = parseShape(shape)) {
            options.shapes[name] = std::move(parsed.value());
        }
    });
    fromVariants(value(QStringLiteral("types")), [&](const std::string& name, const QString& type) {
        if (const auto known = elementTypeFromName(type.toStdString())) {
            options.types[name] = *known;
        }
    });
    fromVariants(value(QStringLiteral("strategies")), [&](const std::string& name, const QString& strategy) {
        if (const auto known = strategyFromName(strategy.toStdString())) {
            options.strategies[name] = *known;
        }
    });
    fromVariants(value(QStringLiteral("renames")), [&](const std::string& name, const QString& renamed) {
        options.renames[name] = renamed.toStdString();
    });
    fromVariants(value(QStringLiteral("customOperators")), [&](const std::string& name, const QString& custom) {
        if (const auto colon = custom.indexOf(u':'); colon > 0) {
            options.customOperators[name] = {custom.left(colon).toStdString(), custom.mid(colon + 1).toStdString()};
        }
    });
    ModelPart part{fromList(value(QStringLiteral("partFrom"))), fromList(value(QStringLiteral("partTo")))};
    if (!part.from.empty() && !part.to.empty()) {
        options.part = std::move(part);
    }
    options.outputs = fromList(value(QStringLiteral("outputs")));
    options.scanOverBatch = value(QStringLiteral("eachSample")).toString().toStdString();
    options.reroll = value(QStringLiteral("reroll")).toBool();
    options.optimize = value(QStringLiteral("optimize")).toBool();
    options.fuseAttention = options.optimize && value(QStringLiteral("fuseAttention")).toBool();
    return options;
}

} // namespace

bool ModelState::isThere() const
{
    return !model.isEmpty() && QFileInfo::exists(model);
}

bool ModelState::isEdited(const ConvertOptions& initial) const
{
    return !model.isEmpty() && storedOptions(options) != storedOptions(initial);
}

void writeState(QSettings& settings, const ModelState& state)
{
    settings.setValue(QStringLiteral("model"), state.model);
    settings.setValue(QStringLiteral("weights"), state.weights);
    settings.setValue(QStringLiteral("compared"), state.compared);
    settings.setValue(QStringLiteral("signature"), fromUtf8(state.signature));
    settings.setValue(QStringLiteral("tags"), toList(state.tags));
    const QVariantMap options = storedOptions(state.options);
    for (auto option = options.begin(); option != options.end(); ++option) {
        settings.setValue(option.key(), option.value());
    }
    const ModelView view = state.view.value_or(ModelView{});
    settings.setValue(QStringLiteral("side"), static_cast<int>(view.side));
    settings.setValue(QStringLiteral("selected"), view.selected);
    for (std::size_t i = 0; i < view.places.size(); ++i) {
        settings.setValue(QStringLiteral("origin%1").arg(i), view.places[i].origin);
        settings.setValue(QStringLiteral("scale%1").arg(i), state.view ? view.places[i].scale : 0);
        settings.setValue(QStringLiteral("bodies%1").arg(i), toVariants(view.bodies[i].paths));
        settings.setValue(QStringLiteral("front%1").arg(i), view.bodies[i].front);
    }
}

ModelState readState(const QSettings& settings)
{
    ModelState state{settings.value(QStringLiteral("model")).toString(),
                     settings.value(QStringLiteral("weights")).toString(),
                     readOptions(settings),
                     ModelView(),
                     settings.value(QStringLiteral("compared")).toString(),
                     settings.value(QStringLiteral("signature")).toString().toStdString(),
                     fromList(settings.value(QStringLiteral("tags")))};
    state.view->side = settings.value(QStringLiteral("side")).toInt() == 0 ? Side::Source : Side::Target;
    state.view->selected = settings.value(QStringLiteral("selected")).toStringList();
    bool isSeen = true;
    for (std::size_t i = 0; i < state.view->places.size(); ++i) {
        auto& place = state.view->places[i];
        place = {settings.value(QStringLiteral("origin%1").arg(i)).toPointF(),
                 settings.value(QStringLiteral("scale%1").arg(i)).toDouble()};
        state.view->bodies[i] = {toPaths(settings.value(QStringLiteral("bodies%1").arg(i)).toList()),
                                 settings.value(QStringLiteral("front%1").arg(i)).toInt()};
        isSeen = isSeen && place.scale > 0;
    }
    if (!isSeen) {
        state.view.reset();
    }
    return state;
}

} // namespace crosswalk::ui

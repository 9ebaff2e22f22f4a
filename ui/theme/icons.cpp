#include "ui/theme/icons.h"

#include "ui/theme/theme.h"

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace crosswalk::ui {
namespace {

QColor tintColor(IconTint tint, QIcon::Mode mode)
{
    const Theme& t = theme();
    if (mode == QIcon::Disabled) {
        return t.disabledText;
    }
    switch (tint) {
    case IconTint::Text:
        return mix(t.text, t.mutedText, 0.4);
    case IconTint::Accent:
        return t.accent;
    case IconTint::OnAccent:
        return t.accentText;
    case IconTint::Decomposed:
        return t.decomposed;
    case IconTint::Approximate:
        return t.approximate;
    case IconTint::Unsupported:
        return t.unsupported;
    case IconTint::Folded:
        return t.folded;
    case IconTint::Exact:
        return t.exact;
    }
    return t.text;
}

/// Renders the icon in the colours of the current theme on each request.
class ThemedIconEngine final : public QIconEngine {
public:
    ThemedIconEngine(QLatin1String name, IconTint tint)
        : m_name(name)
        , m_tint(tint)
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State /*state*/) override
    {
        const double ratio = painter->device()->devicePixelRatioF();
        const int side = std::min(rect.width(), rect.height());
        const QPixmap pixmap = iconPixmap(m_name, tintColor(m_tint, mode), side, ratio);
        painter->drawPixmap(rect.center() - QPoint((side - 1) / 2, (side - 1) / 2), pixmap);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1.0);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State /*state*/, qreal scale) override
    {
        // Qt passes a size that is already in device pixels.
        QPixmap pixmap = iconPixmap(m_name, tintColor(m_tint, mode), std::min(size.width(), size.height()), 1.0);
        pixmap.setDevicePixelRatio(scale);
        return pixmap;
    }
    QIconEngine* clone() const override { return new ThemedIconEngine(*this); }

private:
    QLatin1String m_name;
    IconTint m_tint;
};

} // namespace

QIcon applicationIcon()
{
    QIcon icon;
    for (const int side : {16, 24, 32, 48, 64, 128, 256}) {
        icon.addPixmap(iconPixmap(QLatin1String("crosswalk"), Qt::black, side, 1));
    }
    return icon;
}

QIcon icon(QLatin1String name, IconTint tint)
{
    return QIcon(new ThemedIconEngine(name, tint));
}

QPixmap iconPixmap(QLatin1String name, const QColor& color, int size, double deviceRatio)
{
    const QString key = QStringLiteral("icon/%1/%2/%3/%4").arg(name, color.name()).arg(size).arg(deviceRatio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) {
        return pixmap;
    }
    QFile file(QStringLiteral(":/icons/") + name + QStringLiteral(".svg"));
    if (!file.open(QIODevice::ReadOnly)) {
        qFatal("missing icon %s", name.data());
    }
    QByteArray svg = file.readAll();
    svg.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(svg);
    const int side = static_cast<int>(std::ceil(size * deviceRatio));
    pixmap = QPixmap(side, side);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter, QRectF(0, 0, side, side));
    painter.end();
    pixmap.setDevicePixelRatio(deviceRatio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

} // namespace crosswalk::ui

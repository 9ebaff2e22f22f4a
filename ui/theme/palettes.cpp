// The two palettes. Verdict marks are blue, amber and red with clearly different lightness, so that people with common
// colour vision deficiencies can distinguish them, and each has its own icon.

#include "core/layout/palette.h"
#include "ui/theme/theme.h"

namespace crosswalk::ui {
namespace {

QColor rgb(std::uint32_t value)
{
    return QColor::fromRgb(value);
}

/// `crosswalk render` uses the same colours.
void takeCanvasColors(Theme& t, crosswalk::Theme which)
{
    const Palette& shared = crosswalk::palette(which);
    t.canvas = rgb(shared.paper);
    t.nodeBody = rgb(shared.box);
    t.nodeLine = rgb(shared.border);
    t.nodeText = rgb(shared.text);
    t.nodeMuted = rgb(shared.faint);
    t.edge = rgb(shared.edge);
    t.edgeLoop = rgb(shared.loop);
    t.tagText = rgb(shared.tag);
    t.decomposed = rgb(verdictColour(Verdict::Decomposed, which));
    t.approximate = rgb(verdictColour(Verdict::Approximate, which));
    t.unsupported = rgb(verdictColour(Verdict::Unsupported, which));
    t.folded = rgb(verdictColour(Verdict::Folded, which));
    for (std::size_t i = 0; i < t.categories.size(); ++i) {
        const QColor tint = rgb(headerTint(static_cast<OperatorCategory>(i), which));
        // From afar, the tint alone must stand out from the background.
        const QColor block = QColor::fromHslF(tint.hslHueF(), tint.hslSaturationF() * 0.9F,
                                              tint.lightnessF() + (t.isDark ? 0.08F : -0.14F));
        t.categories[i] = {tint, rgb(shared.title), rgb(block.rgb())};
    }
    // From grey and blue-green to amber and vermilion, like the verdicts, which colour-blind people can distinguish.
    // Nodes that were not compared also have a muted lightness.
    constexpr std::array<std::pair<Rgb, Rgb>, 5> light{
        {{0xe9ebf0, 0xd0d5de}, {0x9fd6e0, 0x4fa7b8}, {0xbfe6eb, 0x78bcc8}, {0xfbe3a6, 0xe0b348}, {0xf9b8a4, 0xd1492e}}};
    constexpr std::array<std::pair<Rgb, Rgb>, 5> dark{
        {{0x343942, 0x4c535f}, {0x0c5d6d, 0x2f93a8}, {0x276770, 0x6aa9b3}, {0x5d4712, 0xb08b2e}, {0x7a2a1c, 0xe0603f}}};
    for (std::size_t i = 0; i < t.errors.size(); ++i) {
        const auto& [header, block] = t.isDark ? dark[i] : light[i];
        t.errors[i] = {rgb(header), rgb(shared.title), rgb(block)};
    }
}

Theme makeLight()
{
    Theme t;
    t.isDark = false;
    t.window = rgb(0xf3f4f7);
    t.panel = rgb(0xfafbfc);
    t.field = rgb(0xffffff);
    t.raised = rgb(0xffffff);
    t.line = rgb(0xdde1e8);
    t.strongLine = rgb(0xb9c1cd);
    t.text = rgb(0x1b2230);
    t.mutedText = rgb(0x566073);
    t.disabledText = rgb(0x9aa2b1);
    t.accent = rgb(0x3457d5);
    t.accentText = rgb(0xffffff);
    t.accentHover = rgb(0x2a48b8);
    t.accentSoft = rgb(0xe4eafc);
    t.link = rgb(0x2c4cc0);

    t.dots = QColor(0, 0, 0, 20); // also drawn on the backgrounds of groups
    t.edgeLit = rgb(0x3457d5);
    t.selection = rgb(0x3457d5);
    t.counterpart = rgb(0x7b3fc4);
    t.hover = rgb(0x7d92e6);
    t.tag = rgb(0xe8ebf1);

    t.exact = rgb(0x2b8a4b);
    t.softWarning = rgb(0xfff3d6);
    t.softError = rgb(0xfde8ea);
    t.softInfo = rgb(0xe6eefb);
    t.warningText = rgb(0x7a4a00);
    t.errorText = rgb(0xa3142c);
    t.infoText = rgb(0x1d4f91);
    t.successText = rgb(0x1c6e38);

    takeCanvasColors(t, crosswalk::Theme::Light);
    return t;
}

Theme makeDark()
{
    Theme t;
    t.isDark = true;
    t.window = rgb(0x20242b);
    t.panel = rgb(0x252a32);
    t.field = rgb(0x1b1f25);
    t.raised = rgb(0x2e343e);
    t.line = rgb(0x363d48);
    t.strongLine = rgb(0x535d6c);
    t.text = rgb(0xe8ebf0);
    t.mutedText = rgb(0xa3adbd);
    t.disabledText = rgb(0x6a7484);
    t.accent = rgb(0x486be4);
    t.accentText = rgb(0xffffff);
    t.accentHover = rgb(0x3f61d6);
    t.accentSoft = rgb(0x2c3a63);
    t.link = rgb(0x8fa9ff);

    t.dots = QColor(255, 255, 255, 20);
    t.edgeLit = rgb(0x8aa5ff);
    t.selection = rgb(0x7f9cff);
    t.counterpart = rgb(0xc294ff);
    t.hover = rgb(0x5f79d8);
    t.tag = rgb(0x323945);

    t.exact = rgb(0x5cc47d);
    t.softWarning = rgb(0x3f3216);
    t.softError = rgb(0x45222a);
    t.softInfo = rgb(0x1f324d);
    t.warningText = rgb(0xf6c766);
    t.errorText = rgb(0xff9aa4);
    t.infoText = rgb(0x9ccbfa);
    t.successText = rgb(0x7fd79b);

    takeCanvasColors(t, crosswalk::Theme::Dark);
    return t;
}

} // namespace

const Theme& lightTheme()
{
    static const Theme light = makeLight();
    return light;
}

const Theme& darkTheme()
{
    static const Theme dark = makeDark();
    return dark;
}

} // namespace crosswalk::ui

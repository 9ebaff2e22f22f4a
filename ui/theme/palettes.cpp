// The two palettes. Verdict marks are blue, amber and red with clearly different lightness, so that people with common
// colour vision deficiencies can distinguish them, and each has its own icon.

#include "core/layout/palette.h"
#include "ui/theme/theme.h"

#include <tuple>

namespace crosswalk::ui {
namespace {

QColor rgb(std::uint32_t value)
{
    return QColor::fromRgb(value);
}

/// From afar, the tint alone must stand out from the background.
HeaderColors headerOf(const Theme& t, const QColor& tint, const QColor& title)
{
    const QColor block =
        QColor::fromHslF(tint.hslHueF(), tint.hslSaturationF() * 0.9F, tint.lightnessF() + (t.isDark ? 0.08F : -0.14F));
    return {tint, title, rgb(block.rgb())};
}

void takeTints(Theme& t, const QColor& title)
{
    const auto set = [&t](Tint tint, const HeaderColors& colors) { t.tints[static_cast<std::size_t>(tint)] = colors; };
    // Amounts: from pale to strong, blue to violet, so that amber and red remain those of verdicts.
    constexpr std::array<std::pair<Rgb, Rgb>, amountSteps> amounts{{{0xe8f1f8, 0x2b3a4a},
                                                                    {0xcadff0, 0x274a66},
                                                                    {0xa6c9e6, 0x215d86},
                                                                    {0x86b1dc, 0x2b6fa5},
                                                                    {0x8c9ad6, 0x4d63b8},
                                                                    {0xa184cf, 0x7a4fb8}}};
    for (std::size_t i = 0; i < amountSteps; ++i) {
        const auto tint = static_cast<Tint>(static_cast<std::size_t>(Tint::Least) + i);
        set(tint, headerOf(t, rgb(t.isDark ? amounts[i].second : amounts[i].first), title));
    }
    // Kinds: the categories with the clearest hues.
    constexpr std::array<OperatorCategory, kindCount> hues{
        OperatorCategory::Convolution,   OperatorCategory::ControlFlow, OperatorCategory::Recurrent,
        OperatorCategory::Normalisation, OperatorCategory::Activation,  OperatorCategory::Arithmetic,
        OperatorCategory::Pooling,       OperatorCategory::Shape};
    for (std::size_t i = 0; i < kindCount; ++i) {
        set(static_cast<Tint>(static_cast<std::size_t>(Tint::Kind1) + i), t.category(hues[i]));
    }
    // Errors: from grey and blue-green to amber and vermilion, like the verdicts, which colour-blind people can
    // distinguish. Nodes that were not compared also have a muted lightness.
    constexpr std::array<std::tuple<Tint, std::pair<Rgb, Rgb>, std::pair<Rgb, Rgb>>, 5> errors{
        {{Tint::None, {0xe9ebf0, 0xd0d5de}, {0x343942, 0x4c535f}},
         {Tint::Same, {0x9fd6e0, 0x4fa7b8}, {0x0c5d6d, 0x2f93a8}},
         {Tint::Tiny, {0xbfe6eb, 0x78bcc8}, {0x276770, 0x6aa9b3}},
         {Tint::Tolerated, {0xfbe3a6, 0xe0b348}, {0x5d4712, 0xb08b2e}},
         {Tint::Differs, {0xf9b8a4, 0xd1492e}, {0x7a2a1c, 0xe0603f}}}};
    for (const auto& [tint, light, dark] : errors) {
        const auto& [header, block] = t.isDark ? dark : light;
        set(tint, {rgb(header), title, rgb(block)});
    }
    const QColor blocked = rgb(t.isDark ? 0xa9b4c3 : 0x4a5566); // stands out more than what is folded
    constexpr double share = 0.32;                              // of the mark's colour in a header
    const std::pair<Tint, QColor> verdicts[] = {
        {Tint::Exact, t.exact},           {Tint::Folded, t.folded},           {Tint::Blocked, blocked},
        {Tint::Decomposed, t.decomposed}, {Tint::Approximate, t.approximate}, {Tint::Unsupported, t.unsupported}};
    for (const auto& [tint, mark] : verdicts) {
        set(tint, {mix(t.nodeBody, mark, share), title, mark});
    }
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
        t.categories[i] = headerOf(t, rgb(headerTint(static_cast<OperatorCategory>(i), which)), rgb(shared.title));
    }
    takeTints(t, rgb(shared.title));
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

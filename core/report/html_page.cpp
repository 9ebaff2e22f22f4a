#include "core/report/html_page.h"

#include "core/base/markup.h"
#include "core/base/visible_text.h"

#include <fmt/format.h>

namespace crosswalk {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --line: #d0d4da; --soft: #5b6470; --red: #b3261e; --amber: #8a5a00; --blue: #1f5fae; }
@media (prefers-color-scheme: dark) { :root { --line: #3b4048; --soft: #a3abb6; --red: #ff8a80; --amber: #ffc45c; --blue: #8ab8ff; } }
body { font: 15px/1.5 Inter, system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin-top: 2rem; }
p.about { color: var(--soft); margin-top: .2rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .8rem .3rem 0; vertical-align: top; }
tr { border-bottom: 1px solid var(--line); } th { color: var(--soft); font-weight: 500; }
.error { color: var(--red); } .warning { color: var(--amber); } .note { color: var(--blue); }
.picture { border: 1px solid var(--line); border-radius: 6px; overflow: auto; max-height: 80vh; background: #fff; }
td { overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; font-size: .92em; }
)";

} // namespace

std::string htmlText(std::string_view text)
{
    return escapeMarkup(visibleText(text));
}

std::string htmlHead(std::string_view title)
{
    return fmt::format("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                       "'unsafe-inline'; script-src 'unsafe-inline'\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<title>{0}</title>\n<style>{1}</style></head><body>\n<h1>{0}</h1>\n",
                       htmlText(title), style);
}

std::string htmlFoot()
{
    return fmt::format("<p class=\"about\">Generated locally by crosswalk {}.</p>\n</body></html>\n",
                       CROSSWALK_VERSION);
}

} // namespace crosswalk

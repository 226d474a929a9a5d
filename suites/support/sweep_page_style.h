// How the page of a sweep looks: one column, one scale of type (14, 16, 20, 26 px), three weights
// of ink, one colour for bars and one each for green and red; all of it light and dark.
#pragma once

#include <string_view>

namespace kiban::suites {

inline constexpr std::string_view kSweepPageStyle = R"css(
:root {
  color-scheme: light dark;
  --paper: #fdfdfb; --ink: #1d2126; --soft: #59616b; --line: #dfe1e4; --panel: #f3f4f4;
  --bar: #7f97b8; --green: #1c6b3c; --red: #ad2318; --link: #24508f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --ink: #e3e6ea; --soft: #9ba4af; --line: #2e343b; --panel: #1d2126;
    --bar: #56739c; --green: #7fcf98; --red: #ff9186; --link: #9dbdf0;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.625rem; line-height: 1.25; font-weight: 600; margin: 0 0 .5rem; }
h2 {
  font-size: 1.25rem; line-height: 1.25; font-weight: 600;
  margin: 4rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line);
}
h3 { font-size: 1rem; font-weight: 600; margin: 2.5rem 0 .5rem; }
p, ul, dl, figure, pre { margin: .5rem 0; }
ul { padding-left: 1.25rem; }
a { color: var(--link); }
.green { color: var(--green); }
.red { color: var(--red); }
em { font-style: normal; color: var(--soft); }
table { width: 100%; border-collapse: collapse; margin: 1rem 0; font-size: .875rem; }
caption { text-align: left; color: var(--soft); padding: .25rem 0; }
th, td { padding: .25rem 0; vertical-align: baseline; border-bottom: 1px solid var(--line); }
th { text-align: left; font-weight: 400; padding-right: .75rem; }
thead th { color: var(--soft); }
td, thead th + th { text-align: right; padding-right: 0; }
td { font-variant-numeric: tabular-nums; overflow-wrap: normal; }
td + td, th + th { padding-left: .75rem; }
.bars th { width: 50%; }
.bars td { width: 18%; }
.bars td.bar { width: 32%; vertical-align: middle; padding-left: 1rem; }
.bar span { display: block; height: .625rem; background: var(--bar); border-radius: 1px; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); }
.pair { column-gap: 2.5rem; align-items: start; }
dl { font-size: .875rem; }
dt { color: var(--soft); margin-top: .5rem; }
dd { margin: 0; }
figure svg { display: block; width: 100%; height: 6rem; border-bottom: 1px solid var(--line); }
rect { fill: var(--bar); }
figcaption, summary, footer { font-size: .875rem; color: var(--soft); }
summary { cursor: pointer; padding: .25rem 0; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
/* A word that is longer than the line breaks within itself. */
.word { display: inline-block; max-width: 100%; }
pre { white-space: pre-wrap; background: var(--panel); padding: .75rem; border-radius: 4px; }
article { border-left: 3px solid var(--red); padding-left: 1rem; margin: 1.5rem 0; }
article h4 { font-size: 1rem; line-height: 1.5; font-weight: 600; margin: 0; }
footer { margin-top: 4rem; }
@media (min-width: 40rem) {
  .bars th, .bars td.bar { width: 42%; }
  .bars td { width: 16%; }
  dl { display: grid; grid-template-columns: 9rem 1fr; row-gap: .25rem; }
  dt { margin: 0; }
}
)css";

}  // namespace kiban::suites

#include "page/page_parts.hpp"

namespace refrain::page {

const std::string_view page_style = R"css(
:root {
  --paper: #faf9f6; --card: #ffffff; --ink: #22262b; --soft: #6a727c; --line: #e4e1da;
  --replayed: #0e8f7e; --recorded: #d9971e; --analysed: #c9563c; --held: #6f63b8;
  --accent: #0e8f7e; --shade: rgba(14, 143, 126, .10); --shadow: 0 1px 2px rgba(30, 30, 20, .06);
  --s0: #3e7cb1; --s1: #7a6bc0; --s2: #c9563c; --s3: #d9971e; --s4: #0e8f7e; --s5: #6fa8c9;
  --s6: #b65f9a; --s7: #7fa650; --s8: #d8d5cc; --s9: #a9b0b7;
}
:root[data-theme="dark"] {
  --paper: #14171a; --card: #1c2024; --ink: #e4e7ea; --soft: #98a1ab; --line: #2d333a;
  --replayed: #2fc3ae; --recorded: #e7b04a; --analysed: #e8795f; --held: #a79bea;
  --accent: #2fc3ae; --shade: rgba(47, 195, 174, .14); --shadow: none;
  --s0: #66a5dc; --s1: #a294e6; --s2: #e8795f; --s3: #e7b04a; --s4: #2fc3ae; --s5: #8fc4e2;
  --s6: #d988bd; --s7: #a2c873; --s8: #343a41; --s9: #5c656e;
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 1120px; margin: 0 auto; padding: 28px 24px 80px; }
header { display: flex; align-items: baseline; gap: 14px; flex-wrap: wrap; }
h1 { font-size: 26px; font-weight: 650; letter-spacing: -.01em; margin: 0; }
header .mark { color: var(--accent); font-weight: 600; letter-spacing: .02em; }
h2 { font-size: 17px; font-weight: 650; margin: 0 0 4px; }
.note { color: var(--soft); margin: 0 0 14px; font-size: 13.5px; }
section {
  background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 20px 22px; margin-top: 18px; box-shadow: var(--shadow);
}
button, select, input {
  font: inherit; font-size: 13.5px; color: inherit; background: var(--paper);
  border: 1px solid var(--line); border-radius: 8px; padding: 4px 10px;
}
button { cursor: pointer; }
button:hover { border-color: var(--accent); }
button.on { border-color: var(--accent); background: var(--shade); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.push { margin-left: auto; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); gap: 12px; margin-top: 18px; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 12px 16px; box-shadow: var(--shadow); }
.tile b { display: block; font-size: 23px; font-weight: 640; letter-spacing: -.01em; font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: 13px; }
.tile.good b { color: var(--replayed); }
#summary p { margin: 0 0 8px; max-width: 86ch; }
#summary p:last-child { margin: 0; }
.bar-row { display: flex; align-items: center; gap: 10px; margin-bottom: 10px; flex-wrap: wrap; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; color: var(--soft); font-size: 13px; }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 6px; vertical-align: -1px; }
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg text { fill: var(--soft); font-size: 11.5px; font-family: inherit; }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .axis { stroke: var(--soft); stroke-width: 1; opacity: .6; }
svg .cursor { stroke: var(--soft); stroke-dasharray: 3 3; visibility: hidden; }
#tip {
  position: fixed; pointer-events: none; visibility: hidden; z-index: 5; background: var(--ink);
  color: var(--paper); border-radius: 8px; padding: 7px 10px; font-size: 12.5px; line-height: 1.45;
  max-width: 340px; white-space: pre-line; font-variant-numeric: tabular-nums;
}
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 13.8px; }
th, td { text-align: right; padding: 6px 10px; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 550; font-size: 12.5px; white-space: nowrap; }
th.sort { cursor: pointer; user-select: none; }
th.sort:hover { color: var(--ink); }
th.up::after { content: " \2191"; } th.down::after { content: " \2193"; }
td { white-space: nowrap; } td.l { white-space: normal; min-width: 110px; } tr.more > td { white-space: normal; }
td.l, th.l { text-align: left; }
tbody tr.row { cursor: pointer; }
tbody tr.row:hover, tbody tr.open { background: var(--shade); }
tr.more > td { text-align: left; padding: 4px 14px 16px; background: var(--shade); }
code, .mono { font: 12.6px/1.6 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; }
.where { color: var(--soft); }
.share { display: inline-flex; width: 130px; height: 9px; border-radius: 5px; overflow: hidden; background: var(--line); vertical-align: middle; }
.part { display: inline-block; min-width: 58px; }
.share i { height: 100%; }
.why { max-width: 90ch; margin: 4px 0; }
.why li { margin: 2px 0; }
.listing { margin: 6px 0 0; max-height: 420px; overflow: auto; }
.loop { border-left: 2px solid var(--accent); border-radius: 2px; margin: 3px 0 3px 4px; padding-left: 12px; }
.loop > summary { cursor: pointer; color: var(--accent); font-weight: 600; list-style-position: inside; margin-left: -4px; }
.loop > div { padding: 0; }
.times { color: var(--accent); font-weight: 600; }
.graph { border: 1px solid var(--line); border-radius: 10px; overflow: auto; max-height: 640px; background: var(--paper); }
.graph svg { width: auto; margin: 0 auto; }
.graph rect { fill: var(--card); stroke: var(--soft); stroke-width: 1; rx: 7; }
.graph g.node { cursor: default; }
.graph g.node text { fill: var(--ink); }
.graph g.node text.sub { fill: var(--soft); font-size: 10px; }
.graph g.node.beyond rect { stroke: var(--recorded); stroke-width: 1.6; }
.graph path { fill: none; stroke: var(--replayed); stroke-width: 1.3; opacity: .75; }
.graph path.order { stroke: var(--soft); stroke-dasharray: 4 3; opacity: .6; }
.graph.picked path { opacity: .08; } .graph.picked path.hot { opacity: 1; stroke-width: 2.2; }
.graph.picked g.node { opacity: .3; } .graph.picked g.node.hot { opacity: 1; }
.empty { color: var(--soft); padding: 8px 0; }
footer { color: var(--soft); font-size: 13px; margin-top: 26px; max-width: 90ch; }
@media (max-width: 640px) { main { padding: 18px 12px 60px; } section { padding: 16px 14px; } }
@media print { section { break-inside: avoid; } button, select, input { display: none; } }
)css";

}  // namespace refrain::page

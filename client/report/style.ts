/** The style sheet of the HTML report. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --dim: #60646c; --paper: #fff; --card: #f7f8fa; --rule: #d9dbe0;
  --mark: #ffe58a; --low: #2f6bbd; --medium: #966500; --high: #c9352b; --critical: #9b2fae; --line: #2f6fd0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --dim: #9aa0a8; --paper: #15171a; --card: #1e2125;
  --rule: #34383e; --mark: #6b5200; --low: #78aef0; --medium: #e0b04a; --high: #ff8078; --critical: #d88ae6; --line: #78aef0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .2rem; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .8rem; border-bottom: 1px solid var(--rule); padding-bottom: .3rem; }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .7rem; text-transform: capitalize; scroll-margin-top: 1rem; }
h4 { font-size: 1.05rem; margin: 0; }
h5 { font-size: .95rem; margin: 0 0 .3rem; }
nav { display: flex; flex-wrap: wrap; gap: .4rem .6rem; }
nav a { text-transform: capitalize; text-decoration: none; border: 1px solid currentcolor; border-radius: 1rem; padding: .1rem .7rem; }
p { margin: .4rem 0; }
.dim { color: var(--dim); font-size: .875rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .8rem 1.5rem; margin: 1.2rem 0; }
dt { color: var(--dim); font-size: .8rem; text-transform: uppercase; letter-spacing: .04em; }
dd { margin: 0; }
svg { width: 100%; height: auto; max-height: 12rem; }
svg polyline { fill: none; stroke: var(--line); stroke-width: 2; }
svg circle { fill: var(--line); }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg text { fill: var(--dim); font-size: 11px; }
article { background: var(--card); border: 1px solid var(--rule); border-left: 4px solid var(--rule); border-radius: 6px;
  padding: .9rem 1rem; margin: 0 0 1rem; break-inside: avoid; }
article.low { border-left-color: var(--low); } article.medium { border-left-color: var(--medium); }
article.high { border-left-color: var(--high); } article.critical { border-left-color: var(--critical); }
strong.low, h3.low, a.low { color: var(--low); } strong.medium, h3.medium, a.medium { color: var(--medium); }
strong.high, h3.high, a.high { color: var(--high); } strong.critical, h3.critical, a.critical { color: var(--critical); }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1rem; margin: .7rem 0; }
.sides section { min-width: 0; }
blockquote + .dim + h5 { margin-top: .8rem; }
.id { font-family: ui-monospace, monospace; font-size: .75rem; margin-bottom: 0; }
blockquote { margin: 0; padding: .5rem .7rem; background: var(--paper); border: 1px solid var(--rule); border-radius: 4px; }
mark { background: var(--mark); color: inherit; border-radius: 2px; padding: 0 .15em; }
mark.short { white-space: nowrap; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
th, td:nth-child(n+3) { white-space: nowrap; }
td:last-child, th:last-child { text-align: right; padding-right: 0; }
tr.gap td { color: var(--high); }
@media (max-width: 40rem) { .sides { grid-template-columns: 1fr; } svg text { font-size: 19px; }
  thead { display: none; } table, tbody, tr, td { display: block; } tr { border-bottom: 1px solid var(--rule); padding: .4rem 0; }
  td { border: 0; padding: 0; } td:nth-child(2) { color: var(--dim); } td:nth-child(n+3) { display: inline; margin-right: .8rem; }
  td:last-child:not(:empty)::after { content: " claims"; } }
@media print { :root { --paper: #fff; --card: #fff; --ink: #000; --dim: #444; --rule: #bbb; --mark: #eee; }
  :root { font-size: 10pt; } body { max-width: none; padding: 0; font-size: 1rem; } article { margin-bottom: .7rem; }
  .sides { margin: .4rem 0; } blockquote { padding: .3rem .5rem; } svg { max-height: 7rem; } mark { font-weight: bold; } nav { display: none; }
  h2, h3, h4 { break-after: avoid; } tr { break-inside: avoid; } .wide { overflow: visible; }
  .sides { grid-template-columns: 1fr 1fr; } mark, strong { print-color-adjust: exact; } }
`

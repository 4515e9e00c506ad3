/** The report's style sheet: light and dark by what the reader's system says, and for paper. Nothing is loaded. */
export const style = `
:root{color-scheme:light dark;--back:#fff;--text:#1c2128;--dim:#57606a;--line:#d0d7de;--soft:#f6f8fa;--link:#0b5cad;
--done:#1a7f37;--failed:#cf222e;--blocked:#9a6700;--skipped:#6e7781;--running:#0b5cad;--waiting:#6e7781;
--plans:#0e7490;--writes:#2563eb;--reads:#7c3aed;--mends:#c2410c;--learns:#6b7280;--other:#a16207;--checks:#15803d;--merges:#374151}
@media (prefers-color-scheme:dark){:root{--back:#0d1117;--text:#e6edf3;--dim:#9198a1;--line:#3d444d;--soft:#161b22;--link:#6cb6ff;
--done:#3fb950;--failed:#ff7b72;--blocked:#d29922;--skipped:#9198a1;--running:#6cb6ff;--waiting:#9198a1;
--plans:#22d3ee;--writes:#60a5fa;--reads:#a78bfa;--mends:#fb923c;--learns:#9ca3af;--other:#eab308;--checks:#4ade80;--merges:#d1d5db}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main,header,nav,footer{max-width:1100px;margin:0 auto;padding:0 20px}
header{padding-top:28px}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 6px;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:36px 0 10px;padding-bottom:4px;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:20px 0 6px}
p{margin:6px 0;overflow-wrap:anywhere}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-9999px}
.skip:focus{left:12px;top:8px;background:var(--back);padding:4px 8px;z-index:1}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:4px 16px;margin:14px 0 0;padding:0}
.dim{color:var(--dim)}
.badge{display:inline-block;border:1px solid currentColor;border-radius:99px;padding:0 10px;font-weight:600;font-size:.85rem;white-space:nowrap}
.cards{display:flex;flex-wrap:wrap;gap:10px;margin:18px 0;padding:0;list-style:none}
.cards li{flex:1 1 130px;background:var(--soft);border:1px solid var(--line);border-radius:8px;padding:8px 12px}
.cards b{display:block;font-size:1.2rem;overflow-wrap:anywhere}
.scroll{overflow-x:auto;margin:8px 0}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:5px 10px 5px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{color:var(--dim);font-weight:600;overflow-wrap:normal}
.state{white-space:nowrap}
td.num,th.num{text-align:right;white-space:nowrap;padding-left:10px}
td:first-child{min-width:8em}
td.path{min-width:11em}
td:last-child:not(.num){min-width:10em}
tr:target td{background:var(--soft)}
code,.path{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
pre{background:var(--soft);border:1px solid var(--line);border-radius:8px;padding:10px 12px;white-space:pre-wrap;overflow-wrap:anywhere}
details{margin:8px 0}
summary{cursor:pointer;font-weight:600}
ul.plain{padding-left:20px;margin:6px 0}
.finding{border-left:4px solid var(--line);background:var(--soft);border-radius:0 8px 8px 0;padding:6px 12px;margin:8px 0;break-inside:avoid}
.finding.error{border-color:var(--failed)}.finding.warning{border-color:var(--blocked)}.finding.info{border-color:var(--waiting)}
.done{color:var(--done)}.failed{color:var(--failed)}.blocked{color:var(--blocked)}.skipped{color:var(--skipped)}.running{color:var(--running)}.waiting{color:var(--waiting)}.cancelled{color:var(--skipped)}.interrupted{color:var(--waiting)}
svg{display:block;max-width:none;font:13px system-ui,-apple-system,"Segoe UI",sans-serif}
svg text{fill:var(--text)}
.box{fill:var(--soft);stroke:currentColor;stroke-width:1.5}
.box-name{font-weight:600}.box-title,.axis,.row-name{font-size:12px}
svg .box-title,svg .axis{fill:var(--dim)}
.axis{text-anchor:middle}
.edge{fill:none;stroke:var(--dim);stroke-width:1.3}.arrow{fill:var(--dim)}
.tick,.row{stroke:var(--line);stroke-width:1}
svg a:focus-visible .box{stroke-width:3}
.plans{fill:var(--plans);background:var(--plans)}.writes{fill:var(--writes);background:var(--writes)}.reads{fill:var(--reads);background:var(--reads)}
.mends{fill:var(--mends);background:var(--mends)}.learns{fill:var(--learns);background:var(--learns)}.other{fill:var(--other);background:var(--other)}
.checks{fill:var(--checks);background:var(--checks)}.merges{fill:var(--merges);background:var(--merges)}
.legend span{display:inline-block;margin-right:14px;font-size:.85rem;color:var(--dim)}
.legend i{display:inline-block;width:12px;height:12px;border-radius:2px;margin-right:5px;vertical-align:-1px;print-color-adjust:exact}
footer{margin-top:40px;padding-bottom:40px;color:var(--dim);font-size:.85rem}
@media print{body{font-size:11px}nav,.skip{display:none}main,header,footer{max-width:none;padding:0}
.scroll{overflow:visible}svg{max-width:100%;height:auto}h2{break-after:avoid}tr,.finding{break-inside:avoid}
details::details-content{content-visibility:visible;height:auto}svg *{print-color-adjust:exact}}
`;

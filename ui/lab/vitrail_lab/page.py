"""The HTML page of a run's results. All external text is escaped; the page loads nothing from the network."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .figures import plain
from .tables import Row

STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1d2733}
h1,h2{line-height:1.2}table{border-collapse:collapse;margin:1rem 0;font-size:.9rem;display:block;overflow-x:auto}
td,th{border-bottom:1px solid #d9dee4;padding:.25rem .7rem;text-align:left;white-space:nowrap}th{white-space:normal;vertical-align:bottom}
td.number{text-align:right;font-variant-numeric:tabular-nums}img,svg{max-width:100%;height:auto}
code,pre{font:.88rem ui-monospace,monospace;background:#f3f5f7;padding:.1rem .3rem}pre{padding:.7rem;overflow-x:auto}
.small{color:#5a6672;font-size:.9em}figure{margin:1rem 0}figcaption{font-size:.85em}.bad{color:#a3232f}@media print{body{margin:0;font-size:10pt}table{display:table;font-size:6.5pt}h2,h3{break-after:avoid}tr{break-inside:avoid}td,th{padding:.15rem .3rem;white-space:normal}
figure{break-inside:avoid}pre{white-space:pre-wrap;font-size:7pt}}"""


def text(value: Any) -> str:
    return html.escape(plain(value) if isinstance(value, float) else str(value))


def table_html(rows: Sequence[Row]) -> str:
    head = "".join(f"<th>{text(cell)}</th>" for cell in rows[0])
    body = "".join("<tr>" + "".join(
        f"<td class=number>{text(cell)}</td>" if isinstance(cell, (int, float)) else f"<td>{text(cell)}</td>"
        for cell in row) + "</tr>" for row in rows[1:])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def page(title: str, parts: Iterable[str]) -> str:
    return ("<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
            f"<title>{text(title)}</title><style>{STYLE}</style>\n<body>\n" + "\n".join(parts) + "\n</body></html>\n")


def run_page(manifest: Mapping[str, Any], tests: Sequence[Mapping[str, Any]], summary: Sequence[Row],
             pictures: Sequence[tuple[str, str]], notes: Sequence[str]) -> str:
    """Return the page of a run. pictures: (file, title)."""
    name = manifest["name"]
    hosts: list[Row] = [("host", "reached", "cpu", "cores", "memory MB", "kernel", "system", "clock error, µs",
                         "load, mean", "the lab's own CPU, % of a core")]
    for host, facts in manifest["hosts"].items():
        hosts.append((host, facts["reached"], facts["cpu"], facts["cores"], facts["memory_mb"] or "", facts["kernel"], facts["system"],
                      *(worst(tests, kind, host) for kind in ("clock_bound_us", "load", "own_cpu_percent"))))
    skews = [test["skew_us"] for test in tests]
    parts = [f"<h1>{text(name)}</h1>",
             f"<p>{len(tests)} of {manifest['tests']} tests, seed {text(manifest['seed'])}, measured {text(manifest['begun'])} by "
             f"vitrail lab {text(manifest['version'])}. Simultaneous starts differed by up to "
             f"{plain(max(skews, default=0.0))} µs, plus the errors of the clocks.</p>"]
    parts += [f"<p class=bad>{text(note)}</p>" for note in notes]
    parts += ["<h2>Hosts</h2>", table_html(hosts)]
    parts += [f"<figure><img src='{text(file)}' alt='{text(title)}'></figure>" for file, title in pictures]
    parts += ["<h2>Figures</h2><p class=small>Median, minimum and maximum of the repetitions; table.csv has all tests, "
              "tests/*/samples.csv all samples.</p>", table_html(summary)]
    parts += ["<h2>The run</h2>", f"<pre>{text(manifest['file_text'])}</pre>", f"<p class=small><code>{text(manifest['command'])}</code></p>"]
    return page(name, parts)


def worst(tests: Sequence[Mapping[str, Any]], kind: str, host: str) -> Any:
    values = [test[kind].get(host) for test in tests]
    numbers = [value["mean"] if isinstance(value, dict) else value for value in values if value is not None]
    return max(numbers, default="")

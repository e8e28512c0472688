"""An audit as one self-contained HTML page: no script, no network, every text escaped."""

from __future__ import annotations

from ahdp_verify.auditing.results import (
    Audit,
    InputResult,
    PairResult,
    other_text,
    power_lines,
)
from ahdp_verify.display.markup import escape_html as esc

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
.answer{padding:.8rem 1rem;border-left:.4rem solid;border-radius:.2rem}
.consistent{border-color:#1a7f37;background:#eaf6ec}.rejected{border-color:#b42318;background:#fdecea}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #ccc;vertical-align:top;white-space:nowrap}
.soft{color:#555}
@media print{body{margin:0}}
"""
INPUTS = (
    "input",
    "draws",
    "least likely event",
    "seen",
    "expected",
    "corrected p",
    "chi-squared p",
)
PAIRS = ("from", "against", "loss at least", "law", "certified", "event", "draws in the event")


def audit_page(found: Audit) -> str:
    """The page."""
    findings = "".join(f"<li>{esc(finding)}</li>" for finding in found.findings)
    notes = "".join(f"<p class=soft>{esc(note)}</p>" for note in found.notes)
    certified = f"<p>Certified: {esc(found.claim)}</p>" if found.claim else ""
    body = [
        f"<h1>Audit of {esc(found.name)}</h1>",
        f"<p>{esc(', '.join(f'{k} = {v}' for k, v in found.parameters))}</p>",
        f'<p class="answer {found.outcome}"><strong>{esc(found.conclusion)}.</strong></p>',
        f"<ul>{findings}</ul>" if findings else "",
        certified,
        notes,
        "<h2>Draws against the law</h2>",
        _table(
            f"{found.tests} tests share an error probability of {found.share:g}. The chi-squared "
            "p-values are asymptotic, not corrected, and decide nothing.",
            INPUTS,
            [_input_row(i) for i in found.inputs],
        ),
        "<h2>What would have been found</h2>",
        "".join(f"<p>{esc(line[:1].upper() + line[1:])}.</p>" for line in power_lines(found)),
    ]
    if found.pairs:
        body += [
            "<h2>Privacy loss of the program</h2>",
            _table(
                f"{len(found.pairs)} lower bounds, of Clopper and Pearson, share an error "
                f"probability of {found.alpha / 2:g}; each event was chosen on the other half of "
                "the draws.",
                PAIRS,
                [_pair_row(pair) for pair in found.pairs],
            ),
        ]
    if found.others:
        body.append("<h2>Other laws</h2>")
        body += (f"<p>{esc(other_text(name, fits))}.</p>" for name, fits in found.others)
    body.append(
        "<p class=soft>The audit assumes that the draws are independent. It says nothing about "
        "inputs that were not tried, seeds, timing, or the digits of floating-point numbers.</p>"
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Audit of {esc(found.name)}</title><style>{STYLE}</style></head>"
        f"<body><main>{''.join(body)}</main></body></html>\n"
    )


def _table(caption: str, head: tuple[str, ...], rows: list[list[str]]) -> str:
    """A table below its explanation; it scrolls where it is wider than the page."""
    heads = "".join(f'<th scope="col">{esc(cell)}</th>' for cell in head)
    lines = "".join(f"<tr>{''.join(f'<td>{esc(c)}</td>' for c in row)}</tr>" for row in rows)
    return (
        f'<p class=soft>{esc(caption)}</p><div class=wide tabindex="0"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _input_row(i: InputResult) -> list[str]:
    """The tests at one input."""
    return [
        i.text,
        f"{i.draws:,}",
        i.event,
        f"{i.seen:,}",
        f"{i.expected:,.1f}",
        f"{i.p_value:.2g}",
        "-" if i.chi_squared is None else f"{i.chi_squared:.2g}",
    ]


def _pair_row(pair: PairResult) -> list[str]:
    """The bound between two inputs."""
    o, slack = pair.observed, f" at delta {pair.delta:g}" if pair.delta else ""
    bound = f"{o.bound():.4g}" + (f"; {o.bound(pair.delta):.4g}{slack}" if slack else "")
    return [
        pair.first,
        pair.second,
        bound,
        "not known" if pair.law is None else str(pair.law),
        "none" if pair.allowed is None else f"{pair.allowed}{slack}",
        o.event,
        f"{o.first_hits:,} of {o.first_draws:,} against {o.second_hits:,} of {o.second_draws:,}",
    ]

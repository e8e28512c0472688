"""The style of the pages: readable on paper and at 400 pixels, with no colour that carries a
meaning alone.

Every colour of a text has a contrast of at least 4.5 to 1 with what is behind it (WCAG AA; a test
computes it).
"""

from __future__ import annotations

INK, SOFT, LINE, CARD, PAPER, LINK = (
    "#1d1d1f",
    "#55595f",
    "#c9ccd1",
    "#f7f8fa",
    "#ffffff",
    "#1a5fb4",
)
# outcome -> colour of its words and edges, sign, and what the sign is read as
OUTCOMES = {
    "proved": ("#17692f", "\N{CHECK MARK}"),
    "holds": ("#17692f", "\N{CHECK MARK}"),
    "valid": ("#17692f", "\N{CHECK MARK}"),
    "repaired": ("#7a5000", "\N{CLOCKWISE OPEN CIRCLE ARROW}"),
    "refuted": ("#b3261e", "\N{MULTIPLICATION X}"),
    "false": ("#b3261e", "\N{MULTIPLICATION X}"),
    "invalid": ("#b3261e", "\N{MULTIPLICATION X}"),
    "refused": ("#b3261e", "!"),
    "vacuous": ("#7a5000", "\N{EMPTY SET}"),
    "unknown": ("#7a5000", "?"),
    "open": ("#7a5000", "?"),
    "conjecture": ("#55595f", "~"),
}
NEUTRAL = (SOFT, "\N{BULLET}")


def sign(outcome: str) -> str:
    """The sign of an outcome."""
    return OUTCOMES.get(outcome, NEUTRAL)[1]


def colours() -> str:
    """One rule for each outcome."""
    return "\n".join(
        f".{name} > .badge, .badge.{name} {{ color: {colour}; border-color: {colour} }} "
        f".card.{name} {{ border-left-color: {colour} }}"
        for name, (colour, _) in OUTCOMES.items()
    )


STYLE = f"""
* {{ box-sizing: border-box }}
html {{ -webkit-text-size-adjust: 100% }}
body {{ font: 16px/1.55 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: {INK};
  background: {PAPER}; max-width: 58rem; margin: 0 auto; padding: 1.2rem 1rem 3rem }}
h1 {{ font-size: 1.75rem; line-height: 1.2; margin: .6rem 0 .3rem }}
h2 {{ font-size: 1.3rem; line-height: 1.3; margin: 2.4rem 0 .6rem }}
h3 {{ font-size: 1.05rem; margin: 1.5rem 0 .3rem }}
h1, h2, h3, p, li, figcaption, summary, .facts td {{ overflow-wrap: anywhere }}
p, ul, ol {{ margin: .5rem 0 }} li {{ margin: .25rem 0 }}
a {{ color: {LINK} }}
.skip {{ position: absolute; left: -999rem; background: {PAPER}; padding: .4rem .8rem }}
.skip:focus {{ left: 1rem; top: .5rem }}
:focus-visible {{ outline: 3px solid {LINK}; outline-offset: 2px; border-radius: 2px }}
.subtitle, .note, figcaption {{ color: {SOFT} }} .note, figcaption {{ font-size: .9rem }}
.lead {{ font-size: 1.12rem }}
.display {{ overflow-x: auto; padding: .3rem 0 }} math {{ font-size: 1.08em }}
.display math {{ text-align: left; margin: 0 }}
.card {{ border: 1px solid {LINE}; border-left: 6px solid {SOFT}; border-radius: 6px; background: {PAPER};
  padding: .1rem 1.1rem 1rem; margin: 1.6rem 0 }}
.card h2 {{ margin-top: 1rem }}
.badge {{ display: inline-block; font-weight: 700; border: 1.5px solid; border-radius: 1rem;
  padding: 0 .65rem; white-space: nowrap; color: {SOFT} }}
code, pre, kbd {{ font: .88em/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace }}
code {{ overflow-wrap: anywhere; background: {CARD}; border-radius: 3px; padding: 0 .2em }}
pre {{ background: {CARD}; border: 1px solid {LINE}; border-radius: 4px; padding: .6rem .8rem; overflow-x: auto;
  white-space: pre-wrap; overflow-wrap: anywhere }}
.scroll {{ overflow-x: auto; margin: .7rem 0 }}
table {{ border-collapse: collapse; font-size: .94rem }}
caption {{ text-align: left; font-weight: 600; padding: .2rem 0 }} caption span {{ display: inline-block; max-width: calc(100vw - 3.5rem) }}
th, td {{ text-align: left; vertical-align: top; padding: .3rem 1rem .3rem 0; border-bottom: 1px solid {LINE} }}
thead th {{ border-bottom: 2px solid {INK}; vertical-align: bottom }} tbody th {{ font-weight: 500 }}
.facts th {{ font-weight: 600; min-width: 8.5rem; padding-right: 1.6rem }}
.short {{ white-space: nowrap }} .long {{ min-width: 11rem; overflow-wrap: anywhere }}
figure {{ margin: .9rem 0 }} figure svg {{ display: block; max-width: 100%; height: auto; background: {PAPER} }}
figure.narrow svg {{ max-width: min(100%, 25rem) }}
details {{ margin: .8rem 0 }} summary {{ cursor: pointer; font-weight: 600; color: {LINK} }}
.steps {{ list-style: none; padding: 0 }} .steps li {{ margin: .3rem 0; padding-left: calc(var(--depth, 0) * 1.2rem) }}
pre.columns {{ white-space: pre; overflow-wrap: normal }} .steps b {{ margin-right: .5rem }} .why {{ color: {SOFT}; font-size: .9rem; margin-left: .6rem }}
{colours()}
@media (max-width: 30rem) {{ body {{ padding: .8rem .7rem 2rem }} p, li, .facts td {{ overflow-x: auto; overflow-y: hidden }} h1 {{ font-size: 1.4rem }}
  .card {{ padding: .1rem .7rem .7rem }} .facts, .facts tbody, .facts tr, .facts th, .facts td {{ display: block }}
  .facts th {{ border-bottom: 0; padding-bottom: 0 }} .facts td {{ padding-top: 0 }} .steps li {{ padding-left: calc(var(--depth, 0) * .6rem) }} }}
@page {{ size: A4; margin: 17mm 15mm }}
@media print {{ body {{ max-width: none; padding: 0; font-size: 10.5pt }} .skip, .screen {{ display: none !important }}
  .card {{ border-width: 0 0 0 4px; padding: 0 0 0 .8rem; border-radius: 0 }}
  .scroll, .display {{ overflow: visible }} h1, h2, h3, caption, summary {{ break-after: avoid }}
  tr, figure, pre, .keep {{ break-inside: avoid }} .facts {{ break-inside: avoid }} thead {{ display: table-header-group }}
  table {{ font-size: 9pt; width: 100% }} th, td {{ padding-right: .6rem }} .long {{ min-width: 0 }} .short {{ white-space: normal }}
  figure.narrow svg {{ max-width: 9.5cm }}
  details::details-content {{ content-visibility: visible; display: block; height: auto }}
  details > summary {{ list-style: none; color: {INK} }} a {{ color: {INK} }}
  .badge, .card, figure {{ print-color-adjust: exact; -webkit-print-color-adjust: exact }} }}
"""

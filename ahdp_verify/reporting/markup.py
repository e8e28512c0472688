"""HTML that is escaped by construction: text becomes `Html` only through `element`, which escapes
whatever is not `Html` already.

>>> print(element("p", "1 < 2 ", element("b", "& more"), class_="note", title='"<'))
<p class="note" title="&quot;&lt;">1 &lt; 2 <b>&amp; more</b></p>
"""

from __future__ import annotations

from collections.abc import Iterable

from ahdp_verify.display.markup import escape_html

VOID = ("meta", "br", "hr", "input", "link")  # elements without an end tag


class Html(str):
    """A text that is HTML."""

    __slots__ = ()


Child = str | Html | None


def element(
    tag: str, *children: Child | Iterable[Child], **attributes: str | bool | int | None
) -> Html:
    """The element; strings in it are escaped, and so are the values of its attributes.

    An underscore in the name of an attribute is a hyphen, one at its end is dropped; True stands
    for an attribute without a value, None and False for no attribute.
    """
    said = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{escape_html(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    return Html(f"<{tag}{said}>{join(*children)}{'' if tag in VOID else f'</{tag}>'}")


def join(*children: Child | Iterable[Child]) -> Html:
    """The children one after the other, strings escaped.

    >>> print(join("a & ", [Html("<b>b</b>"), None, "<"]))
    a &amp; <b>b</b>&lt;
    """
    parts: list[str] = []
    for child in children:
        if isinstance(child, Html):
            parts.append(child)
        elif isinstance(child, str):
            parts.append(escape_html(child))
        elif child is not None:
            parts.append(join(*child))
    return Html("".join(parts))

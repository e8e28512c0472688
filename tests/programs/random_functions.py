"""Random small functions of queries and eps, as source text, for the comparison with their trees.

What they use: sums, multiples, comparisons (also chained, and with `and`, `or`, `not`), assignments
in place, aliases, swaps, lists that change, counters, flags, walrus, redraws, nested loops,
`break`, `continue`, `else` of loops, early returns, `yield` and `yield from`, `sorted`, `max`,
`any`, `in`, slices, `enumerate`, `zip`, `reversed`, lambdas, coins and `argmax`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

LOOPS = (
    *(["for q in queries:"] * 6),
    "for q in reversed(queries):",
    "for i, q in enumerate(queries):",
    "for q, _ in zip(queries, (1, 2, 3)):",
    "for q in sorted(queries):",
    "for q in queries[1:]:",
    "for q in (v + 1 for v in queries):",
)


@dataclass(slots=True)
class Writer:
    """Writes one function; names that may be used stand in `numbers`, `flags` and `lists`."""

    rng: random.Random
    numbers: list[str] = field(default_factory=lambda: ["eps", "1", "-2", "Fraction(1, 2)"])
    flags: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)
    made: int = 0

    def pick(self, *options: str) -> str:
        """One of some texts."""
        return self.rng.choice(options)

    def begun(self, kind: list[str], value: str) -> str:
        """The line that gives a value to a new name, which may be used from now on."""
        self.made += 1
        kind.append(f"v{self.made}")
        return f"v{self.made} = {value}"

    def draw(self) -> str:
        """A noise."""
        scale = self.pick("1 / eps", "2 / eps", "c / eps", "Fraction(1, 2)")
        return f"{self.pick('laplace', 'laplace', 'exponential')}({scale})"

    def number(self, depth: int = 0) -> str:
        """A number."""
        options = [self.rng.choice(self.numbers)] * (4 + 2 * depth)
        if depth < 2:
            a, b = self.number(depth + 1), self.number(depth + 1)
            options += [f"{a} + {b}", f"{a} - {b}", f"2 * ({a})", f"-({a})", self.draw()]
            options += [f"max({a}, {b})", f"abs({a})"]
        if depth == 0:
            options.append(f"({self.number(1)} if {self.condition(1)} else {self.number(1)})")
        if self.lists:
            one = self.rng.choice(self.lists)
            options += [f"{one}[0]", f"{one}[-1]", f"sum({one})", f"sorted({one})[0]"]
        return self.rng.choice(options)

    def condition(self, depth: int = 0) -> str:
        """A comparison, or several."""
        a, b, sign = self.number(1), self.number(1), self.pick(">", ">=", "<", "<=")
        options = [f"{a} {sign} {b}"] * 4
        options += [
            f"{a} {sign} {b} {sign} {self.number(2)}",
            "coin(Fraction(1, 3))",
            f"{a} == {b}",
        ]
        options += [f"(t := {a}) {sign} {b}", f"{a} in [{b}, 0]", *self.flags, *self.flags]
        if depth < 2:
            x, y = self.condition(depth + 1), self.condition(depth + 1)
            options += [f"({x} and {y})", f"({x} or {y})", f"not {x}"]
        if self.lists:
            options.append(f"any(v {sign} {b} for v in {self.rng.choice(self.lists)})")
        return self.rng.choice(options)

    def output(self) -> str:
        """What is released."""
        options = ["'a'", "'b'", self.condition(), self.condition(), f"('x', {self.number()})"]
        if self.lists:
            one = self.rng.choice(self.lists)
            options += [
                f"argmax({one})",
                f"argmax({one}, gap=True)[0]",
                f"max(range(2), key={one}.__getitem__)",
            ]
        return self.rng.choice(options)

    def assignment(self) -> list[str]:
        """One or two lines that change something."""
        own = [key for key in self.numbers if key[0] in "vq"]
        a, b = self.rng.choice(own), self.rng.choice(own)
        options = [f"{a} += {self.number()}", f"{a} -= {b}", f"{a}, {b} = {b}, {a}", f"{a} = {b}"]
        options += [f"{a} = {self.draw()}", f"{a} = (lambda v: v + {b})({self.number()})"]
        if self.flags:
            options.append(f"{self.rng.choice(self.flags)} = {self.condition()}")
        if self.lists:
            one = self.rng.choice(self.lists)
            options += [f"{one}[0] += {a}", f"{one}[0], {one}[1] = {one}[1], {one}[0]"]
            options += [f"{one}.append({one}.pop(0))", f"{one}[-1] = {self.number()}"]
        return [self.rng.choice(options)]

    def block(self, depth: int, yields: bool) -> list[str]:
        """Some statements of the loop."""
        lines: list[str] = []
        for _ in range(self.rng.choice((1, 2, 2))):
            kind = self.rng.random()
            if kind < 0.3 and depth < 3:
                lines.append(f"if {self.condition()}:")
                lines += [f"    {line}" for line in self.block(depth + 1, yields)]
                if self.rng.random() < 0.5:
                    lines += ["else:", *(f"    {line}" for line in self.block(depth + 1, yields))]
            elif kind < 0.36 and depth < 2:
                lines.append("for k in range(2):")
                lines += [f"    {line}" for line in self.block(depth + 2, yields)]
            elif kind < 0.6 and yields:
                lines.append(f"yield {self.output()}")
            elif kind < 0.64 and yields:
                lines.append(f"yield from [{self.output()}, {self.output()}]")
            elif kind < 0.72:
                lines.append(self.pick("break", "continue"))
            elif kind < 0.76:
                lines.append("return" if yields else f"return {self.output()}")
            else:
                lines += self.assignment()
        return lines

    def function(self) -> str:
        """The text of a function f(queries, eps, c)."""
        yields = self.rng.random() < 0.65
        lines = [self.begun(self.numbers, self.draw()), self.begun(self.numbers, self.number())]
        if self.rng.random() < 0.5:
            lines.append(self.begun(self.lists, f"[{self.number()}, {self.draw()}]"))
        if self.rng.random() < 0.5:
            lines.append(self.begun(self.flags, self.condition()))
        if self.rng.random() < 0.3:
            lines.append(self.begun(self.numbers, self.numbers[-1]))
        lines.append(self.rng.choice(LOOPS))
        self.numbers.append("q")
        lines += [f"    {line}" for line in self.block(1, yields) + self.block(1, yields)]
        if yields:
            lines.append(f"    yield {self.output()}")
        if self.rng.random() < 0.2:
            lines += ["else:", *(f"    {line}" for line in self.assignment())]
        self.numbers.remove("q")
        last = "yield" if yields else "return"
        if not yields or self.rng.random() < 0.3:
            lines.append(f"{last} {self.output()}")
        return "\n".join(["def f(queries, eps, c=2):", *(f"    {line}" for line in lines)]) + "\n"


def random_function(seed: int) -> str:
    """The text of the function of a seed."""
    return Writer(random.Random(seed)).function()

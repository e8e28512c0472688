import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="A first private mechanism")

with app.setup(hide_code=True):
    import tempfile
    from fractions import Fraction
    from pathlib import Path

    import marimo as mo
    import matplotlib.pyplot as plt

    from ahdp_verify import (
        Abs,
        Domain,
        Mechanism,
        Multiset,
        ahdp,
        calibrate,
        distance,
        exp,
        explain,
        log,
        name,
        number,
        oo,
        real,
        recheck,
        tighten,
        verify,
    )
    from ahdp_verify.analysis.inputs import law_at_input
    from ahdp_verify.display.markup import latex
    from ahdp_verify.kernel.decimals import text_with_decimal
    from ahdp_verify.kernel.evidence.counterexample import side_text
    from ahdp_verify.kernel.numbers.normal_form import to_expression
    from ahdp_verify.kernel.terms.expression import substitute
    from ahdp_verify.plots import float_value


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # A first private mechanism

    Every person has a value $x$ and a **demand** $\varepsilon$: how much, in nats, the published output may reveal about them.
    A dataset is a collection of such records $(x, \varepsilon)$.  We want to publish a sum, and respect everybody's demand.

    The idea: count each person with the weight $\alpha = 1 - e^{-\varepsilon}$, which is never more than $\varepsilon$, and add Laplace noise of scale $b$.
    Somebody who demands perfect privacy ($\varepsilon = 0$) does not count at all; somebody who demands nothing ($\varepsilon = \infty$) counts fully.
    """)
    return


@app.cell
def _():
    W = Domain([(0, 0), (1, 1), (2, oo)])  # the records that a dataset may hold
    s = real("s")  # the output

    def weight(x, eps):
        return 1 - exp(-eps)

    def weighted_sum(scale, title, **parameters):
        location = W.sum(lambda x, eps: weight(x, eps) * x)
        return Mechanism(
            W,
            outputs=[s],
            density=exp(-Abs(s - location) / scale) / (2 * scale),
            name=title,
            **parameters,
        )

    return W, weight, weighted_sum


@app.cell(hide_code=True)
def _(W):
    scale_slider = mo.ui.slider(
        0.25, 4, 0.25, value=2, label="scale $b$ of the noise", show_value=True
    )
    level_slider = mo.ui.slider(
        0.25,
        2,
        0.25,
        value=1,
        label="claimed level, as a multiple $c$ of the weight",
        show_value=True,
    )
    record_slider = mo.ui.slider(
        1, len(W.records), value=3, label="number of the record that is added", show_value=True
    )
    mo.vstack(
        [
            mo.md("## Two densities, and how far they are apart"),
            scale_slider,
            level_slider,
            record_slider,
        ]
    )
    return level_slider, record_slider, scale_slider


@app.cell
def _(level_slider, record_slider, scale_slider):
    scale = Fraction(scale_slider.value)  # quarters are exact; the library refuses floats
    share = Fraction(level_slider.value)
    chosen = record_slider.value - 1
    return chosen, scale, share


@app.cell
def _(W, chosen, scale, share, weight, weighted_sum):
    mechanism = weighted_sum(scale, "weighted sum")
    claim = ahdp(mechanism, lambda x, eps: share * weight(x, eps))  # the level of a record (x, eps)
    record = W.records[chosen]
    before = Multiset(W, [1, 2, 0])
    after = before + Multiset(W, [record])
    level = distance(before, after, claim.level)  # what the claim allows for this one record
    return after, before, claim, level, mechanism, record


@app.cell(hide_code=True)
def _(after, before, level, mechanism, record, scale):
    mo.vstack(
        [
            mo.md(
                f"Noise of scale $b = {latex(number(scale))}$.  The record **{record}** is added to {before}.  The claimed level for it is $c\\,\\alpha = {latex(level)}$ nats."
            ),
            two_densities(mechanism, before, after, float_value(level)),
        ]
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Is it private?  One line

    The picture shows one dataset and one record.  The claim speaks of **all** datasets, however large, and of every record.  So we ask:
    """)
    return


@app.cell
def _(claim):
    verdict = verify(claim)
    verdict
    return (verdict,)


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    A *Proved* was accepted by a checker that trusts no solver; a *Refuted* was recomputed exactly.  Neither relies on floats.
    What is the strongest claim that holds?  The exact least level of every record, over all datasets and outputs:
    """)
    return


@app.cell
def _(mechanism):
    least = tighten(mechanism)
    least
    return (least,)


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    And how much noise does the level $\alpha = 1 - e^{-\varepsilon}$ need?  With the scale as a parameter, `calibrate` finds the least one, proves that it and all larger ones
    suffice, and refutes all smaller ones:
    """)
    return


@app.cell
def _(weight, weighted_sum):
    any_noise = weighted_sum(name("b"), "weighted sum", parameters={"b": "b > 0"})
    noise = calibrate(
        ahdp(any_noise, weight), "b"
    )  # the least scale for which the level 1 - exp(-eps) is proved
    noise
    return (noise,)


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The certificate

    A verdict can be saved.  Anyone who receives the file can check it again, starting from the mechanism, without trusting the search that found it.
    """)
    return


@app.cell
def _(verdict):
    with tempfile.TemporaryDirectory() as _folder:
        _file = Path(_folder) / "first-mechanism.json"
        verdict.save(_file)
        checked, stored = recheck(_file), _file.read_text()
    _start = "\n".join(stored[i : i + 100] for i in range(0, 400, 100))
    mo.vstack(
        [
            mo.md(
                f"The file has {len(stored)} characters and begins\n\n```json\n{_start} ...\n```\n\n`recheck` says of it:"
            ),
            checked,
        ]
    )
    return checked, stored


@app.cell
def _(verdict):
    explanation = explain(verdict)  # the same as numbered steps
    mo.md(explanation.markdown)
    return (explanation,)


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The broken twin

    Now suppose that only half the required noise is added, and the same level is claimed.
    """)
    return


@app.cell
def _(noise, weight, weighted_sum):
    broken = weighted_sum(noise.value / 2, "weighted sum with half the noise")
    refuted = verify(ahdp(broken, weight))
    refuted
    return broken, refuted


@app.cell(hide_code=True)
def _(refuted):
    event_picture(refuted)
    return


@app.function(hide_code=True)
def densities(mechanism, inputs, spots):
    """The densities at the spots, one list for each input, from the exact distributions."""
    laws = [law_at_input(mechanism, D).density for D in inputs]
    return [[float_value(substitute(density, {"s": number(x)})) for x in spots] for density in laws]


@app.function(hide_code=True)
def two_densities(mechanism, before, after, level):
    """The densities at two datasets, and their log-ratio between the bounds."""
    spots = [Fraction(i, 20) for i in range(-80, 161)]
    xs = [float(x) for x in spots]
    first, second = densities(mechanism, (before, after), spots)
    loss = log(law_at_input(mechanism, before).density / law_at_input(mechanism, after).density)
    losses = [float_value(substitute(loss, {"s": number(x)})) for x in spots]
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
    left.plot(xs, first, color="#1a5fb4", linewidth=2, label=f"before: {before}")
    left.plot(xs, second, color="#c64600", linewidth=2, linestyle="--", label=f"after: {after}")
    left.set(
        xlabel="output s",
        ylabel="density",
        title="the distribution of the output",
        ylim=(0, 1.35 * max(first + second)),
    )
    right.axhspan(-level, level, color="#d9ead3", label="what the claim allows")
    right.plot(xs, losses, color="#333333", linewidth=2, label="log of before / after")
    most = 1.5 * max(level, *map(abs, losses), 0.2)
    right.set(xlabel="output s", ylabel="nats", title="the log-ratio", ylim=(-most, most))
    for axes in (left, right):
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(fontsize=8, loc="upper right")
    return figure


@app.function(hide_code=True)
def event_picture(refuted):
    """Both densities of a refutation with its event shaded; in the legend its probabilities."""
    example, mechanism = refuted.counterexample, refuted.written.mechanism
    ((_, low, high),) = example.event.intervals
    spots = [Fraction(i, 20) for i in range(-80, 121)]
    xs = [float(x) for x in spots]
    inside = [
        (low is None or float_value(low) <= x) and (high is None or x <= float_value(high))
        for x in xs
    ]
    sides = [
        [count.args[0].numerator for count in side] for side in (example.first, example.second)
    ]
    texts = [side_text(refuted.written, example, side) for side in (example.first, example.second)]
    figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
    looks = (
        ("#1a5fb4", "-", "//", refuted.first_probability),
        ("#c64600", "--", "\\\\", refuted.second_probability),
    )
    for ys, text, (colour, dashes, hatch, probability) in zip(
        densities(mechanism, sides, spots), texts, looks, strict=True
    ):
        axes.plot(xs, ys, color=colour, linestyle=dashes, linewidth=2, label=f"at {text}")
        axes.fill_between(
            xs,
            ys,
            where=inside,
            color=colour,
            alpha=0.3,
            hatch=hatch,
            edgecolor=colour,
            linewidth=0,
            label=f"probability {text_with_decimal(to_expression(probability), probability)}",
        )
    axes.set(
        xlabel="output s", ylabel="density", title=f"the event {example.event}", ylim=(0, None)
    )
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=9)
    return figure


if __name__ == "__main__":
    app.run()

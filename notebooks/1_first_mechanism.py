import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="1. A first private mechanism")

with app.setup(hide_code=True):
    from fractions import Fraction

    import marimo as mo

    from ahdp_verify import (
        Abs,
        Domain,
        Mechanism,
        Multiset,
        Refuted,
        ahdp,
        calibrate,
        distance,
        exp,
        name,
        number,
        oo,
        real,
        tighten,
        verify,
    )
    from ahdp_verify.classroom.exercises import ClaimExercise, EventExercise
    from ahdp_verify.classroom.lessons import heading
    from ahdp_verify.classroom.pictures import (
        density_picture,
        event_picture,
        loss_picture,
        row,
        spots,
    )
    from ahdp_verify.display.markup import latex


@app.cell(hide_code=True)
def _():
    mo.md(heading(1))
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    Every person has a value $x$ and a **demand** $\varepsilon$: the largest privacy loss, in nats, that they accept. A **record** is such a pair $(x, \varepsilon)$,
    and a dataset is a multiset of records. Two datasets are **neighbouring** if one of them has one record more than the other.

    We want to publish a sum, and to respect everybody's demand. So each record is counted with the weight $\alpha = 1 - e^{-\varepsilon}$, which is never more
    than $\varepsilon$, and Laplace noise of scale $b$ is added. The output $s$ then has the density

    $$p(s) = \frac{1}{2b} \exp\Big(-\frac{1}{b}\,\Big|\,s - \sum_{(x, \varepsilon)} (1 - e^{-\varepsilon})\, x\,\Big|\Big).$$

    Somebody who accepts no loss ($\varepsilon = 0$) does not influence it at all; somebody who accepts any loss ($\varepsilon = \infty$) is counted with the weight 1.
    """)
    return


@app.cell
def _():
    W = Domain([(0, 0), (1, 1), (2, oo)])  # the records that a dataset may have
    s = real("s")  # the output

    def weight(x, eps):
        return 1 - exp(-eps)

    def weighted_sum(scale, title="weighted sum", **parameters):
        location = W.sum(lambda x, eps: weight(x, eps) * x)
        density = exp(-Abs(s - location) / scale) / (2 * scale)
        return Mechanism(W, outputs=[s], density=density, name=title, **parameters)

    return W, weight, weighted_sum


@app.cell(hide_code=True)
def _(W):
    scale_slider = mo.ui.slider(
        0.5, 4, 0.5, value=2, label="scale $b$ of the noise", show_value=True
    )
    level_slider = mo.ui.slider(
        0.5, 2, 0.5, value=1, label="claimed level, as a multiple $c$ of $\\alpha$", show_value=True
    )
    record_slider = mo.ui.slider(
        1, len(W.records), value=3, label="number of the record that is added", show_value=True
    )
    mo.vstack([mo.md("## Two densities, and the claim"), scale_slider, level_slider, record_slider])
    return level_slider, record_slider, scale_slider


@app.cell
def _(level_slider, record_slider, scale_slider):
    scale = Fraction(scale_slider.value)  # halves are exact; the library refuses floats
    share = Fraction(level_slider.value)
    chosen = record_slider.value - 1
    return chosen, scale, share


@app.cell
def _(W, chosen, scale, share, weight, weighted_sum):
    mechanism = weighted_sum(scale)
    claim = ahdp(mechanism, lambda x, eps: share * weight(x, eps))  # the level of a record (x, eps)
    first = Multiset(W, [1, 1, 0])
    second = first + Multiset(W, [W.records[chosen]])
    level = distance(first, second, claim.level)  # what the claim allows for this one record
    return claim, first, level, mechanism, second


@app.cell(hide_code=True)
def _(W, chosen, first, level, mechanism, scale, second):
    mo.vstack(
        [
            mo.md(
                f"Noise of scale $b = {latex(number(scale))}$. The record **{W.records[chosen]}** is added to {first}; the claim allows it the level $c\\,\\alpha = {latex(level)}$. "
                "The privacy loss is the logarithm of the ratio of the two densities:"
            ),
            row(
                density_picture(mechanism, (first, second), spots(-4, 8)),
                loss_picture(mechanism, (first, second), spots(-4, 8), level),
            ),
        ]
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Is the claim true?

    The figure shows one pair of neighbouring datasets. The claim speaks of **all** of them, of every size, and of every event. So we ask:
    """)
    return


@app.cell
def _(claim):
    verdict = verify(claim)
    verdict
    return (verdict,)


@app.cell(hide_code=True)
def _(verdict):
    mo.vstack(
        [mo.md("The counterexample, with its event shaded:"), event_picture(verdict, spots(-4, 6))]
        if isinstance(verdict, Refuted)
        else [
            mo.md(
                "*Proved* was accepted by a small checker that believes no solver, and no number in it is rounded. Move the sliders until the answer is *Refuted*."
            )
        ]
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    The least level of every record, over all datasets and events, at the scale that you have chosen:
    """)
    return


@app.cell
def _(mechanism):
    least = tighten(mechanism)
    _rows = "\n".join(f"| {r.record} | ${latex(r.level)}$ | {r.where} |" for r in least.rows)
    mo.md(f"| record | least level | where |\n| --- | --- | --- |\n{_rows}")
    return (least,)


@app.cell(hide_code=True)
def _(weighted_sum):
    level_exercise = ClaimExercise(lambda level: ahdp(weighted_sum(2), level), "level")
    level_answer = mo.ui.text(label="level of a record (x, eps):", placeholder="for example eps/10")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 1: a level

    Noise of scale $b = 2$. Write a level, as an expression in `x` and `eps`, that this mechanism satisfies. Every level that is large enough is right.
    (Write `exp(-eps)` for $e^{-\varepsilon}$ and `oo` for $\infty$.)"""),
            level_answer,
        ]
    )
    return level_answer, level_exercise


@app.cell(hide_code=True)
def _(level_answer, level_exercise):
    level_exercise.check(level_answer.value)
    return


@app.cell(hide_code=True)
def _(weight, weighted_sum):
    any_noise = weighted_sum(name("b"), parameters={"b": "b > 0"})
    scale_exercise = ClaimExercise(
        lambda b: ahdp(weighted_sum(b), weight),
        "scale",
        using=(),
        best=lambda: calibrate(ahdp(any_noise, weight), "b").value,
    )
    scale_answer = mo.ui.text(label="least scale b:", placeholder="a number, such as 5/2")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 2: the least noise

    What is the least scale $b$ with which the level is $\alpha = 1 - e^{-\varepsilon}$ for every record? `calibrate` finds it, and proves that all larger scales suffice too."""),
            scale_answer,
        ]
    )
    return scale_answer, scale_exercise


@app.cell(hide_code=True)
def _(scale_answer, scale_exercise):
    scale_exercise.check(scale_answer.value)
    return


@app.cell(hide_code=True)
def _(weight, weighted_sum):
    event_exercise = EventExercise(ahdp(weighted_sum(1), weight), (0, 0, 0), (0, 0, 1))
    event_answer = mo.ui.text(label="event:", placeholder="for example s >= 3 and s < 4")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 3: refute it yourself

    With $b = 1$ the level $\alpha$ is too small. Give an event, as a condition on `s`, that shows it at the empty dataset $\{\}$ and at $\{(2, \infty)\}$, where the claim allows the factor $e^1$.
    Not every event does; many do."""),
            event_answer,
        ]
    )
    return event_answer, event_exercise


@app.cell(hide_code=True)
def _(event_answer, event_exercise):
    event_exercise.check(event_answer.value)
    return


if __name__ == "__main__":
    app.run()

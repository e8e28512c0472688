import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="How much an adversary learns")

with app.setup(hide_code=True):
    import tempfile
    from pathlib import Path

    import marimo as mo
    import matplotlib.pyplot as plt

    from ahdp_verify import Domain, ahdp, best_power, extra_records, log, name, recheck, verify
    from ahdp_verify.analysis.power import best_powers, power_table
    from ahdp_verify.analysis.power.closed_forms import limit_bound, limit_power, one_value_power
    from ahdp_verify.display.markup import latex
    from ahdp_verify.plots import float_value


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # How much an adversary learns at most

    An adversary knows a part of the dataset, and that **at most $t$ records** are missing from it; each has one of $k$ values, and everybody demands $\varepsilon$.  From one output
    it has to name the missing values.  Its *power* is its probability of success in the worst case, with the best test there is.

    How much power can **any** private mechanism concede?  The largest power, over all mechanisms, is the value of a linear programme.  Here it is solved exactly, and proved.
    """)
    return


@app.cell(hide_code=True)
def _():
    eps_slider = mo.ui.slider(
        steps=[1.1, 1.25, 1.5, 2, 3, 5, 10, 20],
        value=2,
        label="factor $e^\\varepsilon$ by which a record may change probabilities",
        show_value=True,
    )
    k_slider = mo.ui.slider(1, 3, value=2, label="values $k$", show_value=True)
    t_slider = mo.ui.slider(1, 6, value=5, label="missing records, at most $t$", show_value=True)
    mo.vstack([eps_slider, k_slider, t_slider])
    return eps_slider, k_slider, t_slider


@app.cell
def _(eps_slider, k_slider, t_slider):
    eps = log(str(eps_slider.value))  # decimals in a text are exact, so all answers are fractions
    k = k_slider.value
    t = t_slider.value
    return eps, k, t


@app.cell
def _(eps, k, t):
    W = Domain([(letter, eps) for letter in "abc"[:k]])
    table = power_table(W, t, everywhere=False)
    return W, table


@app.cell(hide_code=True)
def _(eps, k, t, table):
    mo.vstack(
        [
            mo.md(
                f"### $\\varepsilon = {latex(eps)} \\approx {float_value(eps):.4f}$,  $k = {k}$,  $t \\le {t}$"
            ),
            mo.md(exact_table(table)),
            curve(table),
        ]
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    The dotted line is the upper bound that the paper gives for the limit of large $t$, the product of $1 - e^{-\varepsilon}$ over the values.  It is a valid bound, but not the limit.
    The limit is the dashed line:

    $$\lim_{t \to \infty} \text{power} = \prod_x \frac{1 - e^{-\varepsilon}}{1 + e^{-\varepsilon}} = \prod_x \tanh\frac{\varepsilon}{2}.$$

    From below, two-sided geometric noise on the counts attains it, however large $t$ is; from above, a dataset in the middle of the
    hypotheses has so many close neighbours that no private mechanism can name it more often.
    """)
    return


@app.cell
def _(W, table):
    limit, bound = table.limit, table.bound
    mo.md(
        f"Here the limit is ${latex(limit)} \\approx {float_value(limit_power(W)):.6f}$ and the paper's bound is ${latex(bound)} \\approx {float_value(limit_bound(W)):.6f}$."
    )
    return bound, limit


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mechanism that concedes most, and the proof that none concedes more

    The optimum comes with a mechanism that attains it (a table: for each dataset the probabilities of the answers), and with dual prices that show that no private one does better.
    The checker verifies both by multiplication; no solver is trusted.
    """)
    return


@app.cell
def _(W):
    best = best_power(W, extra_records(2))
    best
    return (best,)


@app.cell(hide_code=True)
def _(best):
    kernel_picture(best)
    return


@app.cell
def _(best):
    with tempfile.TemporaryDirectory() as _folder:
        best.save(Path(_folder) / "best.json")
        checked = recheck(Path(_folder) / "best.json")  # the certificate, from the file
    private = verify(ahdp(best.mechanism))  # the table is a mechanism like any other
    mo.vstack(
        [
            mo.md("Saved, and checked again:"),
            checked,
            mo.md("The table, verified like any other mechanism:"),
            private,
        ]
    )
    return checked, private


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## All levels at once

    The level may stay open.  Then the answer is a formula, with one proof for all $\varepsilon > 0$.  For at most one missing record of $k$ values:
    """)
    return


@app.cell
def _():
    one_missing = {}
    for _k in (1, 2, 3):
        _anybody = Domain([(letter, name("eps")) for letter in "abc"[:_k]])
        (one_missing[_k],) = best_powers(_anybody, extra_records(1), parameters={"eps": "eps > 0"})
    mo.md(
        "\n".join(
            f"* $k = {k}$: ${latex(found.value)}$ — *{found.verdicts[0].scope_text}*"
            for k, found in one_missing.items()
        )
    )
    return (one_missing,)


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    And for one value and at most $t$ missing records, among mechanisms that are private on all datasets:
    """)
    return


@app.cell
def _():
    one_value = {t: one_value_power(t) for t in (1, 2, 3, 4, 5)}
    mo.md(
        "\n".join(
            f"* $t = {t}$: ${latex(claim.value)}$ — *{proof.scope_text}*"
            for t, (claim, proof) in one_value.items()
        )
    )
    return (one_value,)


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## A simple bound that is not always reached

    Around each dataset $v$ the hypotheses weigh $Z(v) = \sum_u e^{-d(u, v)}$, and no private mechanism lets the adversary succeed with a probability above $1 / Z(v)$ in the worst case.
    The least of these, the *ball bound*, is in the table above, and often it is the answer.  With three values it need not be: for $k = 3$, $t = 2$, $e^{-\varepsilon} = 1/10$
    the optimum lies a little below, and both are proved.
    """)
    return


@app.cell
def _():
    three = best_power(Domain([(letter, log(10)) for letter in "abc"]), extra_records(2))
    ball = three.ball_bound
    mo.vstack(
        [
            three,
            ball,
            mo.md(
                f"$${latex(three.value)} \\approx {float_value(three.value):.6f} \\; < \\; {latex(ball.claim.value)} \\approx {float_value(ball.claim.value):.6f}$$"
            ),
        ]
    )
    return ball, three


@app.function(hide_code=True)
def exact_table(table):
    """The rows of a table of power with exact values as formulas, in Markdown."""
    head = "| $t$ | hypotheses | best power, exact | about | ball bound | blind guess |\n| --- | --- | --- | --- | --- | --- |\n"
    rows = (
        f"| {row.t} | {row.hypotheses} | ${latex(row.best.value)}$ | {float_value(row.best.value):.6f} | ${latex(row.best.ball_bound.claim.value)}$ | $1/{row.hypotheses}$ |"
        for row in table.rows
    )
    return head + "\n".join(rows)


@app.function(hide_code=True)
def curve(table):
    """Best power against t, with its limit and the paper's bound of the limit."""
    figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
    ts = [row.t for row in table.rows]
    axes.plot(
        ts,
        [float_value(row.best.value) for row in table.rows],
        color="#1a5fb4",
        linewidth=2,
        marker="o",
        label="best power, exact",
    )
    axes.plot(
        ts,
        [1 / row.hypotheses for row in table.rows],
        color="#777777",
        linewidth=1,
        marker=".",
        label="blind guess",
    )
    axes.axhline(
        float_value(table.limit),
        color="#1a5fb4",
        linewidth=1.5,
        linestyle="--",
        label="limit of large t, exact",
    )
    axes.axhline(
        float_value(table.bound),
        color="#c64600",
        linewidth=1.5,
        linestyle=":",
        label="the paper's upper bound of the limit",
    )
    top = min(
        1, 1.4 * max(float_value(table.rows[0].best.value), float_value(table.bound))
    )  # room for the legend
    axes.set(xlabel="t, most records that are missing", ylabel="power", ylim=(0, top), xticks=ts)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=9)
    return figure


@app.function(hide_code=True)
def kernel_picture(best):
    """The optimal mechanism as a table of probabilities, dark for large ones."""
    probabilities = [
        [float_value(probability) for probability in row.values()] for row in best.kernel.values()
    ]
    answers = list(next(iter(best.kernel.values())))
    truths = [answers[i] for i in range(len(probabilities))]
    figure, axes = plt.subplots(figsize=(7, 4.6), layout="constrained")
    picture = axes.imshow(probabilities, cmap="Blues", vmin=0)
    for i, row in enumerate(best.kernel.values()):
        for j, probability in enumerate(row.values()):
            said = (
                str(probability)
                if len(str(probability)) <= 7
                else f"{float_value(probability):.3f}"
            )
            axes.text(
                j,
                i,
                said,
                ha="center",
                va="center",
                fontsize=7,
                color="white"
                if probabilities[i][j] > 0.6 * max(map(max, probabilities))
                else "#222222",
            )
    axes.set(
        xlabel="what the mechanism answers",
        ylabel="missing values, in truth",
        xticks=range(len(answers)),
        yticks=range(len(truths)),
    )
    axes.set_xticklabels(answers, rotation=35, ha="right", fontsize=8)
    axes.set_yticklabels(truths, fontsize=8)
    figure.colorbar(picture, label="probability")
    return figure


if __name__ == "__main__":
    app.run()

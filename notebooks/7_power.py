import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="7. The power of an adversary, and its exact limit")

with app.setup(hide_code=True):
    import marimo as mo

    from ahdp_verify import Domain, ahdp, best_power, extra_records, log, name, number, verify
    from ahdp_verify.analysis.power import best_powers, power_table
    from ahdp_verify.analysis.power.closed_forms import limit_bound, limit_power, one_value_power
    from ahdp_verify.classroom.exercises import ValueExercise
    from ahdp_verify.classroom.lessons import heading
    from ahdp_verify.classroom.pictures import BLUE, INK, ORANGE, picture, row
    from ahdp_verify.display.markup import latex
    from ahdp_verify.plots import float_value


@app.cell(hide_code=True)
def _():
    mo.md(heading(7))
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    An adversary knows a part of the dataset, and that **at most $t$ records** are missing from it; each has one of $k$ values, and everybody demands $\varepsilon$. From one output
    it has to name the missing values. Its **power** is its probability of success at the dataset where that is smallest, with the best test that there is.

    How much power can **any** mechanism concede that satisfies AHDP? The largest power, over all of them, is the value of a linear programme. Here it is solved exactly, and proved.
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
    t_slider = mo.ui.slider(1, 6, value=4, label="missing records, at most $t$", show_value=True)
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
    best = best_power(W, extra_records(1 if k > 2 else 2))
    verdict = table.rows[-1].best.verdicts[0]
    return W, best, table, verdict


@app.cell(hide_code=True)
def _(best, table, verdict):
    mo.vstack(
        [
            row(curve_picture(table), kernel_picture(best)),
            verdict,
            mo.md(exact_table(table)),
            mo.md(
                "The second figure is a mechanism that concedes the most for a small $t$: for each dataset the probabilities of its answers. The proof is a list of prices (a dual solution), which shows that no private mechanism concedes more; "
                "the checker verifies both by multiplication."
            ),
        ]
    )
    return


@app.cell
def _(best):
    private = verify(ahdp(best.mechanism))  # the table is a mechanism like any other
    private
    return (private,)


@app.cell(hide_code=True)
def _(W, table):
    limit, bound = table.limit, table.bound
    mo.md(
        r"""
    ## The limit

    $$\lim_{t \to \infty} \text{power} = \prod_x \frac{1 - e^{-\varepsilon}}{1 + e^{-\varepsilon}} = \prod_x \tanh\frac{\varepsilon}{2},$$

    where the product has a factor for each of the $k$ values. From below, two-sided geometric noise on the counts attains it, however large $t$ is; from above, a dataset in the middle of the hypotheses has so many close neighbours that no
    private mechanism can name it more often. The paper prints the product of $1 - e^{-\varepsilon}$: a valid upper bound of the limit, but larger than it. """
        f"Here the limit is ${latex(limit)} \\approx {float_value(limit_power(W)):.6f}$, and the paper's bound is ${latex(bound)} \\approx {float_value(limit_bound(W)):.6f}$."
    )
    return bound, limit


@app.cell(hide_code=True)
def _():
    _two = power_table(Domain([("a", log(2)), ("b", log(2))]), 3, everywhere=False)
    guess_exercise = ValueExercise(
        1 / number(_two.rows[-1].hypotheses), "the probability of a blind guess"
    )
    guess_answer = mo.ui.text(label="blind guess:", placeholder="a fraction")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 1: a blind guess

    At most three records are missing, each with the value $a$ or $b$. With which probability does a uniformly random guess name the missing values? (How many multisets are there? The empty one counts.)"""),
            guess_answer,
        ]
    )
    return guess_answer, guess_exercise


@app.cell(hide_code=True)
def _(guess_answer, guess_exercise):
    guess_exercise.check(guess_answer.value)
    return


@app.cell(hide_code=True)
def _():
    _anybody = Domain([("a", name("eps")), ("b", name("eps"))])
    (one_missing,) = best_powers(_anybody, extra_records(1), parameters={"eps": "eps > 0"})
    formula_exercise = ValueExercise(one_missing.value, "the largest power", {"eps": "eps > 0"})
    formula_answer = mo.ui.text(label="largest power, in eps:", placeholder="such as 1 - eps")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 2: one record, two values

    At most one record is missing, with the value $a$ or $b$. What is the largest power, as an expression in $\varepsilon$? Think of a mechanism that names the truth with probability $p$ at each of the three datasets: how often may it name each of the others
    at least, seen from there?"""),
            formula_answer,
        ]
    )
    return formula_answer, formula_exercise, one_missing


@app.cell(hide_code=True)
def _(formula_answer, formula_exercise):
    formula_exercise.check(formula_answer.value)
    return


@app.cell(hide_code=True)
def _():
    one_value = {t: one_value_power(t) for t in (1, 2, 3, 4)}
    limit_exercise = ValueExercise(
        limit_power(Domain([("a", name("eps"))])), "the limit of the power", {"eps": "eps > 0"}
    )
    limit_answer = mo.ui.text(label="limit, in eps:", placeholder="such as 1 - eps")
    _rows = "\n".join(
        f"    * $t = {t}$: ${latex(claim.value)}$" for t, (claim, _) in one_value.items()
    )
    mo.vstack(
        [
            mo.md(rf"""
    ## Exercise 3: the limit for one value

    For one value, $k = 1$, and mechanisms that are private on all datasets the largest power is

{_rows}

    What is its limit as $t$ grows?"""),
            limit_answer,
        ]
    )
    return limit_answer, limit_exercise, one_value


@app.cell(hide_code=True)
def _(limit_answer, limit_exercise):
    limit_exercise.check(limit_answer.value)
    return


@app.function(hide_code=True)
def exact_table(table):
    """The table in Markdown, every number a fraction."""
    head = "| $t$ | hypotheses | largest power | blind guess |\n| --- | --- | --- | --- |\n"
    return head + "\n".join(
        f"| {r.t} | {r.hypotheses} | ${latex(r.best.value)} \\approx {float_value(r.best.value):.4f}$ | $1/{r.hypotheses}$ |"
        for r in table.rows
    )


@app.function(hide_code=True)
def curve_picture(table):
    """The largest power against t, a blind guess, the limit, and the paper's bound of it."""
    ts = [r.t for r in table.rows]

    def draw(axes):
        powers = [float_value(r.best.value) for r in table.rows]
        axes.plot(ts, powers, color=BLUE, marker="o", label="largest power")
        guesses = [1 / r.hypotheses for r in table.rows]
        axes.plot(ts, guesses, color=INK, marker="x", linewidth=1, label="blind guess")
        axes.axhline(float_value(table.limit), color=BLUE, linestyle="--", label="limit")
        axes.axhline(float_value(table.bound), color=ORANGE, linestyle=":", label="paper's bound")
        axes.set(
            xlabel="t, most records that are missing", ylabel="power", ylim=(0, 1.35), xticks=ts
        )
        axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1])
        axes.legend(loc="upper right", ncols=2, fontsize=9)

    return picture(draw, "The largest power against t, with its limit.", 3.8)


@app.function(hide_code=True)
def kernel_picture(best):
    """The optimal mechanism as a table of probabilities, dark for large ones."""
    rows = [[float_value(p) for p in answers.values()] for answers in best.kernel.values()]
    answers = list(next(iter(best.kernel.values())))

    def draw(axes):
        axes.imshow(rows, cmap="Blues", vmin=0, aspect="auto")
        most = max(map(max, rows))
        for i, values in enumerate(rows):
            for j, value in enumerate(values):
                colour = "white" if value > 0.6 * most else INK
                axes.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=9, color=colour)
        axes.set(xlabel="answer", ylabel="missing values, in truth")
        axes.set_xticks(range(len(answers)), answers, rotation=35, ha="right", fontsize=9)
        axes.set_yticks(range(len(rows)), answers[: len(rows)], fontsize=9)
        axes.grid(visible=False)

    return picture(
        draw, "The best mechanism: for each dataset the probabilities of its answers.", 3.8
    )


if __name__ == "__main__":
    app.run()

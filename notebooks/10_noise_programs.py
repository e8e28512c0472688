import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="10. Sparse vector, right and wrong")

with app.setup(hide_code=True):
    from functools import cache

    import marimo as mo

    from ahdp_verify import (
        Domain,
        Proved,
        RefutedProgram,
        Unknown,
        argmax,
        dp,
        explain,
        laplace,
        name,
        noise_program,
        number,
        oo,
        tighten,
        verify,
    )
    from ahdp_verify.classroom.exercises import ChoiceExercise, ClaimExercise, ValueExercise
    from ahdp_verify.classroom.lessons import heading
    from ahdp_verify.classroom.pictures import row
    from ahdp_verify.classroom.program_exercises import OutputsExercise, fraction_of
    from ahdp_verify.classroom.program_pictures import (
        beside,
        code_of,
        least_level,
        levels_picture,
        outcomes_picture,
        tree_picture,
    )
    from ahdp_verify.display.markup import latex

    ANY = {"eps": "eps > 0", "T": ""}  # the parameters: a claim is about all their values
    BY_HAND = {
        "SVT1": r"By hand: $\rho$ moves by 1 and costs $\varepsilon/2$. From then on *false* is free, and the noise of each *true* moves by at most 2 and costs at most $2 \varepsilon/(4c)$, $c$ times: the other half.",
        "SVT2": r"By hand: until the next *true* a threshold costs $\varepsilon/(2c)$, and *true* as much. That happens $c$ times.",
        "SVT3": r"By hand: let all answers be 0 or all be 1, and the outputs *false*, *false*, ..., and then a number $v \le 0$. As $\rho \le v \le 0$, every noise is in its left tail, where a step by 1 changes density and tail by exactly $e^{\varepsilon/2}$. So each of the $n$ answers costs $\varepsilon/2$, not only the last one.",
        "SVT4": r"By hand: moving $\rho$ by 1 costs $\varepsilon/4$. If answers move up and down, the noise of *true* has to move by 2, which costs $2 \cdot 3\varepsilon/4$: together $7\varepsilon/4$. If a person is added, it moves by 1, and the sum is $\varepsilon$, for $c = 1$.",
        "SVT5": r"By hand: the outputs *true*, *false* need $q_2 < T + \rho \le q_1$. If the second input has $q_1 \le q_2$, there is no such $\rho$: the probability is 0.",
        "SVT6": r"By hand: let $\varepsilon = 1$ and let all answers be $T$. The noises of the answers and $\rho$ have the same law, so every order of them is equally likely. Two times *true* and $k$ times *false* means that $\rho$ is above $k$ of them and below two: the probability is $2!\,k!/(k + 3)!$.",
    }
    RELATIONS = {"all answers move, up or down": "all", "a person is added": "increasing"}


@app.cell(hide_code=True)
def _():
    mo.md(heading(10))
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    Somebody asks many counting questions, one after the other, and wants to know only which counts are at least $T$. The **sparse vector technique** adds noise $\rho$ to the threshold once, new noise to every count, and says *true* or *false*. It stops after $c$ times *true*.
    That is cheap: however many times it says *false*, the level stays $\varepsilon$. So it was published many times, in variants that look alike, and several of them are wrong (Lyu, Su and Li 2017 compare six).

    ## 1. The program

    A **noise program** is a plain Python function. It draws noise, adds, compares and outputs; what it does with the answers is the whole story. `eps` and `T` are **parameters**: what is claimed is claimed for all their values.
    """)
    return


@app.cell
def _():
    @noise_program(parameters={"eps": "eps > 0", "T": ""})
    def above(queries, eps, T, c=1, threshold=2, query=4):
        left = c
        rho = laplace(threshold / eps)
        for q in queries:
            if q + laplace(query * c / eps) >= T + rho:
                yield True
                left -= 1
                if left == 0:
                    return
            else:
                yield False

    return (above,)


@app.cell(hide_code=True)
def _():
    run_slider = mo.ui.slider(1, 20, value=1, label="number of the run", show_value=True)
    run_slider
    return (run_slider,)


@app.cell
def _(above, run_slider):
    outputs = above.sample([1, 0, 3, 2], rng=run_slider.value, eps=1, T=2, c=2)
    return (outputs,)


@app.cell(hide_code=True)
def _(above, outputs):
    mo.md(
        f"```python\n{code_of(above)}\n```\n\nOne run on the answers 1, 0, 3, 2 with $T = 2$, $\\varepsilon = 1$, $c = 2$: **{', '.join(map(str, outputs)).lower()}**. "
        "This draws numbers. To decide a claim, the function is run on symbols, once for each way that its comparisons can turn out."
    )
    return


@app.cell(hide_code=True)
def _(above):
    mo.vstack(
        [
            mo.md(r"""
    ## 2. Its tree

    On two answers there are three ways through it. A loop over **any number** of answers is a machine: it waits in a state for the next answer `q`, and keeps `rho`. This is all that is verified."""),
            row(tree_picture(above.program(queries=2))),
            mo.md(f"```text\n{above.program()}\n```"),
        ]
    )
    return


@app.cell(hide_code=True)
def _():
    relation_choice = mo.ui.dropdown(
        list(RELATIONS), value="all answers move, up or down", label="what changes:"
    )
    threshold_slider = mo.ui.slider(
        2, 8, value=2, label="scale of the threshold's noise, in $1/\\varepsilon$", show_value=True
    )
    query_slider = mo.ui.slider(
        1,
        8,
        value=4,
        label="scale of the answers' noise, in $c/\\varepsilon$",
        show_value=True,
    )
    stop_slider = mo.ui.slider(1, 2, value=1, label="$c$, times *true*", show_value=True)
    mo.vstack(
        [
            mo.md(r"""
    ## 3. A claim, and your scales

    The answers of two inputs differ by at most 1 each. In the general case some are larger and some smaller. But if the questions are counts, and **a person is added**, then no count falls: a weaker demand. Claimed is the level $\varepsilon$, for any number of answers.
    Change the scales. When is it proved, when refuted?"""),
            relation_choice,
            threshold_slider,
            query_slider,
            stop_slider,
        ]
    )
    return query_slider, relation_choice, stop_slider, threshold_slider


@app.cell
def _(query_slider, relation_choice, stop_slider, threshold_slider):
    relation = RELATIONS[relation_choice.value]
    threshold, query, c = threshold_slider.value, query_slider.value, stop_slider.value
    return c, query, relation, threshold


@app.cell
def _(above, c, query, relation, threshold):
    chosen = above(c=c, threshold=threshold, query=query)
    verdict = verify(dp(chosen, "eps", relation))
    verdict
    return chosen, verdict


@app.cell(hide_code=True)
def _(chosen, relation, verdict):
    _least = {str(chosen): levels(chosen, relation, 5)}
    _figures = [levels_picture(_least, name("eps"), {"eps": 1})]
    if isinstance(verdict, RefutedProgram):
        _figures.append(outcomes_picture(verdict))
    mo.vstack(
        [
            mo.md(
                "The least level for 1, 2, ... answers, at $\\varepsilon = 1$"
                + (", and the counterexample" if len(_figures) > 1 else "")
                + ":"
            ),
            row(*_figures),
        ]
    )
    return


@app.cell(hide_code=True)
def _(above, verdict):
    mo.stop(isinstance(verdict, Unknown))
    mo.vstack(
        [
            mo.md(
                r"""
    ### Why

    Take any noise with which the first input leads to some outputs. **Shift** it a little, so that the second input leads to the same outputs. Shifting Laplace noise of scale $b$ by $s$ costs $|s|/b$: by at most the factor $e^{|s|/b}$ the density changes. What a whole run costs is the level.
    With $\rho$ shifted by 1, *false* stays *false* for nothing, however often; only *true* needs another shift. A **gap** is by how much a comparison holds; it must not shrink."""
                if isinstance(verdict, Proved)
                else r"""
    ### Why not

    At these inputs the outputs are more than $e^\varepsilon$ times as likely on one side:"""
            ),
            beside(code_of(above), explain(verdict)),
        ]
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## 4. Six variants of the literature

    Each claims the level $\varepsilon$. They differ in how much noise they use and when, when they stop, and what they output. (`ANY` are the parameters of section 1.) Choose one, read it, and guess before you look.
    """)
    return


@app.cell
def _():
    @noise_program(parameters=ANY)
    def svt1(queries, eps, T, c=1):
        left = c
        rho = laplace(2 / eps)
        for q in queries:
            if q + laplace(4 * c / eps) >= T + rho:
                yield True
                left -= 1
                if left == 0:
                    return
            else:
                yield False

    @noise_program(parameters=ANY)
    def svt2(queries, eps, T, c=1):
        left = c
        rho = laplace(2 * c / eps)
        for q in queries:
            if q + laplace(4 * c / eps) >= T + rho:
                yield True
                rho = laplace(2 * c / eps)  # a new threshold
                left -= 1
                if left == 0:
                    return
            else:
                yield False

    @noise_program(parameters=ANY)
    def svt3(queries, eps, T, c=1):
        left = c
        rho = laplace(2 / eps)
        for q in queries:
            noisy = q + laplace(2 * c / eps)
            if noisy >= T + rho:
                yield noisy  # the number itself
                left -= 1
                if left == 0:
                    return
            else:
                yield False

    @noise_program(parameters=ANY)
    def svt4(queries, eps, T, c=1):
        left = c
        rho = laplace(4 / eps)
        for q in queries:
            if q + laplace(4 / (3 * eps)) >= T + rho:  # no factor c
                yield True
                left -= 1
                if left == 0:
                    return
            else:
                yield False

    @noise_program(parameters=ANY)
    def svt5(queries, eps, T):
        rho = laplace(2 / eps)
        for q in queries:
            if q >= T + rho:  # no noise
                yield True
            else:
                yield False  # and it never stops

    @noise_program(parameters=ANY)
    def svt6(queries, eps, T):
        rho = laplace(2 / eps)
        for q in queries:
            if q + laplace(2 / eps) >= T + rho:
                yield True
            else:
                yield False  # it never stops

    VARIANTS = {
        "SVT1": svt1,
        "SVT2": svt2,
        "SVT3": svt3,
        "SVT4": svt4,
        "SVT5": svt5,
        "SVT6": svt6,
    }
    return VARIANTS, svt1, svt4, svt5


@app.cell(hide_code=True)
def _(VARIANTS):
    variant_choice = mo.ui.dropdown(list(VARIANTS), value="SVT3", label="variant:")
    variant_choice
    return (variant_choice,)


@app.cell
def _(VARIANTS, relation, variant_choice):
    variant = variant_choice.value  # the one that is shown
    variant_verdict = verify(dp(VARIANTS[variant], "eps", relation))
    return variant, variant_verdict


@app.cell(hide_code=True)
def _(VARIANTS, variant, variant_verdict):
    mo.vstack(
        [
            variant_verdict,
            mo.md(BY_HAND[variant]),
            *(
                [row(outcomes_picture(variant_verdict))]
                if isinstance(variant_verdict, RefutedProgram)
                else []
            ),
            beside(code_of(VARIANTS[variant]), explain(variant_verdict)),
        ]
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## 5. The least level, against the number of answers

    A claim that fails may be true of short lists. The relation is the one that you chose in section 3. Lines may lie on each other: SVT1 and SVT2 with $c = 1$ are the same law, but for the threshold.
    """)
    return


@app.cell(hide_code=True)
def _():
    n_slider = mo.ui.slider(2, 6, value=4, label="answers, at most", show_value=True)
    n_slider
    return (n_slider,)


@app.cell
def _(VARIANTS, n_slider, relation):
    least = {key: levels(program, relation, n_slider.value) for key, program in VARIANTS.items()}
    return (least,)


@app.cell(hide_code=True)
def _(least):
    _head = " | ".join(str(n) for n in range(1, 1 + max(map(len, least.values()))))
    _bars = " | ".join("---" for _ in range(1 + max(map(len, least.values()))))
    _rows = "\n".join(
        f"| {key} | {' | '.join(f'{shown(level)}' for level in found)} |"
        for key, found in least.items()
    )
    mo.vstack(
        [
            row(levels_picture(least, name("eps"), {"eps": 1})),
            mo.md(f"| answers | {_head} |\n| {_bars} |\n{_rows}"),
        ]
    )
    return


@app.cell
def _():
    @noise_program(parameters={"b": "b > 0"})
    def most_visited(queries, b):
        return argmax(q + laplace(b) for q in queries)

    people = Domain([(who, oo) for who in ("Ann", "Ben", "Cem", "Dora", "Eva")])
    everywhere = 'count(x == "Ann")'
    counts = (  # for each site what a person adds to its count
        f'{everywhere} + count(x == "Ben")',
        f'{everywhere} + count(x == "Cem")/2',
        f'{everywhere} + count(x == "Dora")/2',
    )

    def personal_levels(answers):
        program = most_visited.program(inputs=people, answers=answers)
        return {r.moves: r for r in tighten(program, "ahdp").rows}

    return counts, most_visited, personal_levels


@app.cell
def _(counts, personal_levels):
    personal = personal_levels(counts)
    return (personal,)


@app.cell(hide_code=True)
def _(most_visited, personal):
    _rows = "\n".join(
        f"| {moves} | ${latex(r.level)}$ | {r.shown} |"
        for moves, r in personal.items()
        if "Eva" not in moves
    )
    mo.vstack(
        [
            mo.md(r"""
    ## 6. Whose level?

    Which of three sites is visited most? *Noisy max* adds noise of scale $b$ to the counts and outputs the place of the largest, counted from 0. Ann visits all three; Ben the first one; Cem the second and Dora the third, but only half of the time, so that they add 1/2 to its count. What does each of them risk?"""),
            mo.md(f"```python\n{code_of(most_visited)}\n```"),
            mo.md(f"| added | least level | shown |\n| --- | --- | --- |\n{_rows}"),
            mo.md(
                "Whoever moves all counts alike costs nothing: the largest stays the largest. The level $2/b$ of the textbook is for counts that move against each other, and no person who is added can make them do that."
            ),
        ]
    )
    return


@app.cell(hide_code=True)
def _(above):
    noise_exercise = ClaimExercise(
        lambda k: dp(above(threshold=3, query=fraction_of(k)), "eps", "all"), "scale", using=()
    )
    noise_answer = mo.ui.text(label="scale, in 1/eps:", placeholder="for example 3/2")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 1: more noise here, less there

    In section 1 let the threshold have noise of scale $3/\varepsilon$, and $c = 1$. Which scale $k/\varepsilon$ of the answers' noise is enough for the level $\varepsilon$, for any number of answers that move up or down? Every $k$ that is large enough is right; try to find the least."""),
            noise_answer,
        ]
    )
    return noise_answer, noise_exercise


@app.cell(hide_code=True)
def _(noise_answer, noise_exercise):
    noise_exercise.check(noise_answer.value)
    return


@app.cell(hide_code=True)
def _(svt5):
    outputs_exercise = OutputsExercise(
        dp(svt5, "eps", "increasing"), (("eps", number(1)), ("T", number(0)))
    )
    first_answer = mo.ui.text(label="first answers:", placeholder="for example 1/2, 2")
    second_answer = mo.ui.text(label="second answers:", placeholder="for example 1, 2")
    outputs_answer = mo.ui.text(label="outputs:", placeholder="for example true, true")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 2: refute it yourself

    SVT5 adds no noise to the answers. Let $\varepsilon = 1$ and $T = 0$. Find the answers of two inputs, where the second ones are the first ones with **a person added** (each answer grows by 0 to 1), and outputs that refute the level $\varepsilon$. Two answers are enough, and no computation is needed."""),
            first_answer,
            second_answer,
            outputs_answer,
        ]
    )
    return first_answer, outputs_answer, outputs_exercise, second_answer


@app.cell(hide_code=True)
def _(first_answer, outputs_answer, outputs_exercise, second_answer):
    outputs_exercise.check(outputs_answer.value, first_answer.value, second_answer.value)
    return


@app.cell(hide_code=True)
def _():
    @noise_program(parameters=ANY)
    def with_value(queries, eps, T):
        rho = laplace(2 / eps)
        for q in queries:
            noisy = q + laplace(4 / eps)
            if noisy >= T + rho:
                yield noisy
                return
            yield False

    @noise_program(parameters=ANY)
    def with_gap(queries, eps, T):
        rho = laplace(2 / eps)
        for q in queries:
            gap = q + laplace(4 / eps) - T - rho
            if gap >= 0:
                yield gap
                return
            yield False

    @noise_program(parameters=ANY)
    def with_threshold(queries, eps, T):
        rho = laplace(2 / eps)
        yield T + rho
        for q in queries:
            if q + laplace(4 / eps) >= T + rho:
                yield True
                return
            yield False

    more_exercise = ChoiceExercise(
        {
            "the noisy answer": dp(with_value, "eps", "all"),
            "by how much it is above the noisy threshold": dp(with_gap, "eps", "all"),
            "the noisy threshold, at the beginning": dp(with_threshold, "eps", "all"),
        }
    )
    more_answer = mo.ui.radio(more_exercise.choices)
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 3: one more number

    Which of these numbers could SVT1 with $c = 1$ output in addition, and still have the level $\varepsilon$?"""),
            more_answer,
        ]
    )
    return more_answer, more_exercise


@app.cell(hide_code=True)
def _(more_answer, more_exercise):
    more_exercise.check(more_answer.value)
    return


@app.cell(hide_code=True)
def _(counts, personal_levels):
    _first, *_others = counts
    _answers = (f'{_first} + count(x == "Eva")', *(f'{c} + count(x == "Eva")/2' for c in _others))
    _eva = next(r for moves, r in personal_levels(_answers).items() if "Eva" in moves)
    eva_exercise = ValueExercise(_eva.level, "the least level of Eva", {"b": "b > 0"})
    eva_answer = mo.ui.text(label="least level:", placeholder="such as 3/b")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 4: Eva

    Eva visits the first site always, and the two others half of the time: she adds 1, 1/2 and 1/2 to the counts. Which is her least level in section 6, with noise of scale $b$?"""),
            eva_answer,
        ]
    )
    return eva_answer, eva_exercise


@app.cell(hide_code=True)
def _(eva_answer, eva_exercise):
    eva_exercise.check(eva_answer.value)
    return


@app.function(hide_code=True)
@cache
def levels(program, relation, most):
    """The least levels for 1 to so many answers."""
    return tuple(least_level(program.program(), relation, n) for n in range(1, most + 1))


@app.function(hide_code=True)
def shown(level):
    """A level in LaTeX."""
    return "not found" if level is None else f"${latex(level)}$"


if __name__ == "__main__":
    app.run()

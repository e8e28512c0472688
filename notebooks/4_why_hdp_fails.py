import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="4. Why HDP fails")

with app.setup(hide_code=True):
    import marimo as mo

    from ahdp_verify import (
        Abs,
        Domain,
        Mechanism,
        ahdp,
        best_power,
        dp,
        eq,
        exp,
        finite,
        hdp,
        indicator,
        integer,
        name,
        ne,
        number,
        oo,
        piecewise,
        power,
        real,
        verify,
    )
    from ahdp_verify.analysis.inputs import law_at_input
    from ahdp_verify.analysis.power import best_powers, known_record
    from ahdp_verify.analysis.power.graph import neighbour_graph
    from ahdp_verify.analysis.testing.error_rates import error_rates
    from ahdp_verify.classroom.exercises import ChoiceExercise, EventExercise, ValueExercise
    from ahdp_verify.classroom.lessons import heading
    from ahdp_verify.classroom.pictures import BLUE, ORANGE, curve, picture, row, spots
    from ahdp_verify.display.markup import latex
    from ahdp_verify.plots import float_value


@app.cell(hide_code=True)
def _():
    mo.md(heading(4))
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    *Heterogeneous differential privacy* (HDP) treats the demands as public: if a person changes their value $x$ **and keeps their demand** $\varepsilon$, the probability of no event may change by
    more than the factor $e^{\varepsilon}$. So it compares datasets with the same demands only.

    But what people demand may depend on what they have to hide. Then the demand reveals the value, and the guarantee is empty. *AHDP* compares a dataset with and without a whole
    record $(x, \varepsilon)$ instead.

    ## The graph of datasets

    A definition of privacy is a graph: the nodes are datasets, and an edge joins two neighbouring datasets, which have to be hard to tell apart. Suppose that people with $x = 0$ have nothing to
    hide and demand 1, and that those with $x = 1$ demand 1 or perfect privacy. So nobody has the record $(0, 0)$:
    """)
    return


@app.cell
def _():
    W = Domain([(1, 0), (0, 1), (1, 1)])  # (x, demand)
    n = integer("n")  # the output

    def length_on(domain):
        density = indicator(eq(n, domain.size))
        return Mechanism(domain, outputs=[n], density=density, name="length of the dataset")

    length = length_on(W)
    return W, length, length_on, n


@app.cell(hide_code=True)
def _():
    users_slider = mo.ui.slider(2, 6, value=4, label="number of people", show_value=True)
    users_slider
    return (users_slider,)


@app.cell
def _(users_slider):
    users = users_slider.value
    return (users,)


@app.cell
def _(length, users):
    under_hdp = neighbour_graph(hdp(length), [users])  # one changes x and keeps the demand
    under_ahdp = neighbour_graph(ahdp(length), [users - 1, users])  # one joins or leaves
    return under_ahdp, under_hdp


@app.cell(hide_code=True)
def _(under_ahdp, under_hdp, users):
    mo.vstack(
        [
            row(
                graph_picture(under_hdp, users, f"HDP: {users} people, one changes x"),
                graph_picture(
                    under_ahdp, users, f"AHDP: {users - 1} or {users}, one joins or leaves"
                ),
            ),
            mo.md(
                f"Under HDP the graph has **{len(under_hdp.components)}** components, one for each choice of demands, and one of them is a single dataset: **{under_hdp.isolated[0]}**. "
                f"There everybody demands perfect privacy, and HDP compares it with nothing: a mechanism may reveal it. "
                f"Under AHDP these datasets form **{len(under_ahdp.components)}** component."
            ),
        ]
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## A mechanism that reveals what it must not

    Publish the number of records, exactly. If one person changes $x$ it stays the same, so HDP has no objection. AHDP has:
    """)
    return


@app.cell
def _(length):
    length_is_hdp = verify(hdp(length))
    length_is_ahdp = verify(ahdp(length))
    mo.vstack([length_is_hdp, length_is_ahdp])
    return length_is_ahdp, length_is_hdp


@app.cell(hide_code=True)
def _(length):
    event_exercise = EventExercise(ahdp(length))
    event_answer = mo.ui.dictionary(
        {
            "first": mo.ui.text(label="first dataset:", placeholder="such as 0, 2, 1"),
            "second": mo.ui.text(label="second dataset:", placeholder="such as 0, 2, 2"),
            "event": mo.ui.text(label="event:", placeholder="such as n >= 4"),
        }
    )
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 1: a counterexample

    Find two datasets and an event that show that the length is not AHDP. A dataset is written as three counts: how many people have $(1, 0)$, how many $(0, 1)$, how many $(1, 1)$.
    The claim allows the factor $e^d$, where $d$ is the sum of the demands of all records that only one of the two has."""),
            *event_answer.elements.values(),
        ]
    )
    return event_answer, event_exercise


@app.cell(hide_code=True)
def _(event_answer, event_exercise):
    event_exercise.check(**event_answer.value)
    return


@app.cell
def _(length_on):
    lone = length_on(Domain([(1, 0)]))
    full = power(lone, known_record((1, 0)))
    conceded = best_power(Domain([(1, 0)]), known_record((1, 0)))
    mo.md(
        "## What an adversary learns\n\n"
        "An adversary knows everybody but one person, whose record would be $(1, 0)$, and wants to find out whether they take part. Its **power** is its probability of success in the worse of the two cases. "
        f"The length lets it succeed with probability ${latex(full.value)}$. Under AHDP it can do no better than toss a coin: ${latex(conceded.value)}$, whatever the mechanism."
    )
    return conceded, full, lone


@app.cell(hide_code=True)
def _():
    (conceded_to,) = best_powers(
        Domain([(1, name("eps"))]), known_record((1, name("eps"))), parameters={"eps": "eps > 0"}
    )
    power_exercise = ValueExercise(conceded_to.value, "the largest power", {"eps": "eps > 0"})
    power_answer = mo.ui.text(label="largest power, in eps:", placeholder="such as 1 - eps")
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 2: other demands

    The demand of the person is $\varepsilon > 0$. What is the largest power against any AHDP mechanism? (At $\varepsilon = 0$ it is $\tfrac12$, and it tends to 1.)"""),
            power_answer,
        ]
    )
    return conceded_to, power_answer, power_exercise


@app.cell(hide_code=True)
def _(power_answer, power_exercise):
    power_exercise.check(power_answer.value)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The example of the paper: a mean weighted by demands

    Suppose that all who have $x = 1$ demand almost perfect privacy, and all who have $x = 0$ hardly any: the records are $(1, d)$ and $(0, E)$, where $d \to 0$ and $E \to \infty$. Publish

    $$\operatorname{clip}_{[-1, 3]}\left(\frac{\sum \varepsilon x}{\sum \varepsilon} + \text{Laplace}\Big(\frac{1}{\sum \varepsilon}\Big)\right).$$

    HDP compares no two datasets of this kind, since no two records have the same demand. AHDP compares those where a record is added:
    """)
    return


@app.function(hide_code=True)
def weighted_mean(domain, **options):
    """The mean weighted by demands, with noise, clipped: atoms at both ends, a density between."""
    s = real("s")
    demands, weighted = domain.sum(lambda x, eps: eps), domain.sum(lambda x, eps: eps * x)
    density = piecewise(
        (demands / 2 * exp(-Abs(demands * s - weighted)), (s > -1) & (s < 3)), (0, True)
    )
    ends = {-1: exp(-(weighted + demands)) / 2, 3: exp(-(3 * demands - weighted)) / 2}
    return Mechanism(
        domain, outputs=[s], density=density, atoms=ends, name="weighted mean", **options
    )


@app.cell(hide_code=True)
def _():
    step_slider = mo.ui.slider(1, 4, value=2, label="step towards the limit", show_value=True)
    step_slider
    return (step_slider,)


@app.cell
def _(step_slider):
    d = ["1/2", "1/10", "1/100", "1/1000"][step_slider.value - 1]
    E = ["2", "10", "100", "1000"][step_slider.value - 1]
    return E, d


@app.cell
def _(E, d):
    coupled = weighted_mean(Domain([(1, d), (0, E)]), defined="size >= 1")
    coupled_is_hdp = verify(hdp(coupled))
    coupled_is_ahdp = verify(ahdp(coupled))
    mo.vstack([coupled_is_hdp, coupled_is_ahdp])
    return coupled, coupled_is_ahdp, coupled_is_hdp


@app.cell
def _(coupled):
    all_alike = law_at_input(coupled, [3, 0])
    one_other = law_at_input(coupled, [2, 1])
    errors = error_rates(coupled, [3, 0], [2, 1], "s >= -1/10 and s < 1/10")
    return all_alike, errors, one_other


@app.cell(hide_code=True)
def _(E, all_alike, d, errors, one_other):
    mo.vstack(
        [
            mo.md(
                f"Three people, $d = {latex(number(d))}$ and $E = {E}$. Bars are probabilities of the ends $-1$ and $3$:"
            ),
            row(law_picture(all_alike), law_picture(one_other)),
            mo.md(
                f'Whoever sees an output near 0 says "not everybody has $(1, d)$", and otherwise "everybody has". This simple test errs with probability about {float_value(errors.type_one):.6f} '
                f"if everybody has $(1, d)$, and {float_value(errors.type_two):.6f} if one has $(0, E)$."
            ),
        ]
    )
    return


@app.cell
def _():
    _s = finite("s", [-1, 0, 3])
    coupling = Domain([(1, 0), (0, oo)])
    _law = piecewise(
        (indicator(ne(_s, 0)) / 2, eq(coupling.count(lambda x, eps: eps > 0), 0)),
        (indicator(eq(_s, 0)), True),
    )
    limit = Mechanism(
        coupling, outputs=[_s], density=_law, defined="size >= 1", name="limit of the weighted mean"
    )
    question = ["all have x = 1", "some have x = 0", "some have x = 0", "some have x = 0"]
    betrayed = power(limit, [[3, 0], [2, 1], [1, 2], [0, 3]], labels=question)
    return betrayed, coupling, limit


@app.cell(hide_code=True)
def _(betrayed):
    _rows = "".join(
        f"| {cell} | {', '.join(answers)} |\n" for cell, answers in betrayed.strategy.items()
    )
    mo.md(
        "In the limit the two distributions have nothing in common. If everybody demands perfect privacy, the output is $-1$ or $3$, by a fair coin; otherwise it is $0$. "
        f"The adversary names the answer with probability ${latex(betrayed.value)}$:\n\n| it sees | it says |\n| --- | --- |\n{_rows}"
    )
    return


@app.cell(hide_code=True)
def _(limit):
    choice_exercise = ChoiceExercise(
        {
            "It is AHDP: every record may have the loss that it demands.": ahdp(limit),
            "It is DP at level 100 if one record is replaced by another.": dp(limit, 100, "swap"),
            "It is HDP, and this says something about it.": hdp(limit),
        }
    )
    choice_answer = mo.ui.radio(choice_exercise.choices)
    mo.vstack(
        [
            mo.md(r"""
    ## Exercise 3: a word of caution

    Which of these is true of the limit itself, with the records $(1, 0)$ and $(0, \infty)$? Think of what AHDP at the demand $\infty$ says."""),
            choice_answer,
        ]
    )
    return choice_answer, choice_exercise


@app.cell(hide_code=True)
def _(choice_answer, choice_exercise):
    choice_exercise.check(choice_answer.value)
    return


@app.function(hide_code=True)
def graph_picture(found, users, title):
    """A graph of datasets on a triangle; its corners are the datasets of equal records."""

    def spot(D):
        a, _, c = ((count + (users - D.size) / 3) / users for count in D.counts)
        return c + a / 2, a * 0.866

    def draw(axes):
        gap = (float("nan"), float("nan"))  # between two edges
        ends = [
            place
            for edge in found.edges
            for place in (spot(found.nodes[edge.first]), spot(found.nodes[edge.second]), gap)
        ]
        axes.plot(*zip(*ends, strict=True), color="#8aa4c8", linewidth=1.6, zorder=1)
        for nodes, marker, size, colour in (
            ([D for D in found.nodes if D.size < users], "o", 6, "#8aa4c8"),
            ([D for D in found.nodes if D.size == users], "o", 9, BLUE),
            (found.isolated, "D", 13, ORANGE),
        ):
            places = [*map(spot, nodes)]
            axes.plot(
                [x for x, _ in places],
                [y for _, y in places],
                marker,
                markersize=size,
                color=colour,
            )
        corners = ((0.5, 0.866, "bottom"), (0, 0, "top"), (1, 0, "top"))
        for record, (x, y, side) in zip(found.nodes[0].domain.records, corners, strict=True):
            shift = 0.05 if side == "bottom" else -0.05
            axes.text(x, y + shift, f"all {record}", ha="center", va=side, fontsize=10)
        if found.isolated:
            x, y = spot(found.isolated[0])
            axes.text(x + 0.07, y - 0.02, "isolated", color=ORANGE, fontsize=10, weight="bold")
        axes.set_title(title, fontsize=11, pad=16)
        axes.set(xlim=(-0.2, 1.2), ylim=(-0.13, 1.0), aspect="equal")
        axes.axis("off")

    return picture(draw, f"{title}: {len(found.components)} components.")


@app.function(hide_code=True)
def law_picture(law):
    """A distribution with atoms: the density as a line, an atom as a bar."""

    def draw(axes):
        xs = spots(-1, 3, 240)[1:-1]
        heights = curve(law.density, "s", xs)
        axes.plot([float(x) for x in xs], heights, color=BLUE, linewidth=1.8)
        axes.set(
            xlim=(-1.3, 3.3), ylim=(0, 1.1 * max(1, *heights)), xlabel="output s", title=law.text
        )
        axes.set_ylabel("density (line)", color=BLUE)
        top = axes.twinx()
        masses = [float_value(mass) for _, mass in law.atoms]
        top.bar(
            [float_value(at) for at, _ in law.atoms], masses, width=0.12, color=ORANGE, hatch="//"
        )
        top.set(ylim=(0, 0.6))
        top.set_ylabel("probability (bars)", color=ORANGE)
        axes.spines["top"].set_visible(False)
        top.spines["top"].set_visible(False)

    return picture(draw, f"The distribution of the output at {law.text}.")


if __name__ == "__main__":
    app.run()

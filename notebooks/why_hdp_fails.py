import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Why HDP fails")

with app.setup(hide_code=True):
    import marimo as mo
    import matplotlib.pyplot as plt

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
        log,
        name,
        ne,
        oo,
        piecewise,
        power,
        real,
        verify,
    )
    from ahdp_verify.analysis.inputs import law_at_input
    from ahdp_verify.analysis.power import known_record
    from ahdp_verify.analysis.power.graph import neighbour_graph
    from ahdp_verify.analysis.testing.error_rates import error_rates
    from ahdp_verify.display.markup import latex
    from ahdp_verify.kernel.terms.expression import number, substitute
    from ahdp_verify.plots import float_value


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Why HDP fails

    Every user $i$ has data $x_i$ and a privacy demand $\varepsilon_i$.  *Heterogeneous differential privacy* (HDP) treats the demands as public: if user $i$ changes
    their data, **and keeps their demand**, no probability may change by more than the factor $e^{\varepsilon_i}$.

    That is a guarantee about pairs of datasets with the same demands.  But what people demand may depend on what they have to hide.  Then the demand reveals the data,
    and the guarantee is empty (section 2.4 of the paper).  *AHDP* compares a dataset with and without a whole record $(x, \varepsilon)$ instead.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The graph of datasets

    A definition of privacy is a graph: the nodes are datasets, the edges join neighbouring datasets, which must look alike.  Suppose that people with $x = 0$ have nothing to hide, and that those with $x = 1$
    demand either the usual level 1 or perfect privacy.  So nobody has the record $(0, 0)$:
    """)
    return


@app.cell
def _():
    W = Domain([(1, 0), (0, 1), (1, 1)])  # (data, demand)
    n = integer("n")  # the output

    def length_on(domain):
        return Mechanism(
            domain, outputs=[n], density=indicator(eq(n, domain.size)), name="length of the dataset"
        )

    return W, length_on


@app.cell(hide_code=True)
def _():
    users_slider = mo.ui.slider(2, 6, value=4, label="number of users", show_value=True)
    users_slider
    return (users_slider,)


@app.cell
def _(users_slider):
    users = users_slider.value
    return (users,)


@app.cell
def _(W, length_on, users):
    length = length_on(W)
    under_hdp = neighbour_graph(
        hdp(length), [users]
    )  # replace a record by another one with the same demand
    under_ahdp = neighbour_graph(ahdp(length), [users - 1, users])  # add a record, or remove it
    return length, under_ahdp, under_hdp


@app.cell(hide_code=True)
def _(under_ahdp, under_hdp, users):
    two_graphs(under_hdp, under_ahdp, users)
    return


@app.cell(hide_code=True)
def _(under_ahdp, under_hdp):
    mo.md(
        f"Under HDP the graph falls into **{len(under_hdp.components)}** parts, one for each choice of demands, and one of them is a single dataset: **{under_hdp.isolated[0]}**.  "
        f"There everybody demands perfect privacy, and HDP compares it with nothing: a mechanism may disclose it.  "
        f"Under AHDP the graph is in **{len(under_ahdp.components)}** piece, without isolated nodes."
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## A mechanism that reveals what it must not

    Publish the number of records, exactly.  A replacement does not change it, so HDP has no objection, at any level.  AHDP has:
    """)
    return


@app.cell
def _(length):
    length_is_hdp = verify(hdp(length))
    length_is_ahdp = verify(ahdp(length))
    mo.vstack([length_is_hdp, length_is_ahdp])
    return length_is_ahdp, length_is_hdp


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    What does that mean for somebody whose record is $(1, 0)$, perfect privacy?  An adversary knows everybody else, and wants to find out whether they take part.
    Its **power** is its probability of success in the worse of the two cases.  A coin gives 1/2.
    """)
    return


@app.cell
def _(length):
    full = power(length, known_record((1, 0)))  # against the length
    conceded = best_power(
        length.inputs, known_record((1, 0))
    )  # the most that any AHDP mechanism concedes
    mo.vstack([full, conceded])
    return conceded, full


@app.cell(hide_code=True)
def _(conceded, full):
    mo.md(
        f"The HDP mechanism leaves no doubt, power ${latex(full.value)}$.  Under AHDP the adversary can do no better than toss a coin: "
        f"${latex(conceded.value)}$, for every mechanism there is.  For other demands AHDP concedes more, exactly $1/(1 + e^{{-\\varepsilon}})$:"
    )
    return


@app.cell
def _():
    demands = [number(0), log(2), log(3), log(10), oo]
    concessions = [best_power(Domain([(1, eps)]), known_record((1, eps))) for eps in demands]
    _head = "| demand $\\varepsilon$ | " + " | ".join(f"${latex(eps)}$" for eps in demands) + " |"
    _line = (
        "| largest power under AHDP | "
        + " | ".join(f"${latex(found.value)}$" for found in concessions)
        + " |"
    )
    mo.md(f"{_head}\n|{' --- |' * (len(demands) + 1)}\n{_line}")
    return concessions, demands


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The example of the paper: a mean weighted by demands

    Suppose that all who have $x = 1$ demand perfect privacy, and all who have $x = 0$ do not care: the records are $(1, d)$ and $(0, E)$,
    in the limit $d \to 0$ and $E \to \infty$.  Publish

    $$\operatorname{clip}_{[-1, 3]}\left(\frac{\sum \varepsilon x}{\sum \varepsilon} + \text{Laplace}\Big(\frac{1}{\sum \varepsilon}\Big)\right).$$

    Where both data may come with both demands, this is HDP (here for the demands $1/100$ and $5$).  Where the demand reveals the data there is no pair of datasets
    to compare, and it is HDP all the more, but not AHDP:
    """)
    return


@app.function
def weighted_mean(domain, **options):
    """The mean weighted by demands, with noise, clipped: atoms at both ends, and a density between them."""
    s = real("s")
    demands, weighted = domain.sum(lambda x, eps: eps), domain.sum(lambda x, eps: eps * x)
    density = piecewise(
        (demands / 2 * exp(-Abs(demands * s - weighted)), (s > -1) & (s < 3)), (0, True)
    )
    ends = {-1: exp(-(weighted + demands)) / 2, 3: exp(-(3 * demands - weighted)) / 2}
    return Mechanism(
        domain, outputs=[s], density=density, atoms=ends, name="weighted mean", **options
    )


@app.cell
def _():
    free = weighted_mean(Domain([(0, "1/100"), (1, "1/100"), (0, 5), (1, 5)]), defined="size >= 1")
    coupled = weighted_mean(Domain([(1, "1/100"), (0, 5)]), defined="size >= 1")
    free_is_hdp = verify(hdp(free))
    coupled_is_hdp = verify(hdp(coupled))
    coupled_is_ahdp = verify(ahdp(coupled))
    mo.vstack(
        [
            mo.md("*All four records:*"),
            free_is_hdp,
            mo.md("*Only $(1, 1/100)$ and $(0, 5)$:*"),
            coupled_is_hdp,
            coupled_is_ahdp,
        ]
    )
    return coupled_is_ahdp, coupled_is_hdp, free_is_hdp


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    *Scope: no moves* is the isolated node again.  Now let the demands go to their limits, and look at the output:
    on the left everybody has $(1, d)$, on the right one of them has $(0, E)$.
    """)
    return


@app.cell(hide_code=True)
def _():
    step_slider = mo.ui.slider(1, 5, value=3, label="step towards the limit", show_value=True)
    step_slider
    return (step_slider,)


@app.cell
def _(step_slider):
    d = ["1/2", "1/10", "1/100", "1/1000", "0"][step_slider.value - 1]
    E = ["2", "10", "100", "1000", "10000"][step_slider.value - 1]
    return E, d


@app.cell
def _(E, d):
    towards = weighted_mean(
        Domain([(1, name("d")), (0, name("E"))]), parameters={"d": "d >= 0", "E": "E > d"}
    )
    all_alike = law_at_input(towards, [3, 0], {"d": d, "E": E})
    one_other = law_at_input(towards, [2, 1], {"d": d, "E": E})
    return all_alike, one_other, towards


@app.cell(hide_code=True)
def _(E, all_alike, d, one_other):
    two_laws(all_alike, one_other, f"d = {d}", f"d = {d}, E = {E}")
    return


@app.cell
def _(E, d, towards):
    errors = error_rates(
        towards, [3, 0], [2, 1], "s >= -1/10 and s < 1/10", parameters={"d": d, "E": E}
    )
    mo.md(f"""
    Whoever sees an output near $0$ says "not everybody has $(1, d)$", and else "everybody has".  This simple test is wrong

    | where the truth is | with probability | which is about |
    | --- | --- | --- |
    | everybody has $(1, d)$ | ${latex(errors.type_one)}$ | {float_value(errors.type_one):.6f} |
    | one has $(0, E)$ | ${latex(errors.type_two)}$ | {float_value(errors.type_two):.6f} |
    """)
    return (errors,)


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    The laws come apart completely: if everybody wants perfect privacy, the output is $-1$ or $3$, by a fair coin; else it is $0$ (the paper prints $1$, which is
    the value of the other coupling).  This is the limit itself, with what it reveals:
    """)
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
    limit_is_hdp = verify(hdp(limit))
    limit_is_swap = verify(
        dp(limit, 100, "swap")
    )  # could the data be hidden at least at level 100?
    limit_is_ahdp = verify(ahdp(limit))
    mo.vstack([limit_is_hdp, limit_is_swap, limit_is_ahdp])
    return coupling, limit, limit_is_ahdp, limit_is_hdp, limit_is_swap


@app.cell
def _(limit):
    question = ["they all have x = 1", "some have x = 0", "some have x = 0", "some have x = 0"]
    betrayed = power(limit, [[3, 0], [2, 1], [1, 2], [0, 3]], labels=question)
    betrayed
    return (betrayed,)


@app.cell(hide_code=True)
def _(betrayed):
    _rows = "".join(
        f"| {cell} | {', '.join(answers)} |\n" for cell, answers in betrayed.strategy.items()
    )
    mo.md(f"""
    The adversary names the answer with certainty, even where everybody asked for perfect privacy:

    | what it sees | what it says |
    | --- | --- |
    {_rows.replace(chr(10), chr(10) + "    ")}
    A word of caution: the limit mechanism is AHDP too, since $(0, \\infty)$ demands nothing and $(1, 0)$ changes nothing.
    With the finite demands above the weighted mean is not, as the refutation there shows.
    """)
    return


@app.function(hide_code=True)
def spot(D, users):
    """Where a dataset is drawn: in a triangle, by the shares of its three records."""
    a, _, c = ((count + (users - D.size) / 3) / users for count in D.counts)
    return c + a / 2, a * 0.866


@app.function(hide_code=True)
def two_graphs(under_hdp, under_ahdp, users):
    """Both graphs on one triangle; its corners are the datasets of equal records."""
    figure, panels = plt.subplots(1, 2, figsize=(10, 5), layout="constrained")
    titles = (
        f"HDP: {users} users, one changes their data",
        f"AHDP: {users - 1} or {users} users, one joins or leaves",
    )
    for axes, found, title in zip(panels, (under_hdp, under_ahdp), titles, strict=True):
        places = [spot(D, users) for D in found.nodes]
        for edge in found.edges:
            axes.plot(
                *zip(places[edge.first], places[edge.second], strict=True),
                color="#8aa4c8",
                linewidth=1.6,
                zorder=1,
            )
        for D, (x, y) in zip(found.nodes, places, strict=True):
            alone, full = D in found.isolated, D.size == users
            axes.scatter(
                x,
                y,
                s=170 if alone else 90 if full else 40,
                color="#c64600" if alone else "#1a5fb4" if full else "#8aa4c8",
                marker="D" if alone else "o",
                zorder=2,
            )
        for record, (x, y), where in zip(
            found.nodes[0].domain.records,
            ((0.5, 0.866), (0, 0), (1, 0)),
            ("bottom", "top", "top"),
            strict=True,
        ):
            axes.annotate(
                f"all {record}",
                (x, y),
                (0, 12 if where == "bottom" else -12),
                textcoords="offset points",
                ha="center",
                va=where,
                fontsize=10,
            )
        if found.isolated:
            axes.annotate(
                "isolated",
                spot(found.isolated[0], users),
                (14, -3),
                textcoords="offset points",
                color="#c64600",
                fontsize=10,
                weight="bold",
            )
        axes.set_title(title, fontsize=11, pad=18)
        axes.set(xlim=(-0.15, 1.15), ylim=(-0.13, 1.0), aspect="equal")
        axes.axis("off")
    return figure


@app.function(hide_code=True)
def two_laws(left, right, *titles):
    """Two distributions with atoms: the density as a line, an atom as a bar."""
    figure, panels = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
    for axes, side, title in zip(panels, (left, right), titles, strict=True):
        steps = [number(f"{i}/100") for i in range(-99, 300)]
        heights = [float_value(substitute(side.density, {"s": x})) for x in steps]
        axes.plot([float_value(x) for x in steps], heights, color="#1a5fb4", linewidth=1.8)
        axes.set(
            xlim=(-1.3, 3.3),
            ylim=(0, 1.1 * max(1, *heights)),
            xlabel="output s",
            title=f"{side.text}\n{title}",
        )
        axes.set_ylabel("density between the ends (line)", color="#1a5fb4")
        top = axes.twinx()
        top.bar(
            [float_value(at) for at, _ in side.atoms],
            [float_value(mass) for _, mass in side.atoms],
            width=0.12,
            color="#c64600",
        )
        top.set(ylim=(0, 0.6))
        top.set_ylabel("probability of the ends (bars)", color="#c64600")
        axes.spines["top"].set_visible(False)
        top.spines["top"].set_visible(False)
    return figure


if __name__ == "__main__":
    app.run()

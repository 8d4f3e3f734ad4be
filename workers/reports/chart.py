"""The picture of a report: decisions and expiries by day, as a PNG for a phone.

Drawn on a panel of its own, so that it reads the same in a dark and in a light Slack. Imported where a picture is
drawn and nowhere else: matplotlib takes a second and 60 MB.
"""

from collections.abc import Sequence
from io import BytesIO
from typing import Final

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from approvals.rules.report import Day

# Twice the 360 px of a phone, where a thread leaves some 250 of them to a picture: its letters are still 12 px there.
DPI: Final = 200
INCHES: Final = (3.6, 2.7)
POINTS: Final = 12.5
PANEL, INK, GRID = "#f7f7f4", "#1f2933", "#d5d9dd"
# Apart in lightness as well, and hatched: told apart without colours.
DECIDED, EXPIRED = "#2f6f9f", "#e8833a"
MOST_LABELS: Final = 4


def draw(days: Sequence[Day]) -> bytes:
    figure = Figure(figsize=INCHES, dpi=DPI, facecolor=PANEL, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot(facecolor=PANEL)
    _bars(axes, days)
    _frame(axes, days)
    figure.legend(loc="outside upper left", ncols=2, frameon=False, fontsize=POINTS, labelcolor=INK, handlelength=1.2)
    picture = BytesIO()
    figure.savefig(picture, format="png", facecolor=PANEL)
    return picture.getvalue()


def _bars(axes: Axes, days: Sequence[Day]) -> None:
    places = range(len(days))
    decided = [day.decided for day in days]
    axes.bar(places, decided, width=0.72, color=DECIDED, label="decided")
    axes.bar(
        places,
        [day.expired for day in days],
        bottom=decided,
        width=0.72,
        color=EXPIRED,
        edgecolor=PANEL,
        linewidth=0.4,
        hatch="///",
        label="expired",
    )


def _frame(axes: Axes, days: Sequence[Day]) -> None:
    step = max(-(-len(days) // MOST_LABELS), 1)
    # Counted from the last day, which is the one that the report is about.
    labelled = sorted(range(len(days) - 1, -1, -step))
    axes.set_xticks(labelled, [f"{days[place].day.day} {days[place].day:%b}" for place in labelled])
    axes.set_ylim(0, max(max((day.decided + day.expired for day in days), default=0) * 1.05, 1))
    axes.set_xlim(-0.6, len(days) - 0.4)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=4, integer=True))
    axes.tick_params(labelsize=POINTS, colors=INK, length=0)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(INK)

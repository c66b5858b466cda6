"""What is said at the end of a turn that analysed data, and the files that come with it."""

from __future__ import annotations

from bandsmith.shared.markdown_text import unlinked
from bandsmith.shared.model.base import Ref
from bandsmith.shared.replies import listed, text
from bandsmith.shared.sources import names_of

from ..state import Turn


def reply(turn: Turn) -> str:
    if turn.web_page is not None:
        failed = sum(bool(result.problem) for result in turn.results)
        said = [turn.preview, text("data.analysis.done", turn.language, count=len(turn.results) - failed)]
        said += from_sources(turn)
        if failed:
            said.append(text("data.analysis.not_answered", turn.language, count=failed))
        doubted = [f"{result.name}: {result.doubt}" for result in turn.results if result.doubt]
        said += [text("data.reply.doubted", turn.language, doubt=doubt) for doubt in doubted]
        return "\n\n".join(said)
    if turn.plan_trouble:
        return text("data.plan.wrong", turn.language, problem=turn.plan_trouble)
    if turn.results:
        problem = turn.results[-1].problem
        return text("data.reply.refused", turn.language, problem=unlinked(problem))
    return unlinked(turn.answer) or text("data.plan.nothing", turn.language)


def from_sources(turn: Turn) -> list[str]:
    """Say where an answer comes from, if it is from several sources, or from one that the user did not name."""
    names = names_of(turn.source)
    if len(names) < 2 and not turn.is_assumed:
        return []
    return [text("data.reply.from_sources", turn.language, names=listed(names, turn.language), count=len(names))]


def files(turn: Turn) -> dict[str, Ref]:
    """The report in each form, and the rows of each step, by the name that each gets in the output folder."""
    made = {"report.md": turn.markdown, "report.html": turn.web_page, "report.pdf": turn.printout}
    made |= {f"report-{number}.png": page for number, page in enumerate(turn.printout_pages, 1)}
    made |= {f"{result.name}.csv": result.rows_as_csv for result in turn.results}
    return {name: ref for name, ref in made.items() if ref}


def is_complete(turn: Turn) -> bool:
    return turn.web_page is not None and not any(result.problem or result.doubt for result in turn.results)

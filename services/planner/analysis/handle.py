"""Handle the planner's commands about the results of an analysis."""

from __future__ import annotations

from bandsmith.shared.actor import Store
from bandsmith.shared.events import AnalysePython, Event, WriteAnalysis, WritePython
from bandsmith.shared.llm import Model
from bandsmith.shared.settings import ModelSettings

from .analyse_python import analyse_python
from .write_analysis import write_analysis
from .write_python import write_python

AnalysisCommand = WritePython | AnalysePython | WriteAnalysis


async def handle_analysis(store: Store, command: AnalysisCommand, model: Model | None) -> Event:
    match command:
        case WritePython():
            return await write_python(store, command, model)
        case AnalysePython():
            return await analyse_python(store, command, model if ModelSettings().judge else None)
        case WriteAnalysis():
            return await write_analysis(store, command, model)

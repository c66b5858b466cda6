"""This service as a Ray Serve application: `build` is what KubeRay calls, `application` what `bandsmith serve` does."""

from collections.abc import Mapping

from ray.serve import Application, deployment

from bandsmith.shared.serving.deployment import ServeReplica, options
from bandsmith.shared.serving.pools import OcrPool, completed
from bandsmith.shared.serving.replica import actor_work

from .actor import OcrActor


def build(given: OcrPool) -> Application:
    """With the arguments of serve.yaml. Each pod has settings of its own."""
    return application(completed("ocr", given), {})


def application(pool: OcrPool, environment: Mapping[str, str]) -> Application:
    """With settings for machines that say nothing else."""
    served = deployment(**options("ocr", pool))(ServeReplica)
    return served.bind(actor_work("ocr", OcrActor), pool.concurrency, environment)

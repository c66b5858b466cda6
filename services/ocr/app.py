"""The service as a Ray Serve application: KubeRay calls `build`, ``bandsmith serve`` calls `application`."""

from collections.abc import Mapping

from ray.serve import Application, deployment

from bandsmith.shared.serving.deployment import ServeReplica, options
from bandsmith.shared.serving.pools import OcrPool, completed
from bandsmith.shared.serving.replica import actor_work

from .actor import OcrActor


def build(given: OcrPool) -> Application:
    """Build the application from the arguments in serve.yaml; each pod brings its own settings."""
    return application(completed("ocr", given), {})


def application(pool: OcrPool, environment: Mapping[str, str]) -> Application:
    """Build the application with settings for machines without their own."""
    served = deployment(**options("ocr", pool))(ServeReplica)
    return served.bind(actor_work("ocr", OcrActor), pool.concurrency, environment)

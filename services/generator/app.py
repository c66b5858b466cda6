"""The service as a Ray Serve application. KubeRay calls `build`, `bandsmith serve` calls `application`."""

from collections.abc import Mapping

from ray.serve import Application, deployment

from bandsmith.shared.serving.deployment import ServeReplica, options
from bandsmith.shared.serving.pools import Pool, completed
from bandsmith.shared.serving.replica import actor_work

from .actor import GeneratorActor


def build(given: Pool) -> Application:
    """Build the application from the arguments of serve.yaml. Each pod has its own settings."""
    return application(completed("generator", given), {})


def application(pool: Pool, environment: Mapping[str, str]) -> Application:
    """Build the application with settings for machines without their own."""
    served = deployment(**options("generator", pool))(ServeReplica)
    return served.bind(actor_work("generator", GeneratorActor), pool.concurrency, environment)

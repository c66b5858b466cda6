"""The gateway as a Ray Serve application: KubeRay calls `build`, `bandsmith serve` calls `application`."""

from collections.abc import Mapping

from ray.serve import Application, deployment

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.serving.deployment import ServeReplica, options
from bandsmith.shared.serving.garbage import collect_rarely
from bandsmith.shared.serving.pools import Pool, completed

from .actor import GatewayActor, configured


def build(given: Pool) -> Application:
    """With the arguments of serve.yaml. Each pod has its own settings."""
    return application(completed("gateway", given), {})


def application(pool: Pool, environment: Mapping[str, str]) -> Application:
    """Build the application with settings for machines without their own."""
    served = deployment(**options("gateway", pool))(ServeReplica)
    return served.bind(_alone, pool.concurrency, environment)


def _alone(bus: Bus, concurrency: int) -> GatewayActor:
    """Make the gateway of a process that runs nothing else."""
    collect_rarely()
    return configured(bus, concurrency)

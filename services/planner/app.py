"""The service as a Ray Serve application. KubeRay calls `build`, `bandsmith serve` calls `application`."""

from collections.abc import Mapping

from ray.serve import Application, deployment

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.serving.deployment import ServeReplica, options
from bandsmith.shared.serving.pools import Pool, completed
from bandsmith.shared.serving.replica import actor_work

from .actor import PlannerActor
from .settings import KnowledgeSettings


def build(given: Pool) -> Application:
    """Build the application from the arguments of serve.yaml. Each pod has its own settings."""
    return application(completed("planner", given), {})


def application(pool: Pool, environment: Mapping[str, str]) -> Application:
    """Build the application with settings for machines without their own."""
    served = deployment(**options("planner", pool))(ServeReplica)
    make_actor = actor_with_shared_knowledge if pool.max > 1 else PlannerActor
    return served.bind(actor_work("planner", make_actor), pool.concurrency, environment)


def actor_with_shared_knowledge(store: Store) -> PlannerActor:
    """Return a planner for a pool of several. Only the replica knows its settings, so it checks them itself.

    Raises ``BadInput`` for a knowledge base that only one process at a time can open.
    """
    if not KnowledgeSettings().is_server:
        raise BadInput.of("planner.needs_milvus_server", code="input")
    return PlannerActor(store)

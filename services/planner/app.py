"""This service as a Ray Serve application: `build` is what KubeRay calls, `application` what `bandsmith serve` does."""

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
    """With the arguments of serve.yaml. Each pod has settings of its own."""
    return application(completed("planner", given), {})


def application(pool: Pool, environment: Mapping[str, str]) -> Application:
    """With settings for machines that say nothing else."""
    served = deployment(**options("planner", pool))(ServeReplica)
    planner = one_of_several if pool.max > 1 else PlannerActor
    return served.bind(actor_work("planner", planner), pool.concurrency, environment)


def one_of_several(store: Store) -> PlannerActor:
    """Raises ``BadInput`` for knowledge that one process at a time can open: where it is, only the replica knows."""
    if not KnowledgeSettings().is_server:
        raise BadInput(
            "planner.max: several planners need a Milvus server; name its address in BANDSMITH_KNOWLEDGE, as "
            "http://milvus:19530.",
            message_zh="planner.max：多个 planner 副本需要 Milvus 服务器；请在 BANDSMITH_KNOWLEDGE 中给出其地址，"
            "例如 http://milvus:19530。",
        )
    return PlannerActor(store)

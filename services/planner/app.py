"""This service as a Ray Serve application: `build`, whose arguments are those of serve.yaml."""

from ray.serve import Application, deployment

from shared.errors import BadInput
from shared.serving.deployment import Served, environment, options
from shared.serving.pools import Pool, completed
from shared.serving.replica import acting

from .actor import PlannerActor
from .settings import KnowledgeSettings


def build(given: Pool) -> Application:
    """Raises ``BadInput`` for several replicas on knowledge that one process at a time can open."""
    pool = completed("planner", given)
    if pool.max > 1 and not KnowledgeSettings().is_server:
        raise BadInput(
            "planner.max: several planners need a Milvus server; name its address in BANDSMITH_KNOWLEDGE, as "
            "http://milvus:19530.",
            message_zh="planner.max：多个 planner 副本需要 Milvus 服务器；请在 BANDSMITH_KNOWLEDGE 中给出其地址，"
            "例如 http://milvus:19530。",
        )
    served = deployment(**options("planner", pool))(Served)
    return served.bind(acting("planner", PlannerActor), pool.concurrency, environment())

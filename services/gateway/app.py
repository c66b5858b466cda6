"""This service as a Ray Serve application: `build`, whose arguments are those of serve.yaml."""

from ray.serve import Application, deployment

from shared.serving.deployment import Served, environment, options
from shared.serving.pools import Pool, completed

from .actor import configured


def build(given: Pool) -> Application:
    pool = completed("gateway", given)
    served = deployment(**options("gateway", pool))(Served)
    return served.bind(configured, pool.concurrency, environment())

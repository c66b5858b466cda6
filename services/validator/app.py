"""This service as a Ray Serve application: `build`, whose arguments are those of serve.yaml."""

from ray.serve import Application, deployment

from shared.serving.deployment import Served, environment, options
from shared.serving.pools import Pool, completed
from shared.serving.replica import acting

from .actor import ValidatorActor


def build(given: Pool) -> Application:
    pool = completed("validator", given)
    served = deployment(**options("validator", pool))(Served)
    return served.bind(acting("validator", ValidatorActor), pool.concurrency, environment())

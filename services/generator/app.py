"""This service as a Ray Serve application: `build`, whose arguments are those of serve.yaml."""

from ray.serve import Application, deployment

from shared.serving.deployment import Served, environment, options
from shared.serving.pools import Pool, completed
from shared.serving.replica import acting

from .actor import GeneratorActor


def build(given: Pool) -> Application:
    pool = completed("generator", given)
    served = deployment(**options("generator", pool))(Served)
    return served.bind(acting("generator", GeneratorActor), pool.concurrency, environment())

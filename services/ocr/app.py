"""This service as a Ray Serve application: `build`, whose arguments are those of serve.yaml."""

from ray.serve import Application, deployment

from shared.serving.deployment import Served, environment, options
from shared.serving.pools import OcrPool, completed
from shared.serving.replica import acting

from .actor import OcrActor


def build(given: OcrPool) -> Application:
    pool = completed("ocr", given)
    served = deployment(**options("ocr", pool))(Served)
    return served.bind(acting("ocr", OcrActor), pool.concurrency, environment())

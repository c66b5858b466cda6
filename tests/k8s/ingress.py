"""The rule for what leads to the page from outside of a cluster."""

from __future__ import annotations

from collections.abc import Iterator

from bandsmith.web.limits import MAX_BODY_BYTES
from bandsmith.web.turns import STREAM_S
from tests.k8s.cluster import Cluster


def streams_pass_the_ingress(cluster: Cluster) -> Iterator[str]:
    """Each Ingress ends TLS, sends events on at once, lets a stream last, and takes files as large as the page does."""
    for one in cluster.of("Ingress"):
        name, given = one["metadata"]["name"], one["metadata"].get("annotations", {})
        said = {key.removeprefix("nginx.ingress.kubernetes.io/"): value for key, value in given.items()}
        for way in ("proxy-buffering", "proxy-request-buffering"):
            if said.get(way) != "off":
                yield f"{name} holds back what it passes on: {way}"
        if int(said.get("proxy-read-timeout", 60)) <= STREAM_S:
            yield f"{name} ends streams before the server does"
        if int(said.get("proxy-body-size", "1m").removesuffix("m")) * 1024 * 1024 < MAX_BODY_BYTES:
            yield f"{name} refuses files that the page accepts"
        hosts = {rule.get("host") for rule in one["spec"]["rules"]}
        if said.get("force-ssl-redirect") != "true" or hosts != {h for tls in one["spec"]["tls"] for h in tls["hosts"]}:
            yield f"{name} is reached without TLS"

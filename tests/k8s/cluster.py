"""A model of the cluster that rendered manifests describe: pods, ports, and allowed connections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, NamedTuple

import yaml

Manifest = dict[str, Any]
SECRET_VALUE = "5ecret"
"""What each key of each secret holds."""


OURS = {"kubernetes.io/metadata.name": "bandsmith"}


class Pod(NamedTuple):
    """Pods of one kind: a StatefulSet's, a Deployment's, the head's, a worker group's; or an external peer."""

    name: str
    labels: dict[str, str]
    spec: Manifest
    ray: Manifest | None = None
    """The group that they are of."""
    namespace: dict[str, str] = OURS
    """Its labels."""
    address: str | None = None
    """The address of an external peer."""

    @property
    def containers(self) -> list[Manifest]:
        return [*self.spec["containers"], *self.spec.get("initContainers", [])]

    @property
    def ports(self) -> dict[str, int]:
        return {port["name"]: port["containerPort"] for port in self._ports()}

    def protocol(self, port: int | str) -> str:
        return next((one.get("protocol", "TCP") for one in self._ports() if one["name"] == port), "TCP")

    def _ports(self) -> Iterator[Manifest]:
        return (port for one in self.containers for port in one.get("ports", []))


class Cluster:
    def __init__(self, manifests: list[Manifest]) -> None:
        self.manifests = manifests

    def of(self, kind: str) -> list[Manifest]:
        return [one for one in self.manifests if one["kind"] == kind]

    def names(self, kind: str) -> set[str]:
        return {one["metadata"]["name"] for one in self.of(kind)}

    @property
    def service(self) -> Manifest:
        """The RayService's ``spec``."""
        (service,) = self.of("RayService")
        return service["spec"]

    @property
    def applications(self) -> list[Manifest]:
        return yaml.safe_load(self.service["serveConfigV2"])["applications"]

    @property
    def groups(self) -> list[Manifest]:
        return self.service["rayClusterConfig"]["workerGroupSpecs"]

    @property
    def pods(self) -> list[Pod]:
        return list(self._pods())

    def _pods(self) -> Iterator[Pod]:
        for one in (*self.of("StatefulSet"), *self.of("Deployment")):
            template = one["spec"]["template"]
            yield Pod(one["metadata"]["name"], template["metadata"]["labels"], template["spec"])
        ray = self.service["rayClusterConfig"]
        for group in (ray["headGroupSpec"], *ray["workerGroupSpecs"]):
            template = group["template"]
            yield Pod(group.get("groupName", "head"), template["metadata"]["labels"], template["spec"], group)

    def pod(self, name: str) -> Pod:
        return next(pod for pod in self.pods if pod.name == name)

    def environment(self, container: Manifest) -> dict[str, str]:
        """What a container finds in its environment, as far as it is said here."""
        maps = {one["metadata"]["name"]: one["data"] for one in self.of("ConfigMap")}
        found: dict[str, str] = {}
        for source in container.get("envFrom", []):
            found |= maps[source["configMapRef"]["name"]]
        for one in container.get("env", []):
            text = one.get("value", SECRET_VALUE)
            found[one["name"]] = re.sub(r"\$\((\w+)\)", lambda named: found[named[1]], text)
        return found

    def selected(self, selector: Manifest | None) -> list[Pod]:
        """The pods that a label selector means; an empty one means all."""
        return [pod for pod in self.pods if _has(selector, pod.labels)]

    def allows(self, source: Pod, target: Pod, port: int | str) -> bool:
        """Whether every wall between the two has a door. Only our namespace has walls."""
        out = source.namespace != OURS or self._opens("egress", source, target, target, port)
        return out and (target.namespace != OURS or self._opens("ingress", target, source, target, port))

    def _opens(self, way: str, here: Pod, there: Pod, listener: Pod, port: int | str) -> bool:
        policies = [
            one["spec"]
            for one in self.of("NetworkPolicy")
            if way.capitalize() in one["spec"]["policyTypes"] and _has(one["spec"]["podSelector"], here.labels)
        ]
        if not policies:
            return True
        peers = {"egress": "to", "ingress": "from"}[way]
        return any(
            (peers not in rule or any(_means(peer, there) for peer in rule[peers]))
            and _covers(rule.get("ports"), listener, port)
            for policy in policies
            for rule in policy.get(way, [])
        )

    def ways_out(self, pod: Pod) -> list[Manifest]:
        """Every rule by which a pod may reach something."""
        return [
            rule
            for one in self.of("NetworkPolicy")
            if pod in self.selected(one["spec"]["podSelector"])
            for rule in one["spec"].get("egress", [])
        ]


def _means(peer: Manifest, pod: Pod) -> bool:
    """Whether a rule's peer selects it."""
    if "ipBlock" in peer:
        return pod.address is not None and _within(peer["ipBlock"], ip_address(pod.address))
    if pod.address is not None or ("namespaceSelector" not in peer and pod.namespace != OURS):
        return False
    return _has(peer.get("namespaceSelector"), pod.namespace) and _has(peer.get("podSelector"), pod.labels)


def _within(block: Manifest, address: IPv4Address | IPv6Address) -> bool:
    return address in ip_network(block["cidr"]) and not any(
        address in ip_network(one) for one in block.get("except", [])
    )


def _has(selector: Manifest | None, labels: dict[str, str]) -> bool:
    """Whether labels are what a selector wants; none, or an empty one, wants nothing."""
    return (selector or {}).get("matchLabels", {}).items() <= labels.items()


def _covers(ports: list[Manifest] | None, listener: Pod, port: int | str) -> bool:
    if ports is None:
        return True
    named = listener.ports
    number = named.get(port, -1) if isinstance(port, str) else port
    return any(
        (one["port"] in (port, number) or named.get(one["port"]) == number)
        and one.get("protocol", "TCP") == listener.protocol(port)
        for one in ports
    )

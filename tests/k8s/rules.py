"""Rules for every overlay. Each takes a cluster and yields its violations; the docstring states the rule."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any, get_args, get_type_hints
from unittest import mock

import ray
from pydantic import ValidationError
from ray import cloudpickle
from ray.serve.schema import ServeDeploySchema

from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.events import Service
from bandsmith.shared.serving.pools import Pools
from tests.k8s.cluster import OURS, SECRET_VALUE, Cluster, Manifest, Pod
from tests.k8s.ingress import streams_pass_the_ingress
from tools import docs

Rule = Callable[[Cluster], Iterator[str]]
DOCUMENT = docs.ROOT / "docs" / "kubernetes.md"
RESTRICTED = {
    "allowPrivilegeEscalation": False,
    "readOnlyRootFilesystem": True,
    "capabilities": {"drop": ["ALL"]},
}
SECRET = re.compile(r"password|secret|token|_key$", re.IGNORECASE)


def _elsewhere(name: str, ports: dict[str, int], **more: Any) -> Pod:
    """An external peer: in a namespace of that name, or at an address."""
    spec = {"containers": [{"ports": [{"name": one, "containerPort": number} for one, number in ports.items()]}]}
    return Pod(name, **{"labels": {}, "spec": spec, "namespace": {"kubernetes.io/metadata.name": name}, **more})


DNS = _elsewhere(
    "dns", {"dns-tcp": 53}, labels={"k8s-app": "kube-dns"}, namespace={"kubernetes.io/metadata.name": "kube-system"}
)
DNS.spec["containers"][0]["ports"].append({"name": "dns", "containerPort": 53, "protocol": "UDP"})
OTHERS = [
    DNS,
    _elsewhere("newcomer", {"anything": 80}, namespace=OURS),
    _elsewhere("operator", {}, labels={"app.kubernetes.io/name": "kuberay-operator"}),
    _elsewhere("monitoring", {}),
    _elsewhere("ingress-nginx", {}),
    _elsewhere("applications", {}, namespace={"bandsmith/client": "yes"}),
    _elsewhere("stranger", {"anything": 80}),
    _elsewhere("milvus", {"milvus": 19530}),
    _elsewhere("api", {"service": 443, "api": 6443}, address="10.96.0.1"),
    _elsewhere("model", {"https": 443, "http": 80}, address="203.0.113.7"),
]
REACHES = {
    # from       to, and at which ports
    ("head", "nats"): {"client"},
    ("ocr", "nats"): {"client"},
    ("minds", "nats"): {"client"},
    ("gateway", "nats"): {"client"},
    ("engine", "nats"): {"client"},
    ("metrics", "nats"): {"client"},
    ("web", "nats"): {"client"},
    ("web", "model"): {"https"},  # an issuer's address is not known here either
    ("ingress-nginx", "web"): {"web"},
    ("nats", "nats"): {"cluster"},
    ("applications", "nats"): {"client"},
    ("operator", "head"): {"dashboard"},
    ("monitoring", "metrics"): {"metrics"},
    ("minds", "model"): {"https"},
}
OF_MILVUS = {("minds", "milvus"): {"milvus"}}
OF_AUTOSCALER = {
    ("head", "api"): {"service", "api"},
    ("head", "model"): {"https"},  # where the cluster's API is, is not known here
}
RAY = ["head", "ocr", "minds", "gateway", "engine"]


def pods_can_do_no_harm(cluster: Cluster) -> Iterator[str]:
    """No pod runs as root, writes to its image, keeps a capability, or is given a token of the cluster's API."""
    for pod in cluster.pods:
        context = pod.spec.get("securityContext", {})
        if not (context.get("runAsNonRoot") and context.get("runAsUser", 0) > 0 and context.get("runAsGroup", 0) > 0):
            yield f"{pod.name} may run as root"
        if context.get("seccompProfile") != {"type": "RuntimeDefault"}:
            yield f"{pod.name} may make any system call"
        if pod.spec.get("automountServiceAccountToken") is not False:
            yield f"{pod.name} is given a token"
        if any(pod.spec.get(name) for name in ("hostNetwork", "hostPID", "hostIPC")):
            yield f"{pod.name} sees its host"
        for container in _containers(cluster, pod):
            if container.get("securityContext") != RESTRICTED:
                yield f"{pod.name}: {container['name']} is not locked up"


def containers_know_their_bounds(cluster: Cluster) -> Iterator[str]:
    """Every container says what it needs and what it may take at most."""
    for pod in cluster.pods:
        for container in _containers(cluster, pod):
            given = container.get("resources", {})
            for name in ("cpu", "memory"):
                for bound in ("requests", "limits"):
                    if name not in given.get(bound, {}):
                        yield f"{pod.name}: {container['name']} has no {bound} of {name}"


def containers_are_watched(cluster: Cluster) -> Iterator[str]:
    """Every container is asked whether it has begun, whether it is ready and whether it lives, at a port it has."""
    for pod in cluster.pods:
        for container in pod.containers:
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                port = container.get(probe, {}).get("httpGet", {}).get("port")
                if port is None:
                    yield f"{pod.name}: {container['name']} has no {probe}"
                elif port not in {*pod.ports, *pod.ports.values()}:
                    yield f"{pod.name}: {probe} asks at {port}, where nothing listens"


def secrets_are_references(cluster: Cluster) -> Iterator[str]:
    """No manifest carries a password, a key or a token; each that is referred to is one that the guide has you make."""
    if cluster.of("Secret"):
        yield "a manifest carries a secret"
    known = DOCUMENT.read_text(encoding="utf-8")
    for pod in cluster.pods:
        for container in pod.containers:
            for variable in container.get("env", []):
                value = variable.get("value", "")
                if (SECRET.search(variable["name"]) and value) or re.search(r"://[^/@]*:(?!\$\()[^/@]*@", value):
                    yield f"{pod.name}: {variable['name']} is spelled out"
                if secret := variable.get("valueFrom", {}).get("secretKeyRef"):
                    made = re.search(rf"create secret generic {secret['name']}\b(.*?)\n\n", known, re.DOTALL)
                    if not made or f"--from-literal={secret['key']}=" not in made[1]:
                        yield f"the guide does not make {secret['key']} of the secret {secret['name']}"
    for config in cluster.of("ConfigMap"):
        for name, text in config.get("data", {}).items():
            if re.search(r"password\s*[:=]\s*[^$\s]", text, re.IGNORECASE) or SECRET.search(name):
                yield f"{config['metadata']['name']} carries a secret"


def images_are_pinned(cluster: Cluster) -> Iterator[str]:
    """Every image has a version as its tag."""
    for pod in cluster.pods:
        for container in pod.containers:
            if not re.search(r":\d+\.\d+\.\d+", container["image"]):
                yield f"{pod.name}: {container['image']} may be anything tomorrow"


def what_is_named_is_there(cluster: Cluster) -> Iterator[str]:
    """Each selector finds pods, each port has a listener, each account, configuration and volume exists."""
    for kind in ("NetworkPolicy", "PodDisruptionBudget", "Service"):
        for one in cluster.of(kind):
            spec = one["spec"]
            selector = spec.get("podSelector", spec.get("selector"))
            chosen = cluster.selected({"matchLabels": selector} if kind == "Service" else selector)
            where = f"{kind} {one['metadata']['name']}"
            if not chosen:
                yield f"{where} selects no pod"
            for port in spec.get("ports", []):
                if any(port["targetPort"] not in pod.ports for pod in chosen):
                    yield f"{where} leads to {port['targetPort']}, where nothing listens"
            yield from (f"{where} {text}" for text in _peers(cluster, spec, chosen))
    for pod in cluster.pods:
        yield from (f"{pod.name} {text}" for text in _missing(cluster, pod))


def _peers(cluster: Cluster, spec: Manifest, chosen: list[Pod]) -> Iterator[str]:
    for way, peers in (("ingress", "from"), ("egress", "to")):
        for rule in spec.get(way, []):
            found: list[Pod] = []
            for peer in rule.get(peers, []):
                if "podSelector" in peer and "namespaceSelector" not in peer:
                    found += (of_peer := cluster.selected(peer["podSelector"]))
                    if not of_peer:
                        yield "names a peer that is not there"
            listeners = chosen if way == "ingress" else found
            for port in rule.get("ports", []):
                if isinstance(port["port"], str) and any(port["port"] not in pod.ports for pod in listeners):
                    yield f"names the port {port['port']}, where nothing listens"


def _missing(cluster: Cluster, pod: Pod) -> Iterator[str]:
    if pod.spec.get("serviceAccountName") not in cluster.names("ServiceAccount"):
        yield "has no account of its own"
    for spread in pod.spec.get("topologySpreadConstraints", []):
        if pod not in cluster.selected(spread["labelSelector"]):
            yield "is spread by others' labels"
    volumes = {volume["name"]: volume for volume in pod.spec.get("volumes", [])}
    for volume in volumes.values():
        if "configMap" in volume and volume["configMap"]["name"] not in cluster.names("ConfigMap"):
            yield f"has no {volume['configMap']['name']}"
        claim = volume.get("persistentVolumeClaim", {}).get("claimName")
        if claim and claim not in cluster.names("PersistentVolumeClaim"):
            yield f"has no {claim}"
    claims = {
        claim["metadata"]["name"]
        for one in cluster.of("StatefulSet")
        if one["metadata"]["name"] == pod.name
        for claim in one["spec"]["volumeClaimTemplates"]
    }
    for container in pod.containers:
        for mount in container["volumeMounts"]:
            if mount["name"] not in {*volumes, *claims}:
                yield f"mounts {mount['name']}, which is not there"
        for source in container.get("envFrom", []):
            if source["configMapRef"]["name"] not in cluster.names("ConfigMap"):
                yield f"has no {source['configMapRef']['name']}"


def only_what_talks_may_talk(cluster: Cluster) -> Iterator[str]:
    """Every required connection is allowed, to that port; every other connection is denied."""
    reaches = _reaches(cluster)
    for source in (*cluster.pods, *OTHERS):
        for target in (*cluster.pods, *OTHERS):
            if OURS not in (source.namespace, target.namespace):
                continue
            within_ray = source.name in RAY and target.name in RAY
            ports = set(DNS.ports) if target is DNS else reaches.get((source.name, target.name), set())
            unknown: set[int | str] = {1}
            for port in unknown | target.ports.keys():
                ought = within_ray or port in ports
                if cluster.allows(source, target, port) is not ought:
                    yield f"{source.name} {'cannot' if ought else 'may'} reach {target.name} at {port}"


def _reaches(cluster: Cluster) -> dict[tuple[str, str], set[str]]:
    grows = cluster.service["rayClusterConfig"]["enableInTreeAutoscaling"]
    asks = cluster.environment(cluster.pod("minds").containers[0])["BANDSMITH_KNOWLEDGE"] == SECRET_VALUE
    return REACHES | (OF_AUTOSCALER if grows else {}) | (OF_MILVUS if asks else {})


def only_minds_leave(cluster: Cluster) -> Iterator[str]:
    """The engine, and all others but those who ask models, stores and issuers, reach only the cluster's DNS outside."""
    for pod in cluster.pods:
        for rule in cluster.ways_out(pod):
            outside = [
                peer for peer in rule.get("to", [{}]) if "podSelector" not in peer or "namespaceSelector" in peer
            ]
            dns = rule.get("ports") and all(port["port"] == 53 for port in rule["ports"])
            may = {"minds", "web"} | (
                {"head"} if cluster.service["rayClusterConfig"]["enableInTreeAutoscaling"] else set()
            )
            if outside and not dns and pod.name not in may:
                yield f"{pod.name} may leave"


def the_engine_is_alone(cluster: Cluster) -> Iterator[str]:
    """The engine's pods hold the validator, no other service, no other's password and no other's address."""
    pod = cluster.pod("engine")
    for application in cluster.applications:
        if ("engine" in application["args"]["resources"]) != (application["name"] == "validator"):
            yield f"{application['name']} is at the wrong place"
    for variable in pod.spec["containers"][0]["env"]:
        secret = variable.get("valueFrom", {}).get("secretKeyRef")
        if secret and (secret["name"], secret["key"]) != ("nats-passwords", "engine"):
            yield f"the engine is given {secret['name']}"


def drains_can_go_on(cluster: Cluster) -> Iterator[str]:
    """A budget leaves a pod that may go; and where pods have no scale to count, as KubeRay's, it is a plain number."""
    for budget in cluster.of("PodDisruptionBudget"):
        name, spec = budget["metadata"]["name"], budget["spec"]
        for pod in cluster.selected(spec["selector"]):
            least = spec.get("minAvailable")
            if pod.ray is None and not spec.get("maxUnavailable"):
                yield f"{name} lets none go"
            if pod.ray is not None and not (isinstance(least, int) and least < pod.ray.get("minReplicas", 1)):
                yield f"{name} cannot be counted, or lets none go"


def services_begin(cluster: Cluster) -> Iterator[str]:
    """Each of the five is an application that the head can build of these arguments, without revealing secrets;
    Ray's version fits."""
    try:
        ServeDeploySchema.model_validate({"applications": cluster.applications})
    except ValidationError as error:
        yield str(error)
    given = {application["name"]: application for application in cluster.applications}
    if set(given) != set(get_args(Service)):
        yield f"there are {sorted(given)}"
    try:
        Pools.model_validate({name: application["args"] for name, application in given.items()})
    except ValidationError as error:
        yield str(error)
    for name, application in given.items():
        module, _, attribute = application["import_path"].partition(":")
        try:
            build = getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            yield f"{name} cannot begin: {error}"
            continue
        (takes,) = inspect.signature(build).parameters
        args = get_type_hints(build)[takes].model_validate(application["args"])
        yield from (
            f"{name} {text}" for text in _built(build, args, cluster.environment(cluster.pod("head").containers[0]))
        )
    if cluster.service["rayClusterConfig"]["rayVersion"] != ray.__version__:
        yield "the image has another Ray"


def _built(build: Callable[[Any], Any], args: Any, head: dict[str, str]) -> Iterator[str]:
    """Entries are called on the head, which knows little, and what they make goes to all pods."""
    with mock.patch.dict(os.environ, head, clear=True):
        try:
            made = cloudpickle.dumps(build(args))
        except BandsmithError as error:
            yield f"cannot begin: {error.message}"
            return
    if SECRET_VALUE.encode() in made:
        yield "has the head's password"


def kuberay_finds_its_ports(cluster: Cluster) -> Iterator[str]:
    """The head names the ports that KubeRay makes services of: given some, it adds none itself."""
    for name, number in {"gcs": 6379, "dashboard": 8265, "client": 10001, "serve": 8000}.items():
        if cluster.pod("head").ports.get(name) != number:
            yield f"the head does not name {name}"


def replicas_find_a_place(cluster: Cluster) -> Iterator[str]:
    """As few replicas as there may be fit into as few pods, as many into as many, and each into one."""
    for group in cluster.groups:
        offers = json.loads(json.loads(group["rayStartParams"]["resources"]))
        limits = group["template"]["spec"]["containers"][0]["resources"]["limits"]
        room = {name: float(group["rayStartParams"].get(f"num-{name}", 0)) for name in ("cpus", "gpus")}
        if room["cpus"] > float(limits["cpu"]) or room["gpus"] != float(limits.get("nvidia.com/gpu", 0)):
            yield f"{group['groupName']} offers what it has not"
        here = [one["args"] for one in cluster.applications if set(one["args"]["resources"]) & set(offers)]
        if not here:
            yield f"{group['groupName']} serves no deployment"
        for bound in ("min", "max"):
            for name, has in room.items():
                needs = sum(args[bound] * args.get(name, 0) for args in here)
                if needs > has * group[f"{bound}Replicas"]:
                    yield f"{group['groupName']} has no room for {needs:g} {name}"
    placed = [set(json.loads(json.loads(group["rayStartParams"]["resources"]))) for group in cluster.groups]
    for application in cluster.applications:
        if sum(set(application["args"]["resources"]) <= offers for offers in placed) != 1:
            yield f"{application['name']} has no place"


def logs_are_where_one_looks(cluster: Cluster) -> Iterator[str]:
    """What Ray's containers log is their own log; what Ray writes to files all the same leaves /tmp its room."""
    for pod in cluster.pods:
        for container in _containers(cluster, pod) if pod.ray else []:
            where, known = f"{pod.name}: {container['name']}", cluster.environment(container)
            if known.get("RAY_LOG_TO_STDERR") != "1":
                yield f"{where} logs into files"
            kept = int(known.get("RAY_ROTATION_MAX_BYTES", 2**29)) * (
                1 + int(known.get("RAY_ROTATION_BACKUP_COUNT", 5))
            )
            (tmp,) = (volume["emptyDir"] for volume in pod.spec["volumes"] if volume["name"] == "tmp")
            if kept * 20 > int(tmp["sizeLimit"].removesuffix("Gi")) * 2**30:  # a file each, for so many replicas
                yield f"{where} may fill /tmp"


def threads_are_those_of_a_replica(cluster: Cluster) -> Iterator[str]:
    """OCR computes with as many threads as a replica has cores: a container's bounds do not tell it."""
    (ocr,) = (application["args"] for application in cluster.applications if application["name"] == "ocr")
    threads = cluster.environment(cluster.pod("ocr").containers[0]).get("BANDSMITH_OCR_THREADS")
    if threads != str(ocr["cpus"]):
        yield f"ocr computes with {threads} threads on {ocr['cpus']} cores"


def settings_exist(cluster: Cluster) -> Iterator[str]:
    """Each BANDSMITH_ variable is a setting that the program knows."""
    known = docs.settings()
    given = [name for one in cluster.of("ConfigMap") for name in one.get("data", {})]
    given += [one["name"] for pod in cluster.pods for container in pod.containers for one in container.get("env", [])]
    for name in given:
        if name.startswith("BANDSMITH_") and f"`{name}`" not in known:
            yield f"{name} is no setting"


def _containers(cluster: Cluster, pod: Pod) -> list[dict[str, Any]]:
    """A pod's containers, and the autoscaler that KubeRay puts beside the head."""
    options = cluster.service["rayClusterConfig"].get("autoscalerOptions")
    return [*pod.containers, *([{"name": "autoscaler", **options}] if options and pod.name == "head" else [])]


RULES: list[Rule] = [
    pods_can_do_no_harm,
    containers_know_their_bounds,
    containers_are_watched,
    secrets_are_references,
    images_are_pinned,
    what_is_named_is_there,
    only_what_talks_may_talk,
    only_minds_leave,
    the_engine_is_alone,
    drains_can_go_on,
    services_begin,
    kuberay_finds_its_ports,
    replicas_find_a_place,
    logs_are_where_one_looks,
    threads_are_those_of_a_replica,
    streams_pass_the_ingress,
    settings_exist,
]

"""The manifests as rendered by kustomize, checked as a cluster would."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml

from tests.k8s import kustomize, rules
from tests.k8s.cluster import Cluster, Manifest

ROOT = Path(__file__).resolve().parents[2]
OVERLAYS = ["small", "cloud"]
SCHEMAS = Path(__file__).parent / "schemas"
KUBERNETES = ["1.29", "1.37"]
"""The oldest and the newest that the guide names."""

pytestmark = [
    pytest.mark.slow,  # they need kustomize, which `tools/setup.py tests` builds where there is none
    pytest.mark.timeout(900),
]


@cache
def _rendered(overlay: str) -> str:
    return kustomize.render(ROOT / "k8s" / "overlays" / overlay)


@pytest.fixture(params=OVERLAYS)
def cluster(request: pytest.FixtureRequest) -> Cluster:
    return _cluster(request.param)


def _cluster(overlay: str) -> Cluster:
    return Cluster(list(yaml.load_all(_rendered(overlay), yaml.CSafeLoader)))


def _strict(schema: Any) -> Any:
    """The schema, closed: what it does not name is a mistake, as `kubectl apply --validate=strict` has it."""
    if isinstance(schema, list):
        return [_strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _strict(one) for name, one in schema.items()}
    if isinstance(schema.get("properties"), dict) and not schema.get("x-kubernetes-preserve-unknown-fields"):
        closed.setdefault("additionalProperties", False)
    return closed


@cache
def _ray_service() -> jsonschema.Draft202012Validator:
    schema = _strict(json.loads(gzip.decompress((SCHEMAS / "rayservice-1.6.2.json.gz").read_bytes())))
    schema["properties"]["metadata"] = {"type": "object"}
    return jsonschema.Draft202012Validator(schema)


def _mistakes(manifest: Manifest, version: str = KUBERNETES[-1]) -> list[str]:
    if manifest["kind"] == "RayService":
        return [f"{error.json_path}: {error.message[:200]}" for error in _ray_service().iter_errors(manifest)]
    try:
        kubernetes_validate.validate(manifest, version, strict=True)
    except kubernetes_validate.ValidationError as error:
        return [error.message]
    return []


@pytest.mark.parametrize("version", KUBERNETES)
def test_every_manifest_matches_its_published_schema(cluster: Cluster, version: str) -> None:
    for manifest in cluster.manifests:
        assert _mistakes(manifest, version) == [], manifest["metadata"]["name"]


@pytest.mark.parametrize("kind", ["StatefulSet", "NetworkPolicy", "RayService", "PodDisruptionBudget"])
def test_an_unknown_field_is_an_error(kind: str) -> None:
    manifest = _cluster("cloud").of(kind)[0]
    manifest["spec"]["replcias"] = 3

    assert _mistakes(manifest)


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_every_overlay_follows_the_rules(cluster: Cluster, rule: rules.Rule) -> None:
    assert list(rule(cluster)) == []


def _pod(cluster: Cluster, name: str) -> Manifest:
    return cluster.pod(name).spec


def _container(cluster: Cluster, name: str) -> Manifest:
    return _pod(cluster, name)["containers"][0]


def _policy(cluster: Cluster, name: str) -> Manifest:
    return next(one for one in cluster.of("NetworkPolicy") if one["metadata"]["name"] == name)["spec"]


def _variable(cluster: Cluster, pod: str, name: str) -> Manifest:
    return next(one for one in _container(cluster, pod)["env"] if one["name"] == name)


def _settings(cluster: Cluster) -> Manifest:
    return next(one["data"] for one in cluster.of("ConfigMap") if one["metadata"]["name"] == "settings")


def _serve(cluster: Cluster, application: str, **given: Any) -> None:
    config = yaml.safe_load(cluster.service["serveConfigV2"])
    one = next(one for one in config["applications"] if one["name"] == application)
    one.update({name: value for name, value in given.items() if name == "import_path"})
    one["args"].update({name: value for name, value in given.items() if name != "import_path"})
    cluster.service["serveConfigV2"] = yaml.safe_dump(config)


NGINX = "nginx.ingress.kubernetes.io"


def _annotations(cluster: Cluster, ingress: str) -> dict[str, str]:
    [found] = [one for one in cluster.of("Ingress") if one["metadata"]["name"] == ingress]
    annotations: dict[str, str] = found["metadata"]["annotations"]
    return annotations


BREACHES: list[tuple[rules.Rule, str, Callable[[Cluster], Any]]] = [
    (rules.pods_can_do_no_harm, "ocr may run as root", lambda c: _pod(c, "ocr")["securityContext"].pop("runAsUser")),
    (
        rules.pods_can_do_no_harm,
        "nats: nats is not locked up",
        lambda c: _container(c, "nats")["securityContext"].update(readOnlyRootFilesystem=False),
    ),
    (
        rules.pods_can_do_no_harm,
        "metrics is given a token",
        lambda c: _pod(c, "metrics").pop("automountServiceAccountToken"),
    ),
    (
        rules.pods_can_do_no_harm,
        "head: autoscaler is not locked up",
        lambda c: c.service["rayClusterConfig"]["autoscalerOptions"].pop("securityContext"),
    ),
    (
        rules.containers_know_their_bounds,
        "engine: ray-worker has no limits of memory",
        lambda c: _container(c, "engine")["resources"]["limits"].pop("memory"),
    ),
    (
        rules.containers_are_watched,
        "gateway: ray-worker has no livenessProbe",
        lambda c: _container(c, "gateway").pop("livenessProbe"),
    ),
    (
        rules.containers_are_watched,
        "metrics: readinessProbe asks at web, where nothing listens",
        lambda c: _container(c, "metrics")["readinessProbe"]["httpGet"].update(port="web"),
    ),
    (
        rules.secrets_are_references,
        "minds: BANDSMITH_MODEL_KEY is spelled out",
        lambda c: _variable(c, "minds", "BANDSMITH_MODEL_KEY").update(value="sk-1", valueFrom={}),
    ),
    (
        rules.secrets_are_references,
        "ocr: NATS_URL is spelled out",
        lambda c: _variable(c, "ocr", "NATS_URL").update(value="nats://services:pa55@nats:4222"),
    ),
    (
        rules.secrets_are_references,
        "the guide does not make root of the secret nats-passwords",
        lambda c: _variable(c, "ocr", "NATS_PASSWORD")["valueFrom"]["secretKeyRef"].update(key="root"),
    ),
    (rules.images_are_pinned, "nats: nats:latest may", lambda c: _container(c, "nats").update(image="nats:latest")),
    (
        rules.what_is_named_is_there,
        "NetworkPolicy metrics selects no pod",
        lambda c: _policy(c, "metrics").update(podSelector={"matchLabels": {"bandsmith/part": "metric"}}),
    ),
    (
        rules.what_is_named_is_there,
        "NetworkPolicy ray names the port nats, where nothing listens",
        lambda c: _policy(c, "ray")["egress"][1]["ports"][0].update(port="nats"),
    ),
    (
        rules.what_is_named_is_there,
        "Service nats leads to clients, where nothing listens",
        lambda c: next(one for one in c.of("Service") if one["metadata"]["name"] == "nats")["spec"]["ports"][0].update(
            targetPort="clients"
        ),
    ),
    (
        rules.what_is_named_is_there,
        "nats has no nats-config",
        lambda c: next(v for v in _pod(c, "nats")["volumes"] if v["name"] == "config")["configMap"].update(
            name="nats-config"
        ),
    ),
    (
        rules.only_what_talks_may_talk,
        "gateway cannot reach nats at client",
        lambda c: c.pod("gateway").labels.pop("bandsmith/ray"),
    ),
    (
        rules.only_what_talks_may_talk,
        "metrics may reach nats at cluster",
        lambda c: (_policy(c, "metrics")["egress"][0].pop("ports"), _policy(c, "nats")["ingress"][0].pop("ports")),
    ),
    (
        rules.only_what_talks_may_talk,
        "stranger may reach metrics at metrics",
        lambda c: _policy(c, "metrics")["ingress"].append({}),
    ),
    (
        rules.only_minds_leave,
        "engine may leave",
        lambda c: _policy(c, "minds-to-model").update(podSelector={"matchLabels": {"bandsmith/ray": "yes"}}),
    ),
    (rules.the_engine_is_alone, "generator is at the wrong", lambda c: _serve(c, "generator", resources={"engine": 1})),
    (
        rules.the_engine_is_alone,
        "the engine is given nats-passwords",
        lambda c: _variable(c, "engine", "NATS_PASSWORD")["valueFrom"]["secretKeyRef"].update(key="services"),
    ),
    (
        rules.drains_can_go_on,
        "minds cannot be counted, or lets none go",
        lambda c: next(one for one in c.of("PodDisruptionBudget") if one["metadata"]["name"] == "minds")["spec"].update(
            minAvailable=2
        ),
    ),
    (
        rules.services_begin,
        "ocr cannot begin: No module named",
        lambda c: _serve(c, "ocr", import_path="bandsmith.services.ocr.serve:build"),
    ),
    (
        rules.services_begin,
        "ocr cannot begin: NATS_URL",
        lambda c: _variable(c, "head", "NATS_URL").update(value="http://nats"),
    ),
    (rules.services_begin, "1 validation error", lambda c: _serve(c, "planner", replicas=3)),
    (
        rules.services_begin,
        "the image has another Ray",
        lambda c: c.service["rayClusterConfig"].update(rayVersion="2.9.0"),
    ),
    (
        rules.kuberay_finds_its_ports,
        "the head does not name serve",
        lambda c: _container(c, "head")["ports"].remove({"name": "serve", "containerPort": 8000}),
    ),
    (rules.replicas_find_a_place, "ocr has no room for 8 gpus", lambda c: _serve(c, "ocr", max=32)),
    (rules.replicas_find_a_place, "planner has no place", lambda c: _serve(c, "planner", resources={"mind": 1})),
    (
        rules.logs_are_where_one_looks,
        "engine: ray-worker logs into files",
        lambda c: _settings(c).pop("RAY_LOG_TO_STDERR"),
    ),
    (
        rules.logs_are_where_one_looks,
        "head: autoscaler may fill /tmp",
        lambda c: c.service["rayClusterConfig"]["autoscalerOptions"].pop("envFrom"),
    ),
    (
        rules.threads_are_those_of_a_replica,
        "ocr computes with 4 threads on 1 cores",
        lambda c: _settings(c).update(BANDSMITH_OCR_THREADS="4"),
    ),
    (
        rules.streams_pass_the_ingress,
        "web holds back what it passes on: proxy-buffering",
        lambda c: _annotations(c, "web").pop(f"{NGINX}/proxy-buffering"),
    ),
    (
        rules.streams_pass_the_ingress,
        "web ends streams before the server does",
        lambda c: _annotations(c, "web").pop(f"{NGINX}/proxy-read-timeout"),
    ),
    (
        rules.streams_pass_the_ingress,
        "web refuses files that the page accepts",
        lambda c: _annotations(c, "web").update({f"{NGINX}/proxy-body-size": "8m"}),
    ),
    (
        rules.streams_pass_the_ingress,
        "web is reached without TLS",
        lambda c: next(iter(c.of("Ingress")))["spec"]["rules"][0].update(host="other.example.com"),
    ),
    (
        rules.settings_exist,
        "BANDSMITH_MODEL_URI is no setting",
        lambda c: _variable(c, "minds", "BANDSMITH_MODEL_URL").update(name="BANDSMITH_MODEL_URI"),
    ),
]


@pytest.mark.parametrize(("rule", "complaint", "harm"), BREACHES, ids=[complaint for _, complaint, _ in BREACHES])
def test_a_violation_is_named(rule: rules.Rule, complaint: str, harm: Callable[[Cluster], Any]) -> None:
    cluster = _cluster("cloud")
    harm(cluster)

    assert any(found.startswith(complaint) for found in rule(cluster)), list(rule(cluster))


def test_every_network_policy_is_needed(cluster: Cluster) -> None:
    for policy in cluster.of("NetworkPolicy"):
        name = policy["metadata"]["name"]
        without = Cluster([one for one in cluster.manifests if one is not policy])
        assert list(rules.only_what_talks_may_talk(without)), name
        for way in ("ingress", "egress"):
            for door in policy["spec"].get(way, []):
                without = copy.deepcopy(cluster)
                _policy(without, name)[way].remove(door)
                assert list(rules.only_what_talks_may_talk(without)), (name, door)


def test_every_rule_has_a_violation() -> None:
    assert {rule for rule, _, _ in BREACHES} == set(rules.RULES)


def test_the_small_overlay_has_no_gpu_and_one_server() -> None:
    cluster = _cluster("small")
    (nats,) = cluster.of("StatefulSet")

    assert nats["spec"]["replicas"] == 1
    assert "nvidia.com/gpu" not in _rendered("small")
    assert all(
        application["args"]["max"] == 1 for application in cluster.applications if application["name"] == "planner"
    )


def test_the_cloud_overlay_uses_gpus_and_three_copies() -> None:
    cluster = _cluster("cloud")
    (nats,) = cluster.of("StatefulSet")
    ocr = cluster.pod("ocr")

    assert nats["spec"]["replicas"] == int(_settings(cluster)["BANDSMITH_REPLICAS"]) == 3
    assert nats["spec"]["volumeClaimTemplates"]
    assert ocr.spec["nodeSelector"] and ocr.spec["tolerations"]
    assert ocr.spec["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] == "1"
    assert ocr.spec["containers"][0]["image"].startswith("bandsmith-gpu:")


def test_only_the_autoscaler_holds_a_token() -> None:
    cluster = _cluster("cloud")
    holders = [mount["name"] for pod in cluster.pods for one in pod.containers for mount in one["volumeMounts"]]
    options = copy.deepcopy(cluster.service["rayClusterConfig"]["autoscalerOptions"])

    assert "api-token" not in holders
    assert "api-token" in [mount["name"] for mount in options["volumeMounts"]]

"""The services' durable consumers, and pulling from them.

A user who may create a consumer can have the server deliver messages to any subject. On a shared server only the
gateway and operators create them; the other services wait until the gateway has created theirs.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import get_args

import nats.errors
from nats.js import api
from nats.js.errors import APIError, NotFoundError

from ...events import Service
from ...settings import BusSettings
from ..base import VERSION, DeliveredMessage
from .connection import is_not_offered
from .dead_letters import DeadLetters
from .fast_client import RawMessage
from .puller import JetStreamDelivery, Puller

GATEWAY = "gateway"


def command_consumer(service: str, settings: BusSettings) -> api.ConsumerConfig:
    """Return the configuration of the consumer of a service's commands."""
    return _durable(service, f"cmd.{VERSION}.{service}.*", settings)


def answer_consumer(durable: str, settings: BusSettings) -> api.ConsumerConfig:
    """Return the configuration of a consumer of all answers."""
    return _durable(durable, f"evt.{VERSION}.*.work.*", settings)


def _durable(name: str, subject: str, settings: BusSettings) -> api.ConsumerConfig:
    return api.ConsumerConfig(
        durable_name=name,
        filter_subject=subject,
        ack_policy=api.AckPolicy.EXPLICIT,
        ack_wait=settings.ack_wait,
        max_deliver=settings.delivery_limit,
    )


class Consumers(DeadLetters):
    """The part of ``NatsBus`` that pulls messages from durable consumers."""

    async def _consume(
        self,
        stream: str,
        config: api.ConsumerConfig,
        handle: Callable[[DeliveredMessage], Awaitable[None]],
        concurrency: int,
    ) -> Puller:
        async def declare() -> str:
            if stream == "EVT" and config.durable_name == GATEWAY:
                await self._create_command_consumers()
            return await self._create_or_find(stream, config)

        async def deliver(message: RawMessage) -> None:
            await handle(JetStreamDelivery(self._client, message, self._dead_letter))

        return await self._pull(stream, declare, deliver, concurrency)

    async def _create_or_find(self, stream: str, config: api.ConsumerConfig) -> str:
        """Return the consumer's name. Raises ``NoRespondersError`` if it is the gateway's to create, and missing."""
        name = str(config.durable_name)
        try:
            await self._jetstream.add_consumer(stream, config)
        except APIError as error:
            if not is_not_offered(error):
                raise
            try:
                await self._jetstream.consumer_info(stream, name)
            except NotFoundError:
                raise nats.errors.NoRespondersError from error
        return name

    async def _create_command_consumers(self) -> None:
        """Create the services' consumers for them; existing ones keep their configuration."""
        for service in get_args(Service):
            try:
                await self._jetstream.consumer_info("CMD", service)
            except NotFoundError:
                await self._jetstream.add_consumer("CMD", command_consumer(service, self._settings))

    async def _pull(
        self,
        stream: str,
        declare: Callable[[], Awaitable[str]],
        handle: Callable[[RawMessage], Awaitable[None]],
        concurrency: int,
    ) -> Puller:
        async def declare_connected() -> str:
            async with self._while_connected():
                try:
                    return await declare()
                except NotFoundError:  # of its stream
                    await self._restore_streams()
                    return await declare()

        puller = Puller(
            self._client,
            stream,
            declare_connected,
            handle,
            concurrency,
            self._ready,
            self._settings.drain_timeout,
            lambda: self._pullers.discard(puller),
        )
        self._pullers.add(puller)
        try:
            await self._call_api(puller.start)
        except BaseException:
            await puller.stop()
            raise
        return puller

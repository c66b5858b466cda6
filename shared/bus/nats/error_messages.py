"""What a person is told of a message server that is not there, lets nobody in, or is in no state to answer."""

from __future__ import annotations

from ...errors import BadInput, MissingPart, RetryableError, TerminalError


def no_server() -> MissingPart:
    return MissingPart(
        "No NATS server with JetStream answers at the given address: start one with `nats-server -js`, "
        "correct NATS_URL, or unset it: `bandsmith build` and `chat` then start one of their own.",
        message_zh="指定地址没有启用 JetStream 的 NATS 服务器：请用 `nats-server -js` 启动，或改正 NATS_URL，"
        "或取消它：`bandsmith build` 和 `chat` 会自行启动服务器。",
    )


def too_many_copies() -> BadInput:
    return BadInput(
        "BANDSMITH_REPLICAS asks for copies on more servers than the NATS cluster has: lower it, or start more servers "
        "(one alone keeps one copy).",
        message_zh="BANDSMITH_REPLICAS 要求的副本数超过 NATS 集群的服务器数："
        "请调小它，或启动更多服务器（单台只能存一份）。",
        code="replicas",
    )


def not_let_in() -> BadInput:
    return BadInput(
        "The NATS server does not let Bandsmith in: give in NATS_URL the user and the password, or the token, that the "
        "services have.",
        message_zh="NATS 服务器拒绝登录：请在 NATS_URL 中填写各服务所用的用户名和密码，或令牌。",
    )


def away() -> RetryableError:
    return RetryableError(
        "The message server is away: try again when it is back.",
        message_zh="消息服务器暂不可用：请待其恢复后重试。",
        code="bus",
    )


def silent() -> RetryableError:
    """A server that could not write to its disk may take connections all the same, and answer nothing."""
    return RetryableError(
        "The message server is there but does not answer: if its disk is full, make room there, then try again.",
        message_zh="消息服务器在线但没有响应：如果其磁盘已满，请先腾出空间，然后重试。",
        code="bus",
    )


def too_large() -> TerminalError:
    return TerminalError(
        "A message is larger than the message server takes: put large things into the object store.",
        message_zh="消息超过服务器允许的大小：大数据应放入对象存储。",
        code="size",
    )

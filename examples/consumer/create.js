// Creates the consumer, once, as the services' user: `npm ci && npm run --silent create`.
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";

const { NATS_URL: servers = "nats://127.0.0.1:4222", NATS_USER: user, NATS_PASSWORD: pass } = process.env;
const nats = await connect({ servers, user, pass });

const manager = await jetstreamManager(nats);
await manager.consumers.add("EVT", {
  durable_name: "reports", // the server remembers under this name what was acknowledged
  filter_subject: "evt.v1.*.turn.TurnFinished",
  ack_policy: "explicit",
});
await nats.drain();

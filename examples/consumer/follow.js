// Prints each finished turn of every session, once: `npm ci && npm run --silent follow`.
import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";

const { NATS_URL: servers = "nats://127.0.0.1:4222", NATS_USER: user, NATS_PASSWORD: pass } = process.env;
const nats = await connect({ servers, user, pass, inboxPrefix: "_INBOX_reports", maxReconnectAttempts: -1 });

const consumer = await jetstream(nats).consumers.get("EVT", "reports");
const messages = await consumer.consume({ max_messages: 10 });
process.once("SIGTERM", () => messages.stop());
for await (const message of messages) {
  const { session, payload } = message.json();
  const files = Object.entries(payload.files).map(([name, ref]) => `${name}=${ref.key}`);
  console.log([session, payload.reply, ...files].map((text) => text.replaceAll(/\s+/g, " ")).join("\t"));
  await message.ackAck(); // waits until the server knows; without this the turn comes again
}
await nats.drain();

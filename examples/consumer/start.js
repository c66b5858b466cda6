// Begins a turn: `npm run --silent start march "a sales report with customer and amount"`.
import { randomUUID } from "node:crypto";
import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";

const { NATS_URL: servers = "nats://127.0.0.1:4222", NATS_USER: user, NATS_PASSWORD: pass } = process.env;
const nats = await connect({ servers, user, pass, inboxPrefix: "_INBOX_reports" });

const [session, text] = process.argv.slice(2);
const id = randomUUID(); // the same id is the same turn, however often it is published
const command = { id, kind: "StartTurn", session, turn: id, payload: { text, name: session } };
await jetstream(nats).publish("cmd.v1.gateway.StartTurn", JSON.stringify(command), { msgID: id });
console.log(id);
await nats.drain();

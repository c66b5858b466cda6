// Run an AG-UI agent: `node agent.mjs PACKAGE` reads {url, key, thread, runs} and prints what each run gave, as JSON.
import { readFileSync } from "node:fs";

const { HttpAgent } = await import(process.argv[2]);
const { url, key, thread, runs } = JSON.parse(readFileSync(0, "utf8"));
const agent = new HttpAgent({ url, threadId: thread, headers: { Authorization: `Bearer ${key}` } });
const results = [];
for (const { content, resume, runId } of runs) {
  const events = [];
  let error = null;
  if (content !== undefined) agent.addMessage({ id: `user-${results.length}`, role: "user", content });
  const subscriber = {
    onEvent: ({ event }) => void events.push(event),
    onRunErrorEvent: ({ event }) => void (error = event.message),
  };
  let text = "";
  try {
    const { newMessages } = await agent.runAgent({ resume, runId }, subscriber);
    text = newMessages.filter(({ role }) => role === "assistant").map((message) => message.content ?? "").join("\n");
  } catch (thrown) {
    error ??= thrown.message;
  }
  results.push({ events, text, error, state: structuredClone(agent.state) });
}
console.log(JSON.stringify(results));

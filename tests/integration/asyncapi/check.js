// Says what the official parser finds wrong with the document at the given path; nothing is well.
import { readFileSync } from "node:fs";
import { Parser } from "@asyncapi/parser";

const { diagnostics } = await new Parser().parse(readFileSync(process.argv[2], "utf8"));
const wrong = diagnostics.filter(({ code }) => code !== "asyncapi-latest-version");
for (const { code, path, message } of wrong) console.log(`${path.join(".")}: ${message} (${code})`);

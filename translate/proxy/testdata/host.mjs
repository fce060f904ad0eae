// A host made with the TypeScript SDK: host.mjs MODULES http URL TOKEN, or
// host.mjs MODULES stdio COMMAND ARG…. It prints what it was answered as JSON.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, mode, ...rest] = process.argv.slice(2);
const require = createRequire(modules + "/package.json");
const load = (name) => import(pathToFileURL(require.resolve("@modelcontextprotocol/sdk/" + name)));
const { Client } = await load("client/index.js");

let transport;
if (mode === "http") {
  const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");
  transport = new StreamableHTTPClientTransport(new URL(rest[0]), {
    requestInit: { headers: { Authorization: "Bearer " + rest[1] } },
  });
} else {
  const { StdioClientTransport } = await load("client/stdio.js");
  transport = new StdioClientTransport({ command: rest[0], args: rest.slice(1), env: process.env, stderr: "inherit" });
}
const client = new Client({ name: "host", version: "1" });
await client.connect(transport);
const out = {};
out.tools = (await client.listTools()).tools.map((t) => [t.name, JSON.stringify(t.outputSchema ?? null).includes("0.2.0")]);
out.resources = (await client.listResources()).resources.map((r) => [r.uri, r.size ?? null]);
out.current = (await client.readResource({ uri: "app://notes/current" })).contents[0].text;
out.tool = await client.callTool({ name: "get_current_context", arguments: {} });
out.packet = await client.callTool({ name: "packet", arguments: {} });
out.located = (await client.readResource({ uri: "app://notes/locate/a~2" })).contents[0].text;
out.gone = (await client.readResource({ uri: "app://notes/locate/app" })).contents[0].text;
await client.close();
console.log(JSON.stringify(out));

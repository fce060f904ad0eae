// A provider made with the TypeScript SDK: provider.mjs MODULES http|json|stdio
// answers with the document in the environment variable DOC. Over HTTP it prints
// its port.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { createServer } from "node:http";
import { randomUUID } from "node:crypto";

const [modules, mode] = process.argv.slice(2);
const doc = process.env.DOC;
const require = createRequire(modules + "/package.json");
const load = (name) => import(pathToFileURL(require.resolve("@modelcontextprotocol/sdk/" + name)));
const { Server } = await load("server/index.js");
const types = await load("types.js");

function make() {
  const server = new Server({ name: "notes", version: "1" }, { capabilities: { tools: {}, resources: {} } });
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: [
      { name: "get_current_context", inputSchema: { type: "object" }, outputSchema: { type: "object", required: ["items"] } },
      { name: "packet", inputSchema: { type: "object" } },
    ],
  }));
  server.setRequestHandler(types.CallToolRequestSchema, (r) =>
    r.params.name === "packet"
      ? { content: [{ type: "text", text: doc }] }
      : { content: [{ type: "text", text: doc }], structuredContent: JSON.parse(doc) });
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({
    resources: [{ uri: "app://notes/current", name: "current", size: doc.length }, { uri: "app://notes/other", name: "other", size: 3 }],
  }));
  server.setRequestHandler(types.ReadResourceRequestSchema, (r) => ({
    contents: [{ uri: r.params.uri, mimeType: "application/json", text: r.params.uri.endsWith("current") ? doc : "at " + r.params.uri }],
  }));
  return server;
}

if (mode === "stdio") {
  const { StdioServerTransport } = await load("server/stdio.js");
  await make().connect(new StdioServerTransport());
} else {
  const { StreamableHTTPServerTransport } = await load("server/streamableHttp.js");
  const sessions = new Map();
  const http = createServer(async (req, res) => {
    let transport = sessions.get(req.headers["mcp-session-id"]);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        enableJsonResponse: mode === "json",
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      await make().connect(transport);
    }
    await transport.handleRequest(req, res);
  });
  http.listen(0, "127.0.0.1", () => console.log(http.address().port));
}

/** What commands load when they need it, at once; see `commands/init.ts`. */
import "../mcp/memories/offer.ts";
import "../mcp/memories/typed_tools.ts";
import "../mcp/serve.ts";
import "../memory/service.ts";

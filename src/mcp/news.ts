/** News of an offer, on the way to those who listen. */
import type { Server, ServerEventBus } from "@modelcontextprotocol/server";
import type { News } from "./watched.ts";

/** For the one client of a connection; the server may be made later. */
export function newsThrough(server: () => Server | undefined): News {
  return {
    updated: (uri) => server()?.sendResourceUpdated({ uri }).catch(nobodyListens),
    listed: (name) => {
      const speaker = server();
      const told = {
        tools: () => speaker?.sendToolListChanged(),
        resources: () => speaker?.sendResourceListChanged(),
        prompts: () => speaker?.sendPromptListChanged(),
      }[name]();
      told?.catch(nobodyListens);
    },
  };
}

/** For all who hold a subscription over HTTP. */
export function newsOnBus(bus: ServerEventBus): News {
  return {
    updated: (uri) => bus.publish({ kind: "resource_updated", uri }),
    listed: (name) => bus.publish({ kind: `${name}_list_changed` }),
  };
}

/** The client is just going away. */
function nobodyListens(): void {}

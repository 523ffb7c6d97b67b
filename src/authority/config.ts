/** The config of a server with many principals (SPEC 3.3), read strictly. */
import type { Principal } from "./principal.ts";

/** All paths are absolute. */
export interface ServerConfig {
  /** The config file itself. */
  path: string;
  state_dir: string;
  /** Present when a principal is durable. */
  forks_dir?: string;
  /** Absent when neither the file nor ZPM_AUDIT_DIR names it: a server then refuses to start. */
  audit_dir?: string;
  principals: Map<string, Principal>;
  /** Origins of web pages that may call, besides programs, which send none. */
  origins: string[];
  syntax: "edn" | "prolog";
  body_limit_bytes: number;
  overlay_dir?: string;
  base_context: string;
  tools: "verbs" | "all";
  /** Engines of all forks together, at most; absent when the file leaves it to the server. */
  engines?: number;
}

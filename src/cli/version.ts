/** Which zpm this is. */
import config from "../../deno.json" with { type: "json" };

export const version: string = config.version;

export function runtime(): string {
  return `deno ${Deno.version.deno}, ${Deno.build.os} ${Deno.build.arch}`;
}

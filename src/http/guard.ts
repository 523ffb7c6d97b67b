/** Which requests are not let in, as a problem: nobody is asked who he is, so a foreign page must not be able to ask. */
import { makeJudge } from "../base/comers.ts";
import { problem } from "./problems.ts";

export type Guard = (request: Request) => Response | undefined;

export function makeGuard(hostname: string): Guard {
  const judge = makeJudge({ hostname, localPages: false });
  return ({ headers }) => {
    const why = judge(headers);
    if (why === undefined) return undefined;
    return problem("cross-origin", why, {
      hint: "Ask from a program, or from the page that this server has at /",
    });
  };
}

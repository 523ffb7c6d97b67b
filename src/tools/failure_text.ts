/** Why a goal does not hold, told as text: an outline, each way to it with what ends it. */

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
export type Failure = {
  id: number;
  /** The failure that this one explains; null at the root. */
  parent: number | null;
  /** Null where the rule was not reached. */
  goal: string | null;
  reason: Reason;
  /** Null at the root, and where a part of the parent's goal is told. */
  rule: string | null;
  source: string | null;
  held: string[];
  near?: { fact: string; source: string; differs: string }[];
  witness?: { goal: string; source: string | null };
  same_as?: number;
  message?: string;
  truncated?: boolean;
};

/** What is said behind the goal. */
const REASONS = {
  rules: () => "",
  parts: () => "",
  built_in: () => "",
  no_clause: () => ": no fact or rule matches it",
  unknown: () => ": no fact and no rule has that name",
  negation: ({ witness }: Failure) => `, because it holds that ${witnessText(witness)}`,
  repeated: () => ": the same as above",
  not_followed: () => ": not followed further",
  limit: () => ": not known, it took too long",
  raised: ({ message }: Failure) => `: error: ${message}`,
  cut: () => "not reached: a clause before it cuts (!)",
};

type Reason = keyof typeof REASONS;

export const reasons = Object.keys(REASONS);

export function failureText(failures: Failure[]): string {
  const [root, ...rest] = failures;
  const reason = REASONS[root.reason](root);
  return [`${root.goal} does not hold${reason}`, ...nearLines(root), ...below(root, rest)]
    .join("\n");
}

function below({ id, reason, truncated }: Failure, failures: Failure[]): string[] {
  const left = truncated && reason !== "not_followed" ? ["- and other ways"] : [];
  const ways = failures.filter(({ parent }) => parent === id).flatMap((failure) => {
    const { goal, reason, rule, source, held } = failure;
    const said = REASONS[reason](failure);
    const lines = [
      ...(rule === null ? [] : [`${rule} (${source})`]),
      ...(held.length > 0 ? [`holds: ${held.join(", ")}`] : []),
      goal === null ? said : `fails: ${goal}${said}`,
      ...nearLines(failure),
      ...below(failure, failures),
    ];
    return lines.map((line, index) => (index === 0 ? "- " : "  ") + line);
  });
  return [...ways, ...left];
}

function nearLines({ near = [] }: Failure): string[] {
  return near.map(({ fact, source, differs }) => `near: ${fact} (${source}; ${differs} differs)`);
}

function witnessText(witness: Failure["witness"]): string {
  return `${witness?.goal}${witness?.source ? ` (${witness.source})` : ""}`;
}

/** How much a person wants to be told while zpm works; protocols never pass through here. */

export const logLevels = ["error", "warn", "info", "debug"] as const;
export type LogLevel = typeof logLevels[number];

/** Tells a person something; what is below the chosen level is dropped. */
export type Log = (level: LogLevel, text: string) => void;

/** A log that passes on what is at least as grave as the level, one line a piece. */
export function makeLog(level: LogLevel, write: (line: string) => void): Log {
  return (given, text) => {
    if (logLevels.indexOf(given) > logLevels.indexOf(level)) return;
    for (const line of text.split("\n")) write(`zpm: ${given}: ${line}`);
  };
}

/** What a process says, one line after the other. */
export interface Lines {
  /** The next line; rejects when the process ends without one. */
  (): Promise<string>;
  end(): Promise<void>;
}

export function linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Lines {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  const next = async (): Promise<string> => {
    while (!rest.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the process ended: ${rest}`);
      rest += value;
    }
    const end = rest.indexOf("\n");
    const line = rest.slice(0, end);
    rest = rest.slice(end + 1);
    return line;
  };
  return Object.assign(next, { end: () => reader.cancel() });
}

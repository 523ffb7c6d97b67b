/** A file that is changed, without a disk: what the operations of a text make of it. */
import { digestOf } from "../../src/base/digest.ts";
import type { Keeper, OperationService, ServiceOptions } from "../../src/operations/service.ts";
import { withService } from "./operation_file.ts";

export class KeptSource implements Keeper {
  bytes: Uint8Array<ArrayBuffer>;
  /** How often it was written. */
  writes = 0;
  /** Called before each write, with what is to be written; may edit the file, or throw what a disk says. */
  onreplace: (bytes: Uint8Array) => void = () => {};
  closed = false;

  constructor(content: string | Uint8Array<ArrayBuffer>) {
    this.bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  }

  get text(): string {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.bytes);
  }

  set text(text: string) {
    this.bytes = new TextEncoder().encode(text);
  }

  read() {
    return Promise.resolve(this.bytes.slice());
  }

  async replace(bytes: Uint8Array, expected: string): Promise<boolean> {
    this.onreplace(bytes);
    if (await digestOf(this.bytes) !== expected) return false;
    this.bytes = bytes.slice();
    this.writes++;
    return true;
  }

  close() {
    this.closed = true;
    return Promise.resolve();
  }
}

export interface Persisted {
  service: OperationService;
  source: KeptSource;
}

/** A service that changes a text, while `work` runs. */
export async function withPersisted(
  content: string | Uint8Array<ArrayBuffer>,
  work: (persisted: Persisted) => Promise<void>,
  options: Partial<ServiceOptions> = {},
): Promise<void> {
  const source = new KeptSource(content);
  await withService(source.bytes, (service) => work({ service, source }), {
    persist: true,
    keeper: source,
    ...options,
  });
}

/** The authority over its log: every decision looks at the log's end first, so that it is the same in every process. */
import { timingSafeEqual } from "node:crypto";
import { fenced, principalRevoked, unknownPrincipal } from "../base/authority_errors.ts";
import { digestOfText } from "../base/digest.ts";
import { limits } from "../base/limits.ts";
import type { Authority, OnLeaseEnd } from "./authority.ts";
import type { Written } from "./authority_log.ts";
import { AuthorityState, type Order } from "./authority_state.ts";
import { Leases } from "./leases.ts";
import {
  type Permit,
  type Principal,
  type PrincipalStanding,
  samePrincipal,
  type Standing,
} from "./principal.ts";
import type { AuthorityCalls } from "./protocol.ts";
import { standingOf } from "./standing.ts";

export interface AuthorityOptions {
  calls: Pick<AuthorityCalls, "look" | "enter" | "leave" | "write">;
  principals: Map<string, Principal>;
  /** The principals of the config as it is now. */
  readPrincipals: () => Promise<Map<string, Principal>>;
  written: readonly Written[];
  /** Milliseconds since 1970. */
  now?: () => number;
  warn: (text: string) => void;
}

export class LoggedAuthority implements Authority {
  readonly #options: AuthorityOptions;
  readonly #state = new AuthorityState();
  readonly #leases: Leases;
  readonly #listeners: (() => void)[] = [];
  #principals: Map<string, Principal>;
  /** Settles when the config was read again; who decides waits for it. */
  #reloading: Promise<void> = Promise.resolve();

  constructor(options: AuthorityOptions) {
    this.#options = options;
    this.#principals = options.principals;
    for (const { entry, at } of options.written) this.#state.apply(entry, at);
    this.#leases = new Leases({
      state: this.#state,
      now: options.now ?? Date.now,
      write: async (order) => void await this.#write(order),
    });
  }

  get generation(): number {
    return this.#state.generation;
  }

  get principals(): ReadonlyMap<string, Principal> {
    return this.#principals;
  }

  async authenticate(token: string | undefined): Promise<Principal | undefined> {
    await this.#look();
    const sum = bytesOf(digestOfText(token ?? ""));
    let found: Principal | undefined;
    // All are compared, so that the time tells nothing.
    for (const principal of this.#principals.values()) {
      if (timingSafeEqual(bytesOf(principal.token_sha256), sum)) found = principal;
    }
    // The fingerprint of nothing lets nobody in.
    return token && found && this.isCurrent(found) ? found : undefined;
  }

  async admit(principal: Principal): Promise<Permit> {
    await this.#look();
    if (!this.isCurrent(principal)) throw principalRevoked(principal.name);
    const lease = principal.lifecycle === "leased" ? await this.#leases.use(principal) : undefined;
    const { generation } = this;
    return lease === undefined ? { principal, generation } : { principal, generation, lease };
  }

  async during<T>(permit: Permit, work: () => Promise<T>): Promise<T> {
    const { calls } = this.#options;
    const { principal } = permit;
    await this.#learn(await calls.enter(principal.name, limits.deadline_ms));
    try {
      if (!this.#holds(permit)) throw fenced(principal.name);
      this.#leases.begin(principal);
      try {
        return await work();
      } finally {
        this.#leases.done(principal);
      }
    } finally {
      // Nobody waits for it but those who want the lock alone.
      calls.leave(principal.name).catch(() => {});
    }
  }

  async standing({ principal }: Permit): Promise<Standing> {
    await this.#look();
    return { generation: this.generation, revoked: !this.isCurrent(principal) };
  }

  isCurrent(principal: Principal): boolean {
    const known = this.#principals.get(principal.name);
    return known !== undefined && samePrincipal(known, principal) &&
      this.#state.of(principal.name).revoked_since === undefined;
  }

  onRightsChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async revoke(name: string): Promise<PrincipalStanding> {
    return await this.#change({ kind: "revoke", principal: name });
  }

  async restore(name: string): Promise<PrincipalStanding> {
    return await this.#change({ kind: "restore", principal: name });
  }

  async list(): Promise<PrincipalStanding[]> {
    await this.#look();
    return [...this.#principals.values()].map((each) => standingOf(each, this.#state));
  }

  leaseOf(fork_id: string): number | undefined {
    return this.#state.leases.get(fork_id)?.lease;
  }

  onLeaseEnd(listener: OnLeaseEnd): void {
    this.#leases.onEnd(listener);
  }

  async sweep(): Promise<void> {
    await this.#look();
    await this.#leases.sweep();
  }

  reload(): Promise<void> {
    return this.#reloading = this.#reloading.then(async () => {
      try {
        this.#principals = await this.#options.readPrincipals();
        this.#tell();
      } catch (error) {
        // The one before stays: a slip of the pen locks nobody out.
        this.#options.warn(`The config was not read again: ${(error as Error).message}`);
      }
    });
  }

  async #change(order: Order & { principal: string }): Promise<PrincipalStanding> {
    await this.#look();
    const principal = this.#principals.get(order.principal);
    if (!principal) throw unknownPrincipal(order.principal, this.#principals.keys());
    await this.#write(order);
    return standingOf(principal, this.#state);
  }

  #holds({ principal, generation, lease }: Permit): boolean {
    return this.isCurrent(principal) && this.#state.of(principal.name).generation <= generation &&
      (lease === undefined || this.leaseOf(principal.fork_id) === lease);
  }

  async #look(): Promise<void> {
    await this.#learn(await this.#options.calls.look());
  }

  async #write(order: Order): Promise<void> {
    await this.#learn(await this.#options.calls.write(order));
  }

  /**
   * News come to one caller only, in their order: they are applied at once, and whoever comes after it waits for the
   * config, too.
   */
  async #learn(news: Written[]): Promise<void> {
    for (const { entry, at } of news) this.#state.apply(entry, at);
    if (news.some(({ entry }) => entry.kind === "add" || entry.kind === "rotate")) this.reload();
    if (news.some(({ entry }) => "generation" in entry)) this.#tell();
    await this.#reloading;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}

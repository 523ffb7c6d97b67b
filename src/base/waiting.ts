/** Waiting with an end. */

/** What `promise` gives, or nothing when that takes longer than `ms`; then it goes on, and nobody waits for it. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles when the signal is aborted; without one, never. */
export async function aborted(signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  const event = Promise.withResolvers<void>();
  signal?.addEventListener("abort", () => event.resolve(), { once: true });
  await event.promise;
}

/** Engines that are ready, and without any memory. */
import type { Assets, Image } from "./assets.ts";
import { Engine, EngineLost } from "./engine.ts";

/** From an image, or cold. */
export async function boot(assets: Assets, image: Image | undefined): Promise<Engine> {
  const engine = new Engine(assets, image);
  await engine.ready();
  return engine;
}

/**
 * The embedded image is only a cache: when it does not boot, the cold boot does. `first` is an engine that is booting
 * from it already.
 */
export async function bootBase(assets: Assets, first?: Engine): Promise<Engine> {
  if (assets.image) {
    try {
      await first?.ready();
      return first ?? await boot(assets, assets.image);
    } catch (error) {
      if (!(error instanceof EngineLost)) throw error;
      assets.image = undefined;
    }
  }
  return await boot(assets, undefined);
}

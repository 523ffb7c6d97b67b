/**
 * Keeps the SDK's schema library from writing code at run time. Compiling its parsers costs 8 ms before the
 * handshake is answered and pays only for many thousand messages; and nothing here needs `new Function`.
 *
 * Imported before the SDK: a schema looks at the setting when it is made.
 */
import { config } from "zod/v4/core";

config({ jitless: true });

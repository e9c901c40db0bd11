/** The names that every module has (schema: `WELL_KNOWN_NAMES`), by what they name. */

import { WELL_KNOWN_NAMES } from '../ir/schema.js';

type Camel<Text extends string> = Text extends `${infer Head}.${infer Tail}`
  ? `${Head}${Capitalize<Tail>}`
  : Text;

/** The name's id: `WellKnownName.loopHeader` is that of `loop.header`. */
export const WellKnownName = Object.freeze(
  Object.fromEntries(
    WELL_KNOWN_NAMES.map((name, id) => [
      name.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
      id,
    ]),
  ),
) as { readonly [Name in (typeof WELL_KNOWN_NAMES)[number] as Camel<Name>]: number };

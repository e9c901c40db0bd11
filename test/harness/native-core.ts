/** Which core the TypeScript one is compared with: the native one, also where it should be there and is not. */

import { coreInfo } from '../../src/core/native.js';
import type { CoreChoice } from '../../src/ir/config.js';

/** Whether the native core was built; one that loads badly counts, so that its tests fail. */
function isBuilt(): boolean {
  try {
    return coreInfo('native').active === 'native';
  } catch (error) {
    return !String(error).includes('No native build was found');
  }
}

/** `native`, or `ts` on a machine that cannot build the addon. In CI it is always `native`. */
export const comparedCore: CoreChoice = process.env.CI !== undefined || isBuilt() ? 'native' : 'ts';
